python3 - <<'P'
import math
w,h=3000,2400
sx=[math.sin(x/170)*60+math.cos(x/41)*20 for x in range(w)]
with open("photo.pgm","wb") as f:
    f.write(b"P5\n%d %d\n255\n"%(w,h))
    for y in range(h):
        b=128+math.cos(y/230)*45
        f.write(bytes([max(0,min(255,int(b+s))) for s in sx]))
P
