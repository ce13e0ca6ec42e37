#!/bin/bash
mkdir -p templates
python3 - <<'P'
import random
random.seed(6)
words = [''.join(random.choice('bdklmnrst') + random.choice('aeiou') for _ in range(random.randint(1, 4))) for _ in range(500)]
with open('articles.txt', 'w') as f:
    blocks = []
    for i in range(2500):
        b = ' '.join(random.choices(words, k=4)).title() + ' %d\n' % i
        for _ in range(random.randint(3, 8)):
            b += ' '.join(random.choice(['%s', '%s', '%s', '*%s*']) % w for w in random.choices(words, k=14)) + '\n'
        blocks.append(b)
    f.write('%%\n'.join(blocks))
T = {'paragraph': '<p class="text">{{text}}</p>\n',
     'entry': '<li><a href="#{{slug}}">{{title}}</a></li>\n',
     'index': '<html><head><title>Index</title></head><body><h1>{{count}} articles</h1><ul>\n{{entries}}</ul></body></html>\n',
     'page': '<section id="{{slug}}">\n<h2>{{number}}. {{title}}</h2>\n{{body}}</section>\n'}
for n, t in T.items():
    with open('templates/%s.html' % n, 'w') as f:
        f.write(t)
P
