python3 - <<'P'
import os, random, subprocess
random.seed(15)
os.makedirs('images', exist_ok=True)
cat = []
for k in range(210):
    model, ver = 'M%02d' % (k % 24), '%d.%d.%d' % (1 + k // 100, k // 24, k % 7)
    n = random.randrange(3000, 9000)
    data = b''.join(bytes([random.randrange(256)]) * random.choice((1, 1, 1, 2, 9)) for _ in range(n // 3))
    with open('images/fw%03d.bin' % k, 'wb') as f:
        f.write(b'FW %s %s 64\n' % (model.encode(), ver.encode()) + data + bytes(n if k % 5 == 0 else 0))
    cat.append((model, ver, 'fw%03d.bin' % k))
sums = subprocess.run(['cksum'] + ['images/' + c[2] for c in cat], capture_output=True, text=True).stdout.split('\n')
with open('catalogue', 'w') as f:
    for (c, s) in zip(cat, sums):
        k = int(s.split()[0])
        f.write('%s %s %s %d\n' % (*c, k + (random.random() < .03)))
    f.write('M99 1.0 gone.bin 1234\n')
with open('devices', 'w') as f:
    for i in range(12000):
        f.write('S%06d M%02d %d.%d.%d\n' % (i * 7, random.randrange(25), random.randrange(1, 4), random.randrange(9), i % 7))
P
