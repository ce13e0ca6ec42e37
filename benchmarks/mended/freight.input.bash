#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(23)
  for (z = 1; z <= 9; z++) printf "Z%02d %.2f %.2f\n", z, 0.2 + rand(), 15 + 20 * rand() > "zones.txt"
  for (i = 1; i <= 50000; i++)
    printf "C%06d Z%02d %.1f\n", i, 1 + int(rand() * 9.1), 1 + 3000 * rand() * rand() > "lines" }'
