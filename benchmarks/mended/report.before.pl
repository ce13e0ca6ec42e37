# Writes the squares of many numbers.
use strict;
use warnings;
use IO::Handle;

open(my $out, '>', 'out') or die "out: $!";
$out->autoflush(1);
foreach my $number (1 .. 1_000_000) {
    print $out "$number ", $number * $number, "\n";
}
close($out) or die "out: $!";
