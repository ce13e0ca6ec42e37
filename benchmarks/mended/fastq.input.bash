python3 - <<'P'
import random
r=random.Random(41)
with open("reads.fastq","w") as f:
    for i in range(40000):
        n=r.randint(120,150)
        s="".join(r.choices("ACGTN",weights=(30,20,20,30,1),k=n))
        q=r.randint(30,40)
        d=q/n*r.choice((0.4,0.7,0.9,1.0))
        qs="".join(chr(33+max(2,int(q-j*d)+((j*7+i)%5)-2)) for j in range(n))
        f.write("@run7:%d:%d\n%s\n+\n%s\n"%(i//100,i,s,qs))
P
