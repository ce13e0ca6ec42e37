python3 - <<'P'
import gzip,random
r=random.Random(31)
n=900000
seq="".join(r.choices("ACGT",k=n))
with open("chr.seq.gz","wb") as raw, gzip.GzipFile("",mode="wb",fileobj=raw,mtime=0) as f:
    f.write(seq.encode())
with open("genes.txt","w") as f:
    for i in range(260):
        l=r.randint(300,3000)
        s=r.randint(0,n-l)
        f.write("gene%04d %d %d %s\n"%(i,s,s+l,r.choice("+-")))
P
