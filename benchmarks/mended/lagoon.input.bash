#!/bin/bash
LC_ALL=C gawk 'BEGIN { srand(40)
  for (i = 0; i < 50000; i++) printf "{\"buoy\":%d,\"hour\":%d,\"level\":%.2f,\"salt\":%.1f}\n", 1 + int(rand() * 15), i, 3 * rand(), 28 + 8 * rand() }' > buoys.jsonl
