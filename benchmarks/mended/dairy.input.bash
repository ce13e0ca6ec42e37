#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(80)
  for (i = 0; i < 8500; i++) printf "cow%d %d %d %d\n", 1 + int(rand() * 120), i / 240, 4 + int(rand() * 14), 30 + int(rand() * 25) }' > milk.txt
