#!/bin/bash
gawk 'BEGIN { s = 5
  for (i = 0; i < 32000; i++) { s = (s * 16807) % 2147483647; a = s % 65536
    s = (s * 16807) % 2147483647; printf "10.%d.%d.%d %d\n", s % 8, a / 256, a % 256, s % 1400 + 40 } }' > stdin
gawk 'BEGIN { s = 8
  for (i = 0; i < 900; i++) { s = (s * 16807) % 2147483647; l = 10 + s % 11
    printf "10.%d.%d.0/%d gw%02d\n", s % 8, (s / 8) % 256, l, s % 23 } }' > routes.txt
