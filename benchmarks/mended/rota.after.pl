#!/usr/bin/perl
# applies a list of changes to the duty rota
use strict;
use warnings;

open my $base, '<', 'rota.base' or die "rota.base: $!";
chomp(my @rota = <$base>);
close $base;

my %where;
for my $i (0 .. $#rota) {
    my ($day, $shift) = split ' ', $rota[$i];
    $where{"$day $shift"} = $i;
}

my ($done, $refused) = (0, 0);
open my $changes, '<', 'changes.txt' or die "changes.txt: $!";
while (<$changes>) {
    my ($day, $shift, $what, $name) = split;
    my $i = $where{"$day $shift"};
    if (!defined $i) {
        print "no such shift: $day $shift\n";
        $refused++;
        next;
    }
    my (undef, undef, $people, $note) = split ' ', $rota[$i], 4;
    my %on = map { $_ => 1 } split /,/, $people;
    if ($what eq 'add' && !$on{$name}) {
        $on{$name} = 1;
    } elsif ($what eq 'drop' && $on{$name} && keys %on > 1) {
        delete $on{$name};
    } elsif ($what eq 'note') {
        $note = defined $note ? "$note; ask $name" : "# ask $name";
    } else {
        print "refused: $day $shift $what $name\n";
        $refused++;
        next;
    }
    $rota[$i] = join ' ', $day, $shift, join(',', sort keys %on), defined $note ? $note : ();
    $done++;
}
close $changes;

my (%duties, %together, %busy);
for (@rota) {
    my ($day, $shift, $people) = split;
    my @on = split /,/, $people;
    for my $i (0 .. $#on) {
        $duties{$on[$i]}++;
        $busy{$day}{$on[$i]}++;
        $together{"$on[$i] $on[$_]"}++ for $i + 1 .. $#on;
    }
}
open my $out, '>', 'rota.txt' or die "rota.txt: $!";
print $out "$_\n" for @rota;
close $out or die "rota.txt: $!";
printf "%-6s %4d\n", $_, $duties{$_} for sort keys %duties;
for my $pair ((sort { $together{$b} <=> $together{$a} || $a cmp $b } keys %together)[0 .. 9]) {
    print "together $pair $together{$pair}\n" if defined $pair;
}
for my $day (sort keys %busy) {
    my @free = grep { !$busy{$day}{$_} } sort keys %duties;
    my @over = grep { $busy{$day}{$_} > 2 } sort keys %{$busy{$day}};
    print "$day free: @free; too long: @over\n" if @over;
}
print "$done changes, $refused refused\n";
