#!/bin/bash
gawk 'BEGIN { s = 777
  for (i = 0; i < 8000; i++) { s = (s * 16807) % 2147483647
    printf "%08d %8d %12d %12d %17s\n", i, s % 500, 0, s % 9000 + 100, "shelf-" s % 977 } }' > opening.dat
gawk 'BEGIN { s = 4242
  for (i = 0; i < 160000; i++) { s = (s * 16807) % 2147483647; a = s % 8000
    s = (s * 16807) % 2147483647
    printf "%d %s %d\n", a, (s % 3 ? "out" : "in"), s % 40 + 1 } }' > stdin
