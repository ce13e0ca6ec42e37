#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(64); split("bowl jug plate vase cup tile urn", shape, " "); split("celadon cobalt iron salt tin ash", glaze, " ")
  for (i = 0; i < 20000; i++) printf "%-8d%-12s%-12s%8d%8d%15s\n", i, shape[1 + int(rand() * 7)], glaze[1 + int(rand() * 6)], 300 + int(rand() * 9000), 100 + int(rand() * 4000), "" }' > pieces.dat
LC_ALL=C gawk 'BEGIN { srand(65); for (i = 0; i < 450000; i++) printf "%d %d\n", int(rand() * 20000), 1 + int(rand() * 12) }' > orders.txt
