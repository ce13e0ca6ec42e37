for t in a b; do gawk -v T=$t 'function dm(v, w,  d){v=v<0?-v:v;d=int(v);return sprintf(w,d,(v-d)*60)}
BEGIN{for(i=0;i<256;i++)ord[sprintf("%c",i)]=i; srand(T=="a"?5:9);la=T=="a"?47.3:52.1;lo=T=="a"?8.5:4.9;
for(i=0;i<10800;i++){la+=(rand()-.48)*.0004;lo+=(rand()-.47)*.0006;
s=sprintf("GPGGA,%02d%02d%02d.00,%s,N,%s,E,1,%02d,%.1f,%.1f,M,48.0,M,,",int(i/3600)%24,int(i/60)%60,i%60,dm(la,"%02d%07.4f"),dm(lo,"%03d%07.4f"),5+int(rand()*8),.8+rand(),400+rand()*30);
c=0;for(k=1;k<=length(s);k++)c=xor(c,ord[substr(s,k,1)]);printf "$%s*%02X\r\n",s,(i%997==5)?xor(c,1):c}}' > track_$t.nmea; done
