#!/bin/bash
python3 - <<'P'
import csv, random
random.seed(31)
with open('vaccinations.csv', 'w', newline='') as f:
    w = csv.writer(f)
    done = {}
    for i in range(6000):
        p = random.randrange(2500)
        v = random.choice(['tetanus', 'measles', 'polio', 'influenza'])
        done[p, v] = done.get((p, v), 0) + 1
        n = done[p, v] + (random.random() < 0.03)
        w.writerow(['P%05d' % p, 1930 + p % 90, v, '20%02d-%02d-%02d' % (10 + i // 600, random.randint(1, 12), random.randint(1, 28)), n])
P
