#!/bin/bash
gawk 'BEGIN { s = 17
  for (j = 0; j < 300; j++) { s = (s * 16807) % 2147483647; text = text "word" s % 5000 " " }
  for (i = 0; i < 240000; i++) { s = (s * 16807) % 2147483647
    printf "user%d/note%d\t%s\n", s % 300, i, substr(text, s % 2000 + 1, 30 + s % 97) } }' > stdin
