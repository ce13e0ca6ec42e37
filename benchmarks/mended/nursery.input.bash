#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(6)
  for (i = 0; i < 95000; i++) printf "%d bed%d %d %.1f\n", i / 400, 1 + int(rand() * 30), 1 + int(rand() * 400), 5 + rand() * 200 }' > heights.txt
