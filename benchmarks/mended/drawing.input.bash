#!/bin/bash
gawk 'BEGIN { s = 404
  for (i = 0; i < 190000; i++) { s = (s * 16807) % 2147483647
    if (s % 97 == 0) print "sample - fault"; else printf "sample %d.%04d ok\n", s % 1000 + (s % 7) * 300, s % 9999 } }' > stdin
