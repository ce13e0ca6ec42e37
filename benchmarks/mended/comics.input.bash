python3 - <<'P'
import zipfile,random
r=random.Random(2)
z=zipfile.ZipFile("issue.cbz","w",zipfile.ZIP_DEFLATED)
for i in range(330):
    w,h=96,64
    row=bytes(r.choice((0,40,90,200,255)) for _ in range(w))
    data=b"P5\n%d %d\n255\n"%(w,h)+b"".join(row[(k*(i%5))%w:]+row[:(k*(i%5))%w] for k in range(h))
    z.writestr(zipfile.ZipInfo("issue/page%03d.pgm"%i,(2020,1,1,0,0,0)),data,zipfile.ZIP_DEFLATED)
z.close()
P
