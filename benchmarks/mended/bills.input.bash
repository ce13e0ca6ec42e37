#!/bin/bash
gawk 'BEGIN { s = 12
  for (i = 0; i < 80; i++) { s = (s * 16807) % 2147483647
    printf "C%03d %d.%04d %d standard\n", i, s % 9 + 1, s % 9999, s % 25 } }' > rates.txt
gawk 'BEGIN { s = 71
  for (i = 0; i < 14000; i++) { s = (s * 16807) % 2147483647
    printf "inv%06d C%03d", i, s % 81
    for (j = s % 12 + 12; j > 0; j--) printf " %dx%d.%02d", s % 7 + j, s % 90, (s + j) % 100
    printf "\n" } }' > stdin
