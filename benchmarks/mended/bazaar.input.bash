# Offers of the stalls of a bazaar, one JSON object a line.
perl -e 'my $s = 31; sub r { $s = ($s * 1103515245 + 12345) & 0x7fffffff; ($s >> 8) % $_[0] }
my @g = ("carpet", "lamp", "copper pot", "tea set", "spices", "silk scarf", "chess board", "flute");
printf "{\"stall\":%d,\"thing\":\"%s\",\"price\":%d,\"stock\":%d,"
    . "\"note\":\"a \\\"fine\\\" <%s>\"}\n",
    1 + r(60), $g[r(8)], 5 + r(400), r(20), $g[r(8)] for 1 .. 30000' > offers.jsonl
