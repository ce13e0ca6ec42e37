python3 - <<'P'
import random
r=random.Random(6)
with open("tariff.txt","w") as f:
    pre=sorted({str(r.randint(1,9))+"".join(r.choices("0123456789",k=r.randint(1,3))) for i in range(12)})
    for p in pre: f.write("%s %s %d %d\n"%(p,"Zone%d"%(int(p[0])),r.randint(2,90),r.randint(0,15)))
with open("calls.txt","w") as f:
    for i in range(75000):
        f.write("%d %s%s %d\n"%(r.randint(2000,2150),r.choice(pre),"".join(r.choices("0123456789",k=7)),r.randint(2,2400)))
P
