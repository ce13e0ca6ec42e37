#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(60)
  for (i = 0; i < 24000; i++) { n = 30 + int(rand() * 70); s = ""
    for (k = 0; k < n; k++) { r = rand(); s = s (r < 0.7 ? "k" : r < 0.95 ? "p" : "y") }
    print s } }' > pattern.txt
