#!/bin/bash
gawk 'BEGIN { s = 90
  for (i = 0; i < 60000; i++) { s = (s * 16807) % 2147483647
    printf "%d.%d.%d.%d GET /p%d/i%d.html %d %d\n", s % 4, s % 200, s % 256, s % 50, s % 31, s % 977, (s % 11 ? 200 : 404), s % 30000 } }' > part
cat part part part part part part part part part > access.log
rm part
