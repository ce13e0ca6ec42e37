gawk 'BEGIN{srand(31);n=split("offer invoice meeting hello urgent winner update photos report lunch project refund",w," ");
for(m=0;m<17500;m++){printf "From u%d@example.org Tue Apr %2d 09:%02d:00 2025\nFrom: u%d@example.org\nTo: me@example.net\nSubject: %s %s\n%s\n",m%40,1+m%28,m%60,m%40,w[1+int(rand()*n)],w[1+int(rand()*n)],rand()<.2?"List-Id: <dev.example.org>\n":"";
k=4+int(rand()*14);for(i=0;i<k;i++){s="";for(j=0;j<7;j++)s=s w[1+int(rand()*n)] " ";print s}print ""}}' > inbox
