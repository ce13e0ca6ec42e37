python3 - <<'P' > stdin
import random
random.seed(4)
deck = [(s, r) for s in range(4) for r in range(13)]
made = []
for _ in range(1500):
    random.shuffle(deck)
    made.append([])
    for k in range(4):
        h = sorted(deck[k * 13:k * 13 + 13])
        made[-1].append('.'.join(''.join('AKQJT98765432'[r] for t, r in h if t == s) for s in range(4)))
for i in range(100000):
    d = made[int(random.random() * 1500)]
    k = i % 4
    print(*d[k:], *d[:k])
P
