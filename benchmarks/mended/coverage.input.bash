python3 - <<'P'
import os, random
random.seed(33)
os.makedirs('work/build/obj', exist_ok=True)
files = []
for d in ('core', 'net', 'ui', 'util'):
    os.makedirs('work/src/' + d, exist_ok=True)
    if not os.path.islink('work/build/' + d):
        os.symlink('../src/' + d, 'work/build/' + d)
    for k in range(9):
        n = random.randint(150, 600)
        with open('work/src/%s/%s%d.x' % (d, d, k), 'w') as f:
            for i in range(n):
                f.write(random.choice(('    total += next(%d);\n', '// part %d\n', '  if (a < %d)\n', '\n', '}\n',
                                       '    call(%d);\n')).replace('%d', str(i)))
        files.append((d, '%s%d.x' % (d, k), n))
forms = ['work/src/%s/%s', 'work/build/%s/%s', 'work/build/obj/../%s/%s', './work/build/obj/../../src/%s/%s']
pool = {}
for d, b, n in files:
    pool[b] = [' '.join('%d:%d' % (int(random.random() ** 1.6 * n * 0.9) + 1, random.random() * 40)
                        for _ in range(20)) for _ in range(30)]
with open('counts', 'w') as f:
    for i in range(90000):
        d, b, n = random.choice(files)
        f.write('%d %s %s\n' % (i // 2500, forms[i * 7 % 11 % 4] % (d, b), pool[b][int(random.random() * 30)]))
    f.write('44 work/src/gone.x 3:1\n')
P
