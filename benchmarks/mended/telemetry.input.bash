python3 - <<'P'
import random,struct
r=random.Random(9)
with open("flight.bin","wb") as f:
    t=0
    for i in range(450000):
        t+=r.randint(1,9)
        n=r.choice([2,4,6,8])
        ch=r.randint(0,23)
        body=struct.pack("<%dh"%n,*[r.randint(-2000,2000)+ch*10 for _ in range(n)])
        f.write(struct.pack("<BBHI",0xA5,ch,len(body),t)+body)
P
