# Keeps the lines of the rates in memory.
use strict;
use warnings;
open(my $file, '>', 'rates') or die;
print $file "r$_ ", $_ * 3, "\n" for 0 .. 59;
close($file);
open(my $rates, '<', 'rates') or die;
my @rates = <$rates>;
close($rates);
my ($number, $sum) = (0, 0);
while (my $line = <STDIN>) {
  next if ++$number % 20;
  my $wanted = 'r' . ($number % 60);
  for my $rate (@rates) {
    my ($key, $value) = split ' ', $rate;
    $sum += $value if $key eq $wanted;
  }
}
print "$sum\n";
