#!/bin/bash
gawk 'BEGIN { srand(4); split("ka lo mi tu ren sa vo der ni pal", syl); split(",,s,ed,ing,ly,es", e, ",")
  for (i = 0; i < 900; i++) { w = ""; k = 1 + int(rand() * 3)
    for (j = 0; j <= k; j++) w = w syl[1 + int(rand() * 10)]
    words[i] = w }
  for (l = 0; l < 50000; l++) { s = ""
    for (j = 0; j < 12; j++) s = s words[int(900 * rand() * rand())] e[1 + int(rand() * 7)] " "
    print s } }' > text.txt
