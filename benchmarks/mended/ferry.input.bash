# Bookings of a ferry line: number, port, date, class of vehicle, length, passengers.
perl -e 'my $s = 11; sub r { $s = ($s * 1103515245 + 12345) & 0x7fffffff; ($s >> 8) % $_[0] }
my @p = qw(aabenraa bergen calais dover esbjerg frederikshavn genoa helsinki ijmuiden kiel larvik
    malmo nice oslo palermo rostock stockholm trelleborg visby ystad);
printf "B%06d;%s;2024-%02d-%02d;%s;%d.%d;%d\n", $_, $p[r(20)], 1 + r(12), 1 + r(28),
    (qw(car van truck bike bus))[r(5)], 2 + r(14), r(10), 1 + r(6) for 1 .. 80000' > bookings.txt
