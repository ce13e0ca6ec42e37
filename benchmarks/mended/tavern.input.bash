#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(33); split("ale stew bread cider pie mead", d, " ")
  for (i = 0; i < 700000; i++) printf "%d %s %d %d\n", 1 + int(rand() * 40), d[1 + int(rand() * 6)], 1 + int(rand() * 4), 150 + int(rand() * 1200) }' > stdin
