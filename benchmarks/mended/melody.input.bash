#!/bin/bash
python3 - <<'P'
import random, struct
random.seed(77)
def var(n):
    b = [n & 127]
    while n > 127:
        n >>= 7
        b.insert(0, n & 127 | 128)
    return bytes(b)
t = bytearray()
p = 60
for i in range(75000):
    p = min(96, max(36, p + random.choice([-5, -3, -2, -1, 1, 2, 3, 5, 7, -7])))
    t += var(random.choice([0, 0, 120, 240])) + bytes([0x90, p, random.randint(40, 110)])
    t += var(random.choice([120, 240, 480, 960])) + bytes([0x80, p, 0])
t += b'\0\xff\x2f\0'
with open('tune.mid', 'wb') as f:
    f.write(struct.pack('>4sIHHH', b'MThd', 6, 0, 1, 480) + struct.pack('>4sI', b'MTrk', len(t)) + t)
P
