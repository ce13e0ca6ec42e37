# A word list, and the patterns of open entries of many crosswords (dots are unknown letters).
perl -e 'my $s = 17; sub r { $s = ($s * 1103515245 + 12345) & 0x7fffffff; ($s >> 8) % $_[0] }
my @c = qw(b c d f g h k l m n p r s t v w st tr ch sh); my @v = qw(a e i o u ea ou);
my %w; while (keys %w < 30000) { $w{join "", map { $c[r(20)] . $v[r(7)] } 1 .. 2 + r(3)} = 1 }
my @w = sort keys %w; print scalar(@w), "\n"; print "$_\n" for @w; print "600000\n";
for (1 .. 600000) { my $x = $w[r(30000)]; my $i = r(length $x);
    substr($x, $i, 1) = "."; print r(15) + 1, $_ % 2 ? "a" : "d", " $x ", r(30), "\n" }' > stdin
