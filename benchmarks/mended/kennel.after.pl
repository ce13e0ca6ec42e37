#!/usr/bin/perl
# Bills for the guests of a kennel, with the food to be bought in each month.
use strict;
use warnings;

my $breeds = 'breeds.txt';
my $visits = 'visits.txt';
my $bills  = 'bills.txt';

my %breed;

sub load_breeds {
    open my $in, '<', $breeds or die "$breeds: $!\n";
    while (my $line = <$in>) {
        next if $line =~ /^#/;
        chomp $line;
        my ($breed, $weight, $food, $price) = split /\t/, $line;
        $breed{$breed} //= { weight => $weight, food => $food, price => $price };
    }
    close $in;
}

sub season {
    my ($month) = @_;
    return 1.25 if $month >= 6 && $month <= 8;
    return 1.10 if $month == 12;
    return 1;
}

sub price {
    my ($breed, $month, $nights) = @_;
    my $sum = $breed->{price} * $nights * season($month);
    $sum += 2.5 * $nights if $breed->{weight} > 40;
    $sum *= 0.9 if $nights >= 10;
    return $sum;
}

my (%food, %income, %unknown);
my $guests = 0;

load_breeds();
open my $in,  '<', $visits or die "$visits: $!\n";
open my $out, '>', $bills  or die "$bills: $!\n";
while (my $line = <$in>) {
    chomp $line;
    my ($guest, $name, $date, $nights) = split ' ', $line;
    my ($year, $month, $day) = split /-/, $date;
    my $breed = $breed{$name};
    if (!$breed) {
        $unknown{$name}++;
        next;
    }
    my $sum = price($breed, $month, $nights);
    $guests++;
    $income{$month} += $sum;
    $food{$month} += $breed->{food} * $nights / 1000;
    printf $out "guest %s (%s, %d kg)\n", $guest, $name, $breed->{weight};
    printf $out "    from %s, %d nights: %10.2f\n", $date, $nights, $sum;
}
close $in;
close $out or die "$bills: $!\n";

print "$guests guests\n";
for my $month (sort keys %income) {
    printf "%s %12.2f %10.1f kg of food\n", $month, $income{$month}, $food{$month};
}
print "unknown: $_ ($unknown{$_})\n" for sort keys %unknown;
