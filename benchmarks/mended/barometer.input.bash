#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(3); p = 1013
  for (i = 0; i < 340000; i++) { p += rand() - 0.5; if (p < 960) p += 2; if (p > 1050) p -= 2
    printf "%d %.1f %.1f\n", 1700000000 + 60 * i, p, 30 * rand() - 5 } }' > readings.txt
