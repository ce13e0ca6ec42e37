#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(77); split("vase coin mask sword bowl map", t, " ")
  for (i = 0; i < 1300000; i++) printf "%c%05d|%s|%d|room %d\n", 65 + int(rand() * 26), int(rand() * 100000), t[1 + int(rand() * 6)], -500 + int(rand() * 2400), 1 + int(rand() * 44) }' > collection.txt
