python3 - <<'P' > inbox.txt
import random
random.seed(52)
w = ('the a of we you ask pay water meter tax road lamp school pupil teacher bridge levy pipe drain kerb again please '
     'since last month not yet been seen to our street number').split()
for i in range(850):
    print('@letter\nFrom: household %d\nDate: 2024-%02d-%02d\nRe: %s' % (
        random.randrange(300), i // 95 + 1, i % 28 + 1, ' '.join(random.choices(w, k=3))))
    print('Dear office,\n')
    for p in range(4):
        for j in range(2):
            print(' '.join(random.choices(w, k=8)) + '.')
        print()
P
