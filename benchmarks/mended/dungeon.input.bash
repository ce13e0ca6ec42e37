#!/bin/bash
gawk 'BEGIN { srand(8); split("n s e w n s e w take drop rest xyzzy", c)
  for (i = 0; i < 60000; i++) print c[1 + int(rand() * 12)] }' > stdin
