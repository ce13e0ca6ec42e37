rm -rf assets; mkdir assets
perl -e 'srand(19); my @w=qw(tile sprite shader level music font menu sky road tree); for my $i(0..84){ open F,">:raw","assets/a$i.dat"; my $s=""; while(length $s < 350000+1000*$i){ $s.=$w[rand @w].chr(int rand 256).pack("V",int rand 1e9) } print F substr($s,0,350000+1000*$i); close F }'
