#!/bin/bash
gawk 'BEGIN { s = 38
  for (i = 0; i < 50000; i++) { s = (s * 16807) % 2147483647
    printf "trip%d %d %s %02d:%02d\n", i, s % 240 + 3, (s % 5 ? "adult" : "child"), s % 24, s % 60 } }' > part
cat part part part part > lines
cp lines stdin
rm part
