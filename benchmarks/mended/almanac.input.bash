#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(9)
  for (i = 0; i < 550000; i++) printf "%d %d\n", 1 + int(rand() * 365), int(170 * rand()) - 85 }' > stdin
