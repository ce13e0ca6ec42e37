python3 - <<'P'
import random
r=random.Random(12)
paths=["/","/index.html","/shop","/shop/cart","/about","/img/logo.png","/api/items","/api/user","/login"]
with open("access.txt","w") as f:
    t=1000000
    for i in range(40000):
        t+=r.randint(0,3)
        f.write("%d 10.%d.%d.%d GET %s %d %d\n"%(t,r.randint(0,3),r.randint(0,20),r.randint(1,250),r.choice(paths),r.choice([200,200,200,304,404,500]),r.randint(100,90000)))
P
