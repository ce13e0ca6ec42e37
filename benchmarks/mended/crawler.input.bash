python3 - <<'P'
import os, random
random.seed(90)
os.makedirs('site', exist_ok=True)
words = 'harbour boat tide chart pilot buoy lamp mast rope sail anchor deck'.split()
n = 160
name = lambda k: 'index.html' if k == 0 else 'p%03d.html' % k
for k in range(n):
    t = ['<html><head><title>%s %d</title></head><body>' % (random.choice(words), k)]
    for j in range(14):
        t.append('<p>%s</p>' % ' '.join(random.choices(words, k=25)))
        if j < 4:
            t.append('<a href="%s#s%d">more &amp; more</a>' % (name(int(random.random() ** 2 * (n + 4))), j))
    t.append('<a href="%s">next</a> <a href="https://example.org/">out</a></body></html>' % name(min(n - 1, k + 1)))
    open('site/' + name(k), 'w').write('\n'.join(t) + '\n')
P
