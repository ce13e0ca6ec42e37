python3 - <<'P'
import random
r=random.Random(44)
names="Ann Bob Cy Dee Eve Flo Gus Hal Ida Jo Kit Leo May Ned Oz Pam Quin Ray Sue Tom".split()
n=2400
with open("rota.base","w") as f:
    for i in range(n):
        f.write("W%02dD%d shift%d %s\n"%(i//28,i//4%7,i%4,",".join(r.sample(names,r.randint(2,4)))))
with open("changes.txt","w") as f:
    for i in range(850):
        k=r.randrange(n)
        key="W%02dD%d shift%d"%(k//28,k//4%7,k%4)
        f.write("%s %s %s\n"%(key,r.choice(("add","drop","note")),r.choice(names)))
P
