# Pictures as they came from several cameras: small files in folders.
python3 - <<'P'
import os, random
r = random.Random(8)
for c in range(6):
    os.makedirs(f"incoming/camera{c}")
    for i in range(220):
        day = 1 + r.randrange(4)
        with open(f"incoming/camera{c}/DSC{i:05d}.jpg", "wb") as f:
            f.write(b"\xff\xd8DATE2024-06-%02d\0" % day + r.randbytes(200 + r.randrange(800)))
P
