#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(70); split("red blue gold green ivory", c, " ")
  for (i = 0; i < 90; i++) { printf "%s-%d", c[1 + int(rand() * 5)], 3 + int(rand() * 60)
    for (k = 0; k < 1200; k++) printf " %.2f", 0.1 + 9 * rand()
    print "" } }' > lines
