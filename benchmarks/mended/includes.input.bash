python3 - <<'P'
import os, random
random.seed(21)
os.makedirs('inc', exist_ok=True)
os.makedirs('src', exist_ok=True)
def body(k, n):
    t = []
    for i in range(n):
        t.append(random.choice(('    ld r%d, PORT_%d' % (i % 8, random.randrange(80)), '    add r1, SIZE_%d' % random.randrange(80),
                                '; see page %d' % i, '    jp nz, l%d_%d' % (k, i), 'l%d_%d:' % (k, i))))
    return t
for k in range(80):
    t = ['#ifndef PORT_%d' % k, '#define PORT_%d 0x%04x' % (k, k * 257), '#define SIZE_%d %d' % (k, k * 3), '#endif']
    if k >= 8:
        for _ in range(2 if k < 70 else 3):
            t.append('#include h%d.i' % random.randrange(max(0, k // 2 - 3), k // 2 + 3))
    t += body(k, 6)
    open('inc/h%d.i' % k, 'w').write('\n'.join(t) + '\n')
with open('units', 'w') as u:
    for k in range(620):
        t = ['; unit %d' % k] + ['#include h%d.i' % random.randrange(20, 80) for _ in range(9)] + body(k, 60)
        open('src/u%d.s' % k, 'w').write('\n'.join(t) + '\n')
        u.write('src/u%d.s\n' % k)
P
