gawk 'BEGIN{srand(21);n=split("meeting budget release draft review lunch server invoice travel photo garden school report question answer patch build",w," ");
for(m=0;m<33000;m++){printf "From user%d@example.org Mon Mar %2d 10:%02d:%02d 2025\nFrom: User %d <user%d@example.org>\nTo: list@example.net\nSubject: %s%s %s\nMessage-ID: <%d.%d@example.org>\n",m%311,1+m%28,m%60,(m*7)%60,m%311,m%311,rand()<.4?"Re: ":"",w[1+int(rand()*n)],w[1+int(rand()*n)],m,int(rand()*1e9);
if(m%3)printf "In-Reply-To: <%d@example.org>\n",m-1;print "";k=20+int(rand()*44);
for(i=0;i<k;i++){s=rand()<.3?"> ":"";for(j=0;j<5;j++)s=s w[1+int(rand()*n)] " ";print s}print ""}}' > list.mbox
