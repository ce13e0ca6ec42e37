#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(14); split("flour sugar butter salt eggs milk oil", g, " ")
  for (i = 0; i < 4500; i++) { printf "dish%04d:", i; m = 3 + int(rand() * 5)
    for (k = 0; k < m; k++) printf "%s%s=%d", k ? ";" : "", g[1 + int(rand() * 7)], 5 + int(rand() * 400)
    print "" } }' > recipes.txt
