#!/bin/bash
gawk 'BEGIN { srand(27); print "# date|name|from|to|remarks"
  split("Ann Bert Carla Dirk Else Fritz Gerda Hugo Ida Jan", n)
  split("calm sea and good sight; fog in the morning until about ten; two yachts towed into the harbour after engine failure; exercise with the helicopter, the new line was tried; nothing to report", r, "; ")
  for (i = 0; i < 12000; i++) { f = int(rand() * 24)
    printf "2019-%02d-%02d|%s|%02d|%02d|%s, %s\n", 1 + i / 1000, 1 + i / 36 % 28, n[1 + int(rand() * 10)], f, (f + 2 + int(rand() * 6)) % 24, r[1 + int(rand() * 5)], r[1 + int(rand() * 5)] } }' > watches.txt
