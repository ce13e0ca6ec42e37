#!/bin/bash
gawk 'BEGIN { s = 41
  for (i = 0; i < 9000; i++) { s = (s * 16807) % 2147483647
    printf "10.0.%d.%d /page%d?id=%d&ref=r%d Mozilla/%d.0\n", s % 30, s % 250, s % 40, s % 9999, s % 7, s % 5 + 1 } }' > stdin
