python3 - <<'P' > stdin
import math, random
random.seed(71)
w, h = 600, 400
c = []
for _ in range(6):
    cx, cy, a, s = random.uniform(0, w), random.uniform(0, h), random.uniform(-28, 26), random.uniform(900, 3000)
    c.append(([a * math.exp(-(x - cx) ** 2 / s) for x in range(w)], [math.exp(-(y - cy) ** 2 / s) for y in range(h)]))
noise = [random.uniform(-.3, .3) for _ in range(9973)]
k = 0
print(w, h, 25.0)
for y in range(h):
    row = [1013.0] * w
    for gx, gy in c:
        g = gy[y]
        if g > 1e-4:
            row = [r + g * v for r, v in zip(row, gx)]
    print(' '.join(['%.2f' % (r + noise[(k + i) % 9973]) for i, r in enumerate(row)]))
    k += w
P
