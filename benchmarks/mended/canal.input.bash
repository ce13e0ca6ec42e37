#!/bin/bash
mkdir -p locks
LC_ALL=C gawk 'BEGIN { srand(12)
  for (i = 0; i < 95000; i++) printf "%d %d %s%03d %d\n", 1 + int(rand() * 12), i * 3, (rand() < 0.5 ? "NL" : "DE"), int(rand() * 400), 50 + int(rand() * 900) }' > passages.txt
