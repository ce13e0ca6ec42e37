python3 - <<'P' > lines
import random
random.seed(97)
lens = dict(DE=22, AT=20, CH=21, FR=27, NL=18, BE=16, PL=28, IT=27)
names = 'Meier Huber Rossi Dupont Jansen Peeters Nowak Favre'.split()
print('# orders of the day')
for i in range(13000):
    c = random.choice(list(lens))
    bank = {'NL': 'ABCDINGBRABO'[i % 3 * 4:i % 3 * 4 + 4], 'IT': 'X'}.get(c, '') + str(1000 + i % 37)
    b = (bank + str(random.randrange(10 ** 26)).zfill(26))[:lens[c] - 4]
    n = int(''.join(str(int(x, 36)) for x in b + c + '00'))
    check = 98 - n % 97 if random.random() > .04 else random.randrange(10, 97)
    s = c + '%02d' % check + b
    if i % 61 == 0:
        s = s[:-1]
    print(s, '%.2f' % (random.random() ** 3 * 900 + 1), names[i % 8], 'and Sons' if i % 5 == 0 else '')
P
