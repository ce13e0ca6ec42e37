#!/bin/bash
gawk 'BEGIN { s = 3
  for (j = 0; j < 400; j++) { s = (s * 16807) % 2147483647; t = t (s % 13 ? "" : "caf\xc3\xa9 ") "word" s % 300 " " }
  for (i = 0; i < 45000; i++) { s = (s * 16807) % 2147483647
    print substr(t, s % 1500 + 1, s % 50 + 10) } }' | LC_ALL=C tr -cd '\11\12\15\40-\176' > book.txt
