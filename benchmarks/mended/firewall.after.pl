#!/usr/bin/perl
# firewall: makes the log of a packet filter readable.  Reads filter.log and
# prints one line for each blocked packet, then the worst senders.
use strict;
use warnings;

my %service = (22 => 'ssh', 23 => 'telnet', 25 => 'smtp', 80 => 'http', 443 => 'https',
               445 => 'smb', 3389 => 'rdp');
my (%blocked, %ports);

open(my $log, '<', 'filter.log') or die "filter.log: $!\n";
while (my $line = <$log>) {
    my ($time, $action, $source, $port) = split ' ', $line;
    next if $action ne 'DROP';
    $blocked{$source}++;
    $ports{$port}++;
    print "$time $source -> ";
    if ($service{$port}) {
        print "$service{$port}\n";
    } else {
        print "port $port\n";
    }
}
close($log);

print "\n";
my @worst = sort { $blocked{$b} <=> $blocked{$a} || $a cmp $b } keys %blocked;
print "$blocked{$_} $_\n" for grep { defined } @worst[0 .. 19];
print "port $_: $ports{$_}\n" for sort { $a <=> $b } keys %ports;
