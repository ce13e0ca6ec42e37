#!/bin/bash
gawk 'BEGIN { s = 19
  for (i = 1; i < 16000; i++) { s = (s * 16807) % 2147483647
    printf "P%d b%d %d %d\n", i, 1500 + int(i / 40), (i > 20 ? int(i - 1 - s % (i / 3)) : 0), s % 4 } }' > family.txt
