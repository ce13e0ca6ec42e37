#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(17); split("wheat rye barley oats maize", g)
  for (i = 0; i < 600; i++) print g[1 + int(rand() * 5)], int(rand() * 50000) > "bins.txt"
  for (i = 0; i < 300000; i++) print 1 + int(i / 1000), int(rand() * 600), int(rand() * 8000) - 4000, 12 + int(rand() * 60) / 10 > "movements.txt" }'
