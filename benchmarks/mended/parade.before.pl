#!/usr/bin/perl
# parade: collects the judges' marks from marks.txt ("time float judge mark")
# and keeps the standings in standings.txt.
use strict;
use warnings;

my (%sum, %count, %seen);
my $minute = '';

sub save {
    open my $out, '>', 'standings.tmp' or die "standings.tmp: $!\n";
    for my $float (sort keys %sum) {
        printf $out "%s %d marks, mean %.3f\n", $float, $count{$float}, $sum{$float} / $count{$float};
    }
    close $out or die "standings.tmp: $!\n";
    rename 'standings.tmp', 'standings.txt' or die "standings.txt: $!\n";
}

open my $in, '<', 'marks.txt' or die "marks.txt: $!\n";
while (my $line = <$in>) {
    my ($time, $float, $judge, $mark) = $line =~ /^(\d\d:\d\d) (\w+) (\w+) (\d+)$/ or next;
    $mark -= 1 if $judge eq 'judge7' && $mark > 9;
    $sum{$float} += $mark;
    $count{$float}++;
    $seen{$judge}{$mark}++;
    if ($time ne $minute) {
        save();
        $minute = $time;
    }
}
close $in;
save();
for my $judge (sort keys %seen) {
    print "$judge: ", join(' ', map { "$_=$seen{$judge}{$_}" } sort { $a <=> $b } keys %{ $seen{$judge} }), "\n";
}
