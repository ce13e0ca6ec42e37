#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(26)
  for (i = 0; i < 45000; i++) { m = int(i / 250); printf "%02d:%02d float%02d judge%d %d\n", 10 + m / 60, m % 60, 1 + int(rand() * 24), 1 + int(rand() * 9), 1 + int(rand() * 10) } }' > marks.txt
