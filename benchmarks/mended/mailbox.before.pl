# Takes a mailbox apart and puts each message into a temporary file, which the scorer then reads.
use strict;
use warnings;

sub score {
    my ($name) = @_;
    open(my $file, '<', $name) or die;
    my ($score, %seen) = (0);
    while (my $line = <$file>) {
        for my $word (split ' ', $line) {
            $score += length($word) * ++$seen{$word};
        }
    }
    close($file);
    return $score;
}

open(my $out, '>', 'out') or die;
my ($message, $lines, $number) = ('', 0, 0);
while (my $line = <STDIN>) {
    $message .= $line;
    next if ++$lines % 8;
    my $name = "message.$$";
    open(my $file, '>', $name) or die;
    print $file $message;
    close($file);
    print $out $number, ' ', score($name), "\n";
    unlink($name);
    $message = '';
    last if ++$number == 30000;
}
close($out);
