#!/bin/bash
gawk 'BEGIN { srand(5)
  for (t = 1; t <= 13000; t++) {
    name = substr("ICRERBEC", 1 + 2 * int(rand() * 4), 2) 1000 + t
    m = int(rand() * 1300); s = int(rand() * 40)
    for (k = 0; k < 14; k++) {
      stay = 1 + int(rand() * 9)
      a = m % 1440; d = (m + stay) % 1440
      printf "%s,ST%02d,%02d:%02d,%02d:%02d\n", name, (s + 3 * k) % 60,
             int(a / 60), a % 60, int(d / 60), d % 60
      m += stay + 5 + int(rand() * 20)
    }
  } }' > calls.csv
