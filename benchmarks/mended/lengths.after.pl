# Prints the length of the name in each line.
use strict;
use warnings;
my $total = 0;
for (1 .. 250) {
  my $line = <STDIN>;
  my ($name, $number) = split ' ', $line;
  my $bytes = length $name;
  $total += $bytes * $number;
  print "$name $bytes\n";
}
print "$total\n";
