#!/bin/bash
gawk 'BEGIN { s = 55
  for (i = 0; i < 18000; i++) { s = (s * 16807) % 2147483647
    printf "%d;user%d;%s;%d\n", i, s % 60, (s % 5 ? (s % 3 ? "read" : "write") : "delete"), s % 700 } }' > stdin
