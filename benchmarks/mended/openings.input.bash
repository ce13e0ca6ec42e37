#!/bin/bash
python3 - <<'P'
import random, struct
random.seed(3)
def move():
    return random.choice('abcdefgh') + random.choice('1267') + random.choice('abcdefgh') + random.choice('3456')
first = [move() for _ in range(12)]
book = {}
lines = []
while len(book) < 6000:
    k = random.randint(2, 6)
    if lines and random.random() < 0.6:
        ms = random.choice(lines)[:k]
        while len(ms) < k: ms = ms + [move()]
    else:
        ms = [random.choice(first) for _ in range(2)] + [move() for _ in range(k - 2)]
    lines.append(ms)
    book[' '.join(ms)] = 1
n = 0
with open('book.dat', 'wb') as f:
    for key in sorted(book):
        n += 1
        eco = random.choice('ABCDE') + '%02d' % random.randrange(100)
        name = random.choice(['Old', 'Modern', 'Closed', 'Open']) + ' ' + random.choice(
            ['Gambit', 'Defence', 'Attack', 'System']) + ', variation %d' % n
        f.write(struct.pack('32s4s56si', key.encode(), eco.encode(), name.encode(), n))
with open('games.txt', 'w') as f:
    for i in range(32000):
        ms = random.choice(lines)[:]
        if random.random() < 0.05: ms = [move(), move()]
        while len(ms) < 40: ms.append(move())
        f.write(' '.join(ms) + '\n')
P
