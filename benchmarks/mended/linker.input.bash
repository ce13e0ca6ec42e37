python3 - <<'P'
import random, struct
random.seed(64)
n, r = 3000, 170000
codelen = r * 12
names, syms, exports = b'', b'', []
for i in range(n):
    name = '_ZN%d%s%dEv' % (i % 17, random.choice(('draw', 'next', 'parse', 'begin', 'close')), i)
    ext = i % 3 == 0
    syms += struct.pack('<IIII', len(names), 0 if ext else 1, 0 if ext else i * 64, 2)
    names += name.encode() + b'\0'
    if ext and i % 30:
        exports.append('%x %s' % (0x7f000000 + i * 32, name))
for i in range(150000):
    exports.append('%x _ZLib%d' % (0x70000000 + i * 16, i))
rel = b''.join(struct.pack('<IIIi', i * 12 + 4, int(random.random() * n), i % 3, i % 72 - 8) for i in range(r))
a = 36
b = a + len(syms)
c = b + len(names)
d = c + len(rel)
open('prog.obj', 'wb').write(struct.pack('<4sIIIIIIII', b'OBJ1', n, a, b, len(names), r, c, codelen, d)
                             + syms + names + rel + random.randbytes(codelen))
open('exports', 'w').write('\n'.join(exports) + '\n')
P
