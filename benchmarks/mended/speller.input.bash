python3 - <<'P'
import random
r=random.Random(8)
syl="ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu".split()
words=sorted({"".join(r.choices(syl,k=r.randint(1,4))) for i in range(30000)})
open("dict.txt","w").write("\n".join(words)+"\n")
with open("essay.txt","w") as f:
    for i in range(5500):
        ws=[]
        for j in range(r.randint(6,14)):
            w=r.choice(words)
            if r.random()<.05:
                k=r.randrange(len(w)); w=w[:k]+r.choice("xyzw")+w[k+1:]
            ws.append(w)
        f.write(" ".join(ws).capitalize()+".\n")
P
