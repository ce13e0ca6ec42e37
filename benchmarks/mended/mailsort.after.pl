#!/usr/bin/perl
# mailsort: split an mbox into folders by rules and a small word score
use strict;
use warnings;

my %weight = (offer => 2.1, winner => 3.4, urgent => 1.2, refund => 1.6, meeting => -2.2,
              report => -1.1, project => -2.0, invoice => 0.3);
my (%folder, %count, %bytes);

sub folder {
    my ($name) = @_;
    return $folder{$name} if $folder{$name};
    open(my $fh, '>', "folder.$name") or die "folder.$name: $!";
    return $folder{$name} = $fh;
}

sub classify {
    my ($head, $body) = @_;
    return 'list' if $head =~ /^List-Id:/m;
    return 'bills' if $head =~ /^Subject:.*\b(?:invoice|refund)\b/m;
    my $score = 0;
    for my $word (split ' ', lc $body) {
        $score += $weight{$word} || 0;
    }
    return $score > 12 ? 'junk' : $score < -6 ? 'work' : 'inbox';
}

# file one complete message
sub deliver {
    my ($lines) = @_;
    my ($head, $body, $text) = ('', '', '');
    my $inhead = 1;
    for my $line (@$lines) {
        $text .= $line;
        $inhead = 0 if $line eq "\n";
        if ($inhead) { $head .= $line } else { $body .= $line }
    }
    my $name = classify($head, $body);
    print { folder($name) } $text;
    $count{$name}++;
    $bytes{$name} += length $text;
}

open(my $inbox, '<', 'inbox') or die "inbox: $!";
my $spool;
while (my $line = <$inbox>) {
    if ($line =~ /^From /) {
        deliver($spool) if $spool;
        $spool = [];
    }
    push @$spool, $line if $spool;
}
deliver($spool) if $spool;
close $_ for values %folder;
printf "%-8s %6d messages %9d bytes\n", $_, $count{$_}, $bytes{$_} for sort keys %count;
