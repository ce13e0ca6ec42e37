#!/bin/bash
mkdir -p covers
python3 - <<'P'
import csv, random
random.seed(12)
A = ['The ' + a + ' ' + b for a in ('Red', 'Lost', 'Silent', 'Northern', 'Electric') for b in ('Foxes', 'Trains', 'Poets', 'Sisters', 'Rivers')]
T = ['Live', 'Blue', 'Winter', 'Return', 'Echoes', 'Harbour', 'Signals', 'Dust', 'Home', 'Machines']
with open('collection.csv', 'w', newline='') as f:
    w = csv.writer(f)
    for i in range(1500):
        a, t = random.choice(A), random.choice(T) + ' ' + random.choice(T) + ' %d' % i
        w.writerow([a, t, random.randint(1955, 2019)])
        if random.random() < 0.25:
            name = (a + '_' + t).lower().replace(' ', '_')
            with open('covers/' + name + random.choice(['.jpg', '.jpg', '.png', '.gif']), 'w') as c:
                c.write('picture\n')
P
