#!/bin/bash
mkdir -p photos
LC_ALL=C gawk 'BEGIN { srand(21)
  for (i = 0; i < 150; i++) if (i % 7) { f = sprintf("photos/nest%03d.jpg", i); n = 100 + int(rand() * 3000); printf "%*s", n, "" > f; close(f) }
  for (i = 0; i < 140000; i++) printf "%d nest%03d %d %.2f\n", 1000 + i, int(rand() * 150), int(rand() * 360), 30 * rand() > "sightings.txt" }'
