# genealogy: reads persons and their parents from family.txt and reports lines of descent
use strict;
use warnings;

open(my $in, '<', 'family.txt') or die "family.txt: $!";

my (%parent, %born, %children);
while (defined(my $line = <$in>)) {
    next unless $line =~ /^P(\d+) b(\d+) (\d+) (\d+)$/;
    $born{$1} = $2;
    next unless $3 and exists $born{$3};
    $parent{$1} = $3;
    $children{$3}++;
}
close($in);

my (%depth, %longest);
for my $p (sort { $a <=> $b } keys %born) {
    my ($n, $q) = (0, $p);
    while (exists $parent{$q}) {
        $q = $parent{$q};
        $n++;
    }
    $depth{$n}++;
    $longest{$q} = $n if $n > ($longest{$q} // 0);
}
print "generation $_: $depth{$_}\n" for sort { $a <=> $b } keys %depth;
my @many = sort { $children{$b} <=> $children{$a} || $a <=> $b } keys %children;
print "P$_ has $children{$_} children\n" for @many[0 .. 9];
print "from P$_: $longest{$_} generations\n" for sort { $a <=> $b } keys %longest;
