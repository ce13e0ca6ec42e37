#!/bin/bash
gawk 'BEGIN { s = 99
  for (i = 0; i < 60000; i++) { s = (s * 16807) % 2147483647
    printf "place%06d%53d.%04d %d.%04d\n", i * 3, s % 90, s % 9999, s % 180, (s * 7) % 9999 } }' | gawk '{ printf "%-79s\n", $0 }' > places.dat
gawk 'BEGIN { s = 31
  for (i = 0; i < 2400; i++) { s = (s * 16807) % 2147483647; a = s % 180000
    s = (s * 16807) % 2147483647; printf "place%06d place%06d\n", a - a % 3, s % 180000 } }' > stdin
