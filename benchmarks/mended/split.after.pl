# Keeps the file of each group open.
use strict;
use warnings;
my $number = 0;
my @out;
while (my $line = <STDIN>) {
  last if ++$number > 200000;
  my ($name, $value) = split ' ', $line;
  my $group = $value % 20;
  if (!$out[$group]) { open($out[$group], '>>', "group$group") or die; }
  my $out = $out[$group];
  print $out "$name $value\n";
}
close($_) for @out;
my $sum = 0;
for my $group (0 .. 19) {
  $sum += -s "group$group";
  unlink "group$group";
}
print "$sum\n";
