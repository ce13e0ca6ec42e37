python3 - <<'P'
import random
r=random.Random(17)
w="the a moon river sleeping under golden tree and night of silver dream bird song over hill winter slow light".split()
with open("anthology.txt","w") as f:
    for i in range(32):
        f.write("= Poem %d\n"%(i+1))
        for j in range(r.randint(3,8)):
            f.write(" ".join(r.choices(w,k=r.randint(4,8)))+"\n")
P
