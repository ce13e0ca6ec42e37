python3 - <<'P'
import random,struct,math
r=random.Random(90)
with open("parishes.shp","wb") as f:
    n=2300
    f.write(b"SHP1"+struct.pack("<I",n))
    for i in range(n):
        k=r.randint(40,100)
        cx,cy,rad=r.uniform(0,5e5),r.uniform(0,9e5),r.uniform(500,6000)
        f.write(struct.pack("<II",i+1,k))
        for j in range(k):
            a=2*math.pi*j/k
            q=rad*(0.7+0.3*r.random())
            f.write(struct.pack("<dd",cx+q*math.cos(a),cy+q*math.sin(a)))
P
