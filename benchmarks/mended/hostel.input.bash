#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(51); split("Oslo Rome Lima Kyiv Cork Graz", t, " ")
  for (i = 0; i < 100000; i++) printf "guest%d\t%s\t%d\t%d\t%d\n", i, t[1 + int(rand() * 6)], 1 + int(rand() * 365), 1 + int(rand() * 9), 1 + int(rand() * 40) }' > bookings.tsv
