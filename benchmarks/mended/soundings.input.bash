#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(21); print "# longitude latitude ms"
  x = 0; y = 10
  for (i = 0; i < 150000; i++) {
    x += 3.1; if (x > 6000) { x = 0; y += 20 }
    printf "%.6f %.6f %.2f\n", 5 + (x + rand()) / 65400, 54 + (y + rand()) / 111300, 27 + x / 220 + 8 * sin(y / 500) + rand()
  } }' > soundings.xyz
