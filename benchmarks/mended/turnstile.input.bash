#!/bin/bash
gawk 'BEGIN { srand(33)
  for (i = 0; i < 40000; i++)
    printf "%02d:%02d:%02d room%02d %s\n", 9 + i / 5000, i / 84 % 60, i % 60, 1 + int(rand() * 24), rand() < 0.52 ? "in" : "out" }' > passages.txt
