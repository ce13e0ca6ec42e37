python3 - <<'P' > stdin
import random
random.seed(8)
names = 'anna berta carl dora emil frida georg hanna ivo julia karl lena'.split()
words = 'the meeting lottery moved to a later hour please bring your own tea FREE casino report and MONDAYS plan'.split()
lines = [' '.join(random.choice(words) for _ in range(9)) + random.choice(('', '.', ' !!!')) for _ in range(400)]
out = []
for i in range(48000):
    r = int(random.random() * 390)
    out.append('From x%d@example.org %s\nSubject: %s\nId: <%d@example.org>\n\n%s\n\n' % (
        i % 911, names[i * 7 % 12 if i % 5 else i % 3], lines[r][:20], i, '\n'.join(lines[r:r + 2])))
    if i % 50 == 0:
        out.append('>From the start it was so\n\n')
print(''.join(out), end='')
P
