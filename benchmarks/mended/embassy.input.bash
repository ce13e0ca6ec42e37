#!/bin/bash
mkdir -p visas
LC_ALL=C gawk 'BEGIN { srand(30); split("Ana Ben Chi Dov Eva Finn", n, " ")
  for (i = 0; i < 150; i++) { f = sprintf("visas/v%04d.txt", i)
    printf "name: %s\ncountry: %d\ndays: %d\n", n[1 + int(rand() * 6)], int(rand() * 30), 1 + int(rand() * 90) > f
    for (k = 0; k < 180; k++) printf "note %d: %d %d\n", k, int(rand() * 100000), int(rand() * 100000) > f
    close(f) } }'
