gawk 'BEGIN{srand(8);split("north south east west centre",R," ");for(i=0;i<60;i++)P[i]=sprintf("SKU-%04d",int(rand()*10000));
print "date,region,sku,qty,price,discount";
for(i=0;i<340000;i++)printf "2025-%02d-%02d,%s,%s,%d,%.2f,%d\n",1+int(i/28400),1+int(rand()*28),R[1+int(rand()*5)],P[int(rand()*60)],1+int(rand()*12),1+rand()*200,int(rand()*4)*5}' > sales.csv
