gawk 'BEGIN{srand(12);split("red green blue black white amber",c," ");split("lamp chair table desk shelf rug clock mirror",t," ");
print "id,name,price,stock,tags,width,height,depth";
for(i=0;i<13500;i++)printf "%d,%s %s %d,%.2f,%d,%s;%s;%s,%.1f,%.1f,%.1f\n",i+1,c[1+int(rand()*6)],t[1+int(rand()*8)],int(rand()*900),5+rand()*500,int(rand()*200),c[1+int(rand()*6)],t[1+int(rand()*8)],rand()<.3?"sale":"new",rand()*100,rand()*100,rand()*100}' > catalog.csv
