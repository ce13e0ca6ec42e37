#!/bin/bash
gawk 'BEGIN { s = 61
  for (i = 0; i < 90; i++) { s = (s * 16807) % 2147483647
    printf "begin %d\n", i
    for (j = 0; j < 2000; j++) { s = (s * 16807) % 2147483647
      printf "pay acct%05d acct%05d %d.%02d\n", s % 20000, (s * 3 + j) % 20000, s % 800, s % 100 }
    print "commit" } }' > stdin
