#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(5)
  for (i = 0; i < 80; i++) printf "grain%02d %.2f %.1f\n", i, 12 + 30 * rand(), 12 + 4 * rand() > "prices.txt"
  for (i = 0; i < 65000; i++) printf "farm%03d grain%02d %d %.1f\n", int(rand() * 300), int(rand() * 80), 200 + int(rand() * 9000), 10 + 9 * rand() > "deliveries.txt" }'
