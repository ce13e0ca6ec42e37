#!/bin/bash
gawk 'BEGIN { s = 12345
  for (i = 0; i < 420000; i++) {
    s = (s * 16807) % 2147483647
    printf "st%03d %d.%d %d.%d 2023-%02d-%02dT%02d:%02d:00 sensor-ok battery-3.1V firmware-2.4.1 window-closed\n", s % 400, (s % 50) - 10, s % 10, s % 100, (s + 3) % 10, s % 12 + 1, s % 28 + 1, s % 24, s % 60
  } }' > readings.txt
