#!/bin/bash
gawk 'BEGIN { srand(19); split("22 23 25 80 443 445 3389 8080 5900", p)
  for (i = 0; i < 420000; i++)
    printf "%02d:%02d:%02d %s 10.%d.%d.%d %d\n", i / 18000, i / 300 % 60, i / 5 % 60,
      rand() < 0.9 ? "DROP" : "PASS", int(rand() * 4), int(rand() * 10), int(rand() * 20),
      p[1 + int(rand() * 9)] }' > filter.log
