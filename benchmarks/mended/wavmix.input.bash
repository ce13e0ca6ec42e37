python3 - <<'P'
import array,random,struct,math
r=random.Random(5)
n=440000
def plane(f,ph):
    return array.array("h",[int(9000*math.sin(i*f+ph)+5000*math.sin(i*f*2.5)+r.randint(-300,300)) for i in range(n)])
with open("take1.pcm","wb") as o:
    o.write(struct.pack("<4sII",b"PLAN",44100,n))
    plane(0.031,0).tofile(o)
    plane(0.047,1).tofile(o)
P
