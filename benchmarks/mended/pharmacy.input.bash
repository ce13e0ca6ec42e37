#!/bin/bash
mkdir -p stock
LC_ALL=C gawk 'BEGIN { srand(4)
  for (i = 0; i < 200; i++) if (i % 5) { f = sprintf("stock/drug%03d.txt", i); print 20 + int(rand() * 500) > f; close(f) }
  for (i = 0; i < 5500; i++) printf "%s;drug%03d;%d;%d\n", "patient" int(rand() * 900), int(rand() * 200), 1 + int(rand() * 3), 5 + int(rand() * 25) > "prescriptions.csv" }'
