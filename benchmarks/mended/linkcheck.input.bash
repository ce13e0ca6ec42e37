rm -rf site; mkdir -p site/img site/docs site/blog
gawk 'BEGIN{srand(14);split("docs blog",D," ");
for(i=0;i<300;i++){print "x" > ("site/img/p" i ".png");close("site/img/p" i ".png")}
for(i=0;i<260;i++){f="site/" D[1+i%2] "/page" i ".html";print "<html><head><title>Page " i "</title></head><body>" > f;
for(k=0;k<400;k++){r=rand();if(r<.35)l="../img/p" int(rand()*310) ".png";else {j=int(rand()*270);l="../" D[1+j%2] "/page" j ".html"}
if(r<.35)printf "<p>figure <img src=\"%s\" alt=\"%d\"></p>\n",l,k > f;else printf "<p>see <a href=\"%s#s%d\">item %d</a> for more</p>\n",l,k%9,k > f}
print "</body></html>" > f;close(f)}}'
