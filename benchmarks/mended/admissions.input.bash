#!/bin/bash
gawk 'BEGIN { srand(14); split("cardiology surgery oncology maternity geriatrics", w)
  for (p = 0; p < 110000; p++) { d = int(rand() * 200); k = 1 + int(rand() * 4)
    for (i = 0; i < k; i++) { e = d + int(rand() * 14)
      printf "P%07d;%d;%d;%s\n", 1000000 + 3 * p, d, e, w[1 + int(rand() * 5)]
      d = e + 1 + int(rand() * 80) } } }' > admissions.txt
