python3 - <<'P'
import array, math, random
random.seed(9)
n = 1100000
noise = [random.randint(-60, 60) for _ in range(8191)]
a = array.array('h', (noise[i % 8191] + 35 for i in range(n)))
for k in range(25):
    s = random.randrange(5000, n - 5000)
    amp = random.choice((400, 900, 2500, 9000))
    for i in range(3000):
        v = a[s+i] + amp * math.exp(-i / 600) * math.sin(i * 0.25 + k)
        a[s+i] = int(max(-32000, min(32000, v)))
a.tofile(open('trace.i16', 'wb'))
P
