python3 - <<'P'
import array,math,random
r=random.Random(3)
w=2048
cx=[math.sin(x/90)*300+math.sin(x/17)*20 for x in range(w)]
with open("heights.raw","wb") as f:
    for y in range(1024):
        b=800+math.cos(y/120)*250
        k=math.sin(y/33)
        array.array("h",[int(b+c*k) for c in cx]).tofile(f)
with open("points.txt","w") as f:
    for i in range(55000):
        f.write("P%06d %.3f %.3f\n"%(i,r.uniform(1,w-3),r.uniform(1,1020)))
P
