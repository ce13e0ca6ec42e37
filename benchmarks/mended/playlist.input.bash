python3 - <<'P'
import os,random,struct
r=random.Random(73)
os.makedirs("music",exist_ok=True)
w="Blue Night River Stone Heart Summer Road Fire Dance Rain Home Star".split()
bands=["The Owls","Marrow","Ada Finch","Low Tide","Trio Kappa","Violet Hour"]
genre=[0,1,7,8,17,13]
for i in range(110):
    n=r.randint(600,2600)
    d=b"".join(b"\xff\xfb"+bytes([(r.choice((9,9,9,11,11,5))<<4)|0,0x64])+bytes([r.randint(90,200),i%251])+bytes(58) for _ in range(n))
    b=r.randrange(6)
    t=" ".join(r.sample(w,r.randint(1,3)))
    tag=struct.pack("3s30s30s30s4s30sB",b"TAG",t.encode(),bands[b].encode(),("Album %d"%r.randint(1,4)).encode(),str(r.randint(1971,2019)).encode(),b"",genre[b])
    if r.random()<.06: tag=b""
    open("music/track%03d.mp3"%i,"wb").write(d+tag)
    
open("tracks.txt","w").write("".join("music/track%03d.mp3\n"%i for i in range(110)))
P
