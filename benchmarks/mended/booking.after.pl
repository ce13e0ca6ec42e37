# Books amounts to accounts, and notes each booking in a journal, which it locks once.
use strict;
use warnings;
use Fcntl qw(:flock SEEK_END);

my (%balance, %count);
my $booked = 0;
open(my $journal, '>>', 'out') or die "out: $!";
flock($journal, LOCK_EX) or die "out: $!";
seek($journal, 0, SEEK_END);

sub note {
    my ($text) = @_;
    print $journal $text;
}

while (my $line = <STDIN>) {
    my ($number, $amount) = $line =~ /^line-(\d+) (\d+)/ or next;
    my $account = sprintf('%03d', $number * 7919 % 997);
    my $fee = int($amount * ($count{$account}++ > 50 ? 0.015 : 0.02) * 100 + 0.5) / 100;
    $balance{$account} += $number % 3 ? $amount - $fee : -$amount;
    note(sprintf("%d %s %.2f %.2f\n", $number, $account, $fee, $balance{$account}));
    last if ++$booked == 160_000;
}
close($journal) or die "out: $!";
foreach my $account (sort { $balance{$b} <=> $balance{$a} || $a cmp $b } keys %balance) {
    printf("%s %.2f\n", $account, $balance{$account});
}
