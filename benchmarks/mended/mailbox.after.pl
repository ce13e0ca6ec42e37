# Takes a mailbox apart and scores each message.
use strict;
use warnings;

sub score {
    my ($message) = @_;
    my ($score, %seen) = (0);
    for my $line (split /^/, $message) {
        for my $word (split ' ', $line) {
            $score += length($word) * ++$seen{$word};
        }
    }
    return $score;
}

open(my $out, '>', 'out') or die;
my ($message, $lines, $number) = ('', 0, 0);
while (my $line = <STDIN>) {
    $message .= $line;
    next if ++$lines % 8;
    print $out $number, ' ', score($message), "\n";
    $message = '';
    last if ++$number == 30000;
}
close($out);
