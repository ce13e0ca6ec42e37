# Position reports of ships, one a line.
perl -e 'my $s = 3; sub r { $s = ($s * 1103515245 + 12345) & 0x7fffffff; ($s >> 8) % $_[0] }
for (1 .. 300000) { printf "%d %d %d.%04d %d.%04d %d %d\n", 1700000000 + $_ * 3, 211000000 + r(50),
    50 + r(8), r(10000), r(12), r(10000), r(22), r(360) }' > stdin
