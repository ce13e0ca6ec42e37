#!/usr/bin/perl
# railway - works the changes of the day into a railway timetable: copies plan.txt (lines:
# train, stop, station, arrival, departure, platform, remark) to today.txt, applies the lines
# of "changes" (late, platform, cancel, remark) to it, and prints what has come of the day.
use strict;
use warnings;
use Tie::File;
use File::Copy qw(copy);

my $plan  = 'plan.txt';
my $today = 'today.txt';

sub minutes {
    my ($hm) = @_;
    return undef if $hm eq '-';
    my ($h, $m) = split /:/, $hm;
    return $h * 60 + $m;
}

sub clock {
    my ($min) = @_;
    return '-' unless defined $min;
    return sprintf '%02d:%02d', int($min / 60) % 24, $min % 60;
}

sub unpack_row {
    my ($row) = @_;
    my %r;
    @r{qw(train stop station arr dep platform remark)} = split /;/, $row, 7;
    return \%r;
}

sub pack_row {
    my ($r) = @_;
    return join ';', @$r{qw(train stop station arr dep platform remark)};
}

copy($plan, $today) or die "timetable: $plan: $!\n";
tie my @rows, 'Tie::File', $today or die "timetable: $today: $!\n";

# where the rows of each train are
my %of_train;
for my $i (0 .. $#rows) {
    my ($train) = split /;/, $rows[$i], 2;
    push @{ $of_train{$train} }, $i;
}

my (%count, %delay, @errors);

# so many minutes late from a stop on; a wait of more than two minutes makes up for some
sub late {
    my ($train, $from, $by) = @_;
    for my $i (@{ $of_train{$train} }) {
        my $r = unpack_row($rows[$i]);
        next if $r->{stop} < $from or $by <= 0;
        my ($arr, $dep) = (minutes($r->{arr}), minutes($r->{dep}));
        my $wait = defined $arr && defined $dep ? $dep - $arr : 0;
        $r->{arr} = clock($arr + $by) if defined $arr;
        $by -= $wait > 2 ? $wait - 2 : 0 if $r->{stop} > $from;
        $by = 0 if $by < 0;
        $r->{dep} = clock($dep + $by) if defined $dep;
        $r->{remark} = $by ? "about $by min late" : $r->{remark};
        $rows[$i] = pack_row($r);
    }
    $delay{$train} = $by;
}

sub platform {
    my ($train, $stop, $to) = @_;
    for my $i (@{ $of_train{$train} }) {
        my $r = unpack_row($rows[$i]);
        next if $r->{stop} != $stop or $r->{platform} eq $to;
        $r->{remark} = join ', ', grep { length } $r->{remark}, "not platform $r->{platform}";
        $r->{platform} = $to;
        $rows[$i] = pack_row($r);
    }
}

sub cancel {
    my ($train, $from) = @_;
    for my $i (@{ $of_train{$train} }) {
        my $r = unpack_row($rows[$i]);
        next if $r->{stop} < $from;
        @$r{qw(arr dep remark)} = ('-', '-', 'cancelled');
        $rows[$i] = pack_row($r);
    }
}

(tied @rows)->defer;
open my $in, '<', 'changes' or die "timetable: changes: $!\n";
while (my $line = <$in>) {
    chomp $line;
    my ($what, $train, @args) = split ' ', $line;
    if (!$what or !$of_train{ $train // '' }) {
        push @errors, "line $.: no such train";
        next;
    }
    if    ($what eq 'late')     { late($train, @args) }
    elsif ($what eq 'platform') { platform($train, @args) }
    elsif ($what eq 'cancel')   { cancel($train, @args) }
    else                        { push @errors, "line $.: $what?"; next }
    $count{$what}++;
}
close $in;
(tied @rows)->flush;

my (%late_at, $cancelled);
for my $row (@rows) {
    my $r = unpack_row($row);
    $cancelled++ if $r->{remark} eq 'cancelled';
    push @{ $late_at{ $r->{station} } }, $1 if $r->{remark} =~ /about (\d+) min/;
}
untie @rows;

printf "%-9s %d\n", $_, $count{$_} for sort keys %count;
printf "%d stops cancelled, %d trains end their way late\n", $cancelled // 0,
    scalar grep { $delay{$_} } keys %delay;
for my $s (sort keys %late_at) {
    my $sum = 0;
    $sum += $_ for @{ $late_at{$s} };
    printf "%-12s %4d late, %.1f min on the average\n", $s, scalar @{ $late_at{$s} },
        $sum / @{ $late_at{$s} };
}
print "$_\n" for @errors;
