# Adds up a field of the records of a table, which it reads through a buffer.
use strict;
use warnings;

open(my $table, '<:raw', 'table') or die "table: $!";
my $total = 0;
while (read($table, my $record, 24)) {
    $total += (unpack('l<l<', $record))[1];
}
print "$total\n";
