#!/bin/bash
gawk 'BEGIN { s = 66
  for (i = 0; i < 60000; i++) { s = (s * 16807) % 2147483647
    printf "%s room%02d 2024-%02d-%02d %d guest%d\n", (s % 8 ? "book" : "cancel"), s % 90, s % 12 + 1, s % 28 + 1, s % 6 + 1, s % 4000 } }' > stdin
