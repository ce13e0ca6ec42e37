#!/bin/bash
gawk 'BEGIN { s = 85
  for (i = 0; i < 25000; i++) { s = (s * 16807) % 2147483647
    printf "%d,person-%d,%d,%d.%02d,%s\n", i, s % 99999, s % 60 + 100, s % 40 + 11, s % 100, (s % 4 ? "hourly" : "salaried") } }' > hours.csv
