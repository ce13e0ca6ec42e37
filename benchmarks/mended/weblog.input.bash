gawk 'BEGIN{srand(11);split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",M," ");
split("/index.html /img/logo.png /api/v1/items /login /cart /search?q=lamp /static/app.js /static/site.css",P," ");
split("200 200 200 200 301 304 404 500",S," ");split("Mozilla/5.0 curl/7.88 Googlebot/2.1 Safari/605.1",U," ");
for(i=0;i<340000;i++){printf "%d.%d.%d.%d - - [%02d/%s/2025:%02d:%02d:%02d +0000] \"%s %s HTTP/1.1\" %s %d \"-\" \"%s\"\n",
10+int(rand()*90),int(rand()*256),int(rand()*256),int(rand()*256),1+int(i/12200),M[3],int(i/210)%24,int(i/7)%60,int(rand()*60),
rand()<.85?"GET":"POST",P[1+int(rand()*8)],S[1+int(rand()*8)],int(rand()*50000),U[1+int(rand()*4)]}}' > access.log
