#!/bin/bash
gawk 'BEGIN { s = 23
  for (i = 0; i < 45000; i++) { s = (s * 16807) % 2147483647
    printf "From: user%d@host%d.example\n", s % 700, s % 41
    printf "To: team%d@example.org", s % 50
    for (j = s % 4; j > 0; j--) printf ",\n\tuser%d@host%d.example", (s + j) % 700, (s + j) % 41
    printf "\nSubject: status of item %d", s % 9999
    if (s % 3 == 0) printf "\n  and of the %d others that were asked for", s % 17
    printf "\nReceived: from relay%d.example by mx.example.org\n  with esmtp id %x\n  for <team%d@example.org>\n", s % 9, s, s % 50
    printf "X-Score: %d\n", s % 100 } }' > headers.txt
