#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(11); t = 0
  for (i = 0; i < 450000; i++) {
    t += -log(1 - rand()) * 0.004
    printf "%.6f %.3f\n", t, 0.3 + 12 * rand() * rand()
  } }' > photons.txt
