# Transfers between the accounts of a club's treasury.
perl -e 'my $s = 5; sub r { $s = ($s * 1103515245 + 12345) & 0x7fffffff; ($s >> 8) % $_[0] }
for (1 .. 170000) { printf "%s %d %d %d\n", (qw(move move move pay draw))[r(5)], r(3000), r(3000),
    1 + r(20000) }' > transfers.txt
