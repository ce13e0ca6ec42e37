python3 - <<'P'
import random
r=random.Random(61)
def crc(d):
    c=0
    for b in d:
        c^=b<<8
        for _ in range(8): c=((c<<1)^0x1021 if c&0x8000 else c<<1)&0xffff
    return c
with open("stdin","wb") as f:
    for n in range(3600):
        d=bytes("%06d "%n+"".join(r.choices("abcdefghij \n",k=121)),"ascii")
        k=n%256
        c=crc(d)
        if r.random()<.02:
            g=bytearray(d); g[r.randrange(128)]^=64
            f.write(bytes([1,k,255-k])+g+bytes([c>>8,c&255]))
        if r.random()<.05: f.write(bytes(r.choices((0,255,17,19),k=r.randint(1,30))))
        f.write(bytes([1,k,255-k])+d+bytes([c>>8,c&255]))
    f.write(b"\x04")
P
