# Breeds with their data, and visits to a kennel.
perl -e 'my $s = 21; sub r { $s = ($s * 1103515245 + 12345) & 0x7fffffff; ($s >> 8) % $_[0] }
open my $b, ">", "breeds.txt"; print $b "# breed, weight, food in g, price of a night\n";
printf $b "breed%03d\t%d\t%d\t%d\n", $_, 3 + r(60), 80 + r(700), 12 + r(20) for 1 .. 180;
open my $v, ">", "visits.txt"; printf $v "%04d breed%03d 2024-%02d-%02d %d\n", $_, 1 + r(184),
    1 + r(12), 1 + r(28), 1 + r(12) for 1 .. 8000' 
