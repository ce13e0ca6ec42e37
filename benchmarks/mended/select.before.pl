# Adds up a field of the records of a table.
use strict;
use warnings;

open(my $table, '<:raw', 'table') or die "table: $!";
my $total = 0;
while (sysread($table, my $record, 24)) {
    $total += (unpack('l<l<', $record))[1];
}
print "$total\n";
