#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(17); split("apple pear plum cherry quince", f, " ")
  for (i = 0; i < 380000; i++) printf "%s,%d,%d,%.1f\n", f[1 + int(rand() * 5)], 1 + int(rand() * 90), 1 + int(rand() * 60), 4 + 80 * rand() }' > trees.csv
