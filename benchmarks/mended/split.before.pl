# Appends each line to the file of its group, which it opens for the line.
use strict;
use warnings;
my $number = 0;
while (my $line = <STDIN>) {
  last if ++$number > 200000;
  my ($name, $value) = split ' ', $line;
  my $group = $value % 20;
  open(my $out, '>>', "group$group") or die;
  print $out "$name $value\n";
  close($out);
}
my $sum = 0;
for my $group (0 .. 19) {
  $sum += -s "group$group";
  unlink "group$group";
}
print "$sum\n";
