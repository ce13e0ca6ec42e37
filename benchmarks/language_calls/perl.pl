# Pairs of programs for language_calls.py. This part is common to all of them.
use strict; use warnings; use Fcntl qw(:flock SEEK_SET SEEK_END); use IO::Handle;
my @lines = map { "$_," . $_ * 7919 % 1000 . ",text\n" } 0 .. 999;
# PAIR write 200000 print with $|
$| = 1;
for my $i (1 .. CALLS) { print "$i text\n" }
# AFTER
for my $i (1 .. CALLS) { print "$i text\n" }
# PAIR write 200000 printf and the method flush
for my $i (1 .. CALLS) { printf "%d %.2f\n", $i, 0.5; STDOUT->flush }
# AFTER
for my $i (1 .. CALLS) { printf "%d %.2f\n", $i, 0.5 }
# PAIR write 200000 syswrite
open(my $out, '>', 'out') or die;
for my $i (1 .. CALLS) { syswrite $out, $lines[$i % 1000] }
# AFTER
open(my $out, '>', 'out') or die;
syswrite $out, join('', map { $lines[$_ % 1000] } 1 .. CALLS);
# PAIR write 100000 flock, seek and print
open(my $out, '>>', 'out') or die;
for my $i (1 .. CALLS) {
  flock($out, LOCK_EX); seek($out, 0, SEEK_END); print $out $lines[$i % 1000]; flock($out, LOCK_UN);
}
# AFTER
open(my $out, '>>', 'out') or die;
for my $i (1 .. CALLS) { print $out $lines[$i % 1000] }
# PAIR write 100000 print and the methods of a handle
open(my $out, '>:encoding(UTF-8)', 'out') or die;
$out->autoflush(1);
for my $i (1 .. CALLS) { $out->print($lines[$i % 1000]) }
# AFTER
open(my $out, '>:encoding(UTF-8)', 'out') or die;
for my $i (1 .. CALLS) { print $out $lines[$i % 1000] }
# PAIR read 200000 sysread and unpack
open(my $in, '<', 'lines') or die;
my $piece;
for my $i (1 .. CALLS) { sysread $in, $piece, 16; my ($one, $other) = unpack 'qq', $piece }
# AFTER
open(my $in, '<', 'lines') or die;
sysread $in, my $all, 16 * CALLS;
my @all = unpack 'q*', $all;
for my $i (1 .. CALLS) { my ($one, $other) = @all[2 * $i - 2, 2 * $i - 1] }
# PAIR read 200000 sysseek and sysread
open(my $in, '<', 'lines') or die;
my $piece;
for my $i (1 .. CALLS) { sysseek $in, 16 * $i, SEEK_SET; sysread $in, $piece, 16 }
# AFTER
open(my $in, '<', 'lines') or die;
sysread $in, my $all, 4000000;
for my $i (1 .. CALLS) { my $piece = substr $all, 16 * $i, 16 }
# PAIR seek 100000 seek and read
open(my $in, '<', 'lines') or die;
my $piece;
for my $i (1 .. CALLS) { seek $in, $i * 7919 % 4000000, SEEK_SET; read $in, $piece, 16 }
# AFTER
open(my $in, '<', 'lines') or die;
sysread $in, my $all, 5000000;
for my $i (1 .. CALLS) { my $piece = substr $all, $i * 7919 % 4000000, 16 }
# PAIR seek 100000 seek and a line
open(my $in, '<', 'lines') or die;
for my $i (1 .. CALLS) { seek $in, $i * 7919 % 4000000, SEEK_SET; my $line = <$in> }
# AFTER
open(my $in, '<', 'lines') or die;
sysread $in, my $all, 8000000;
for my $i (1 .. CALLS) { my $at = $i * 7919 % 4000000; my $line = substr $all, $at, index($all, "\n", $at) - $at }
# PAIR open 50000 open, print and close
for my $i (1 .. CALLS) { open(my $out, '>>', 'out') or die; print $out $lines[$i % 1000]; close $out }
# AFTER
open(my $out, '>>', 'out') or die;
for my $i (1 .. CALLS) { print $out $lines[$i % 1000] }
