gawk 'BEGIN{srand(3);n=split("the quick brown fox jumps over a lazy dog while rain in Spain stays mainly on the plain and nobody ever asks why",w," ");
for(i=0;i<2000;i++){s=(i%7==0)?"\t":"";for(k=0;k<6+int(rand()*10);k++)s=s w[1+int(rand()*n)] (rand()<.05?"\t":" ");L[i]=s}
for(r=0;r<500;r++)for(i=0;i<2000;i++)printf "%s\r\n",L[(i*7+r)%2000]}' > notes.txt
