#!/usr/bin/perl
# mailsort: split an mbox into folders by rules and a small word score
use strict;
use warnings;

my %weight = (offer => 2.1, winner => 3.4, urgent => 1.2, refund => 1.6, meeting => -2.2,
              report => -1.1, project => -2.0, invoice => 0.3);
my $tmp = "mailsort.tmp";
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

# the message has been spooled to the temporary file: file it
sub deliver {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: $!";
    my ($head, $body, $text) = ('', '', '');
    my $inhead = 1;
    while (my $line = <$in>) {
        $text .= $line;
        $inhead = 0 if $line eq "\n";
        if ($inhead) { $head .= $line } else { $body .= $line }
    }
    close $in;
    my $name = classify($head, $body);
    print { folder($name) } $text;
    $count{$name}++;
    $bytes{$name} += length $text;
    unlink $file;
}

open(my $inbox, '<', 'inbox') or die "inbox: $!";
my $spool;
while (my $line = <$inbox>) {
    if ($line =~ /^From /) {
        if ($spool) { close $spool; deliver($tmp) }
        open($spool, '>', $tmp) or die "$tmp: $!";
    }
    print $spool $line if $spool;
}
if ($spool) { close $spool; deliver($tmp) }
close $_ for values %folder;
printf "%-8s %6d messages %9d bytes\n", $_, $count{$_}, $bytes{$_} for sort keys %count;
