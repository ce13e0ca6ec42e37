# Searches a file of rates for each twentieth line.
use strict;
use warnings;
open(my $file, '>', 'rates') or die;
print $file "r$_ ", $_ * 3, "\n" for 0 .. 59;
close($file);
my ($number, $sum) = (0, 0);
while (my $line = <STDIN>) {
  next if ++$number % 20;
  my $wanted = 'r' . ($number % 60);
  open(my $rates, '<', 'rates') or die;
  while (my $rate = <$rates>) {
    my ($key, $value) = split ' ', $rate;
    $sum += $value if $key eq $wanted;
  }
  close($rates);
}
print "$sum\n";
