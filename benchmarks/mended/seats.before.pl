# booking: handles room requests from standard input and records what was done in bookings.txt
use strict;
use warnings;
use Fcntl qw(:flock SEEK_END);

my (%taken, %count);
open(my $out, '>', 'bookings.txt') or die "bookings.txt: $!";

sub record {
    my ($text) = @_;
    flock($out, LOCK_EX) or die "lock: $!";
    seek($out, 0, SEEK_END);
    print $out $text;
    flock($out, LOCK_UN);
}

while (my $line = <STDIN>) {
    my ($verb, $room, $date, $nights, $guest) = split ' ', $line;
    next unless defined $guest and $date =~ /^(\d+)-(\d+)-(\d+)$/;
    my $first = ($2 - 1) * 31 + $3;
    my @days = map { "$room/$_" } $first .. $first + $nights - 1;
    my $result;
    if ($verb eq 'cancel') {
        my @own = grep { ($taken{$_} // '') eq $guest } @days;
        delete @taken{@own};
        $result = @own ? 'cancelled' : 'nothing';
    }
    elsif (grep { exists $taken{$_} } @days) {
        $result = 'full';
    }
    else {
        @taken{@days} = ($guest) x @days;
        $result = 'booked';
    }
    $count{$result}++;
    record(sprintf("%06d %-9s %s %s %d %s\n", $., $result, $room, $date, $nights, $guest));
}
close($out) or die "bookings.txt: $!";
print "$_ $count{$_}\n" for sort keys %count;
