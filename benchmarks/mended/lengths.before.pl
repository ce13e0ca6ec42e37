# Prints the length of the name in each line, which wc counts.
use strict;
use warnings;
my $total = 0;
for (1 .. 250) {
  my $line = <STDIN>;
  my ($name, $number) = split ' ', $line;
  my $bytes = `printf %s '$name' | wc -c`;
  $total += $bytes * $number;
  print "$name $bytes";
}
print "$total\n";
