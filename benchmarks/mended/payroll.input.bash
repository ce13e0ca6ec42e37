perl -e 'srand(77); my @n=qw(Adams Baker Clark Davis Evans Frank Ghosh Hills Irwin Jones Klein Lopez);
open F,">:raw","employees.dat"; for my $i(0..19999){ print F pack("l<l<a24a12l<l<l<l<", 100000+$i,$i%40,$n[rand @n].$i,"Dept".($i%40),1200+int(rand 4000),int(rand 5),int(rand 30),0)} close F;
open C,">","timecards.txt"; for(1..400000){ printf C "%d %d %d %d\n",100000+int(rand 20000),1+int(rand 31),60*(4+int(rand 7))+int(rand 60),rand()<.1?1:0 } close C;'
