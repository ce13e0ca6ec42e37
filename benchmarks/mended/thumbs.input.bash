python3 - <<'P'
import random
r=random.Random(15)
days=["2024-%02d-%02d"%(m,d) for m in (5,6) for d in r.sample(range(1,29),5)]
with open("camera.roll","wb") as f:
    for i in range(2700):
        w=h=128
        base=r.randint(20,180)
        f.write(("%s %d %d\n"%(r.choice(days),w,h)).encode())
        tile=bytes((base+(x*x+i)%60) for x in range(w))
        f.write(b"".join(tile[k%w:]+tile[:k%w] for k in range(h)))
P
