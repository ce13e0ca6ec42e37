#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(8); split("granite slate marble gravel", s, " ")
  for (i = 0; i < 180; i++) { printf "L%03d %s", i, s[1 + int(rand() * 4)]
    for (k = 0; k < 2000; k++) printf " %.3f", 0.2 + 3 * rand()
    print "" } }' > loads.txt
