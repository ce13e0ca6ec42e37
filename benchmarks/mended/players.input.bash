gawk 'BEGIN{srand(6);split("sword shield potion arrow rope torch gem scroll boots helmet ring amulet",w," ");
for(i=0;i<4500;i++){r=rand();p="player" int(rand()*90);it=w[1+int(rand()*12)];
if(r<.6)print "give",p,it,1+int(rand()*9);else if(r<.85)print "take",p,it,1+int(rand()*5);else print "trade",p,it,"player" int(rand()*90)}}' > commands.txt
