#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(49)
  for (i = 0; i < 55000; i++) { printf "%06d", i
    for (k = 0; k < 6; k++) printf " %d", 1 + int(rand() * 49)
    print "" } }' > tickets.txt
