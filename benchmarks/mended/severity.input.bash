#!/bin/bash
gawk 'BEGIN { s = 15
  for (i = 0; i < 3000; i++) { s = (s * 16807) % 2147483647
    if (s % 50 == 0) printf "%d|%s|disk%d|%d blocks\n", i, (s % 3 ? "warn" : "error"), s % 8, s % 777
    else printf "# note %d\n", i } }' > events.txt
