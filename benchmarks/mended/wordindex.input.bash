gawk 'BEGIN{srand(20);for(i=0;i<2600;i++){s="";k=2+int(rand()*3);for(j=0;j<k;j++)s=s substr("bcdfglmnprstv",1+int(rand()*13),1) substr("aeiou",1+int(rand()*5),1);w[i]=s}
for(i=0;i<36000;i++){s="";for(j=0;j<11;j++){r=rand();s=s w[int(r*r*2600)] (rand()<.1?", ":" ")}print s "."}}' > book.txt
