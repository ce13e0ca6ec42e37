#!/usr/bin/perl
# decodes the capture of an XMODEM-CRC line (standard input) into received.txt
use strict;
use warnings;

use constant { SOH => 1, EOT => 4 };

my @table;
for my $i (0 .. 255) {
    my $c = $i << 8;
    $c = $c & 0x8000 ? ($c << 1 ^ 0x1021) & 0xffff : $c << 1 for 1 .. 8;
    push @table, $c;
}

sub get_byte {
    my $n = sysread STDIN, my $byte, 1;
    return undef unless $n;
    return ord $byte;
}

sub crc {
    my $crc = 0;
    $crc = ($crc << 8 & 0xff00) ^ $table[$crc >> 8 ^ $_] for @_;
    return $crc;
}

binmode STDIN;
open my $out, '>', 'received.txt' or die "received.txt: $!";
binmode $out;
my ($good, $bad, $noise, $expected, $bytes) = (0, 0, 0, 0, 0);
my %freq;

BYTE: while (defined(my $b = get_byte())) {
    last if $b == EOT;
    if ($b != SOH) {
        $noise++;
        next;
    }
    my $number = get_byte();
    my $inverse = get_byte();
    last unless defined $inverse;
    if ($number + $inverse != 255) {
        $noise += 3;
        next;
    }
    my @data;
    for (1 .. 128) {
        my $d = get_byte();
        last BYTE unless defined $d;
        push @data, $d;
    }
    my $sum = get_byte() << 8;
    $sum |= get_byte();
    if ($sum != crc(@data)) {
        print "block $number: bad CRC\n";
        $bad++;
        next;
    }
    if ($number != $expected) {
        print "block $number: expected $expected\n";
        next;
    }
    $expected = ($expected + 1) % 256;
    $good++;
    $bytes += @data;
    $freq{$_}++ for @data;
    print $out pack 'C*', @data;
}
close $out;
print "$good good blocks ($bytes bytes), $bad bad, $noise bytes of noise\n";
printf "%02x %d\n", $_, $freq{$_} for sort { $a <=> $b } keys %freq;
