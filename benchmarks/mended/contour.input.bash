#!/bin/bash
gawk 'BEGIN { s = 7
  for (i = 0; i < 12; i++) { s = (s * 16807) % 2147483647
    printf "%d %d %d\n", s % 600, s % 420, s % 40 + 10 } }' > hills.txt
