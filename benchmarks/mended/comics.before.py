#!/usr/bin/env python3
"""Contact sheet and ink statistics of a comic book (a zip of pictures)."""
import zipfile

BOOK = "issue.cbz"


def page_names():
    with zipfile.ZipFile(BOOK) as z:
        return sorted(n for n in z.namelist() if n.endswith(".pgm"))


def load_page(name):
    with zipfile.ZipFile(BOOK) as z:
        data = z.read(name)
    magic, size, depth, pixels = data.split(b"\n", 3)
    w, h = map(int, size.split())
    return w, h, pixels


def shrink(w, h, pixels, f):
    rows = []
    for y in range(0, h - f + 1, f):
        block = [pixels[(y + k) * w:(y + k + 1) * w] for k in range(f)]
        rows.append(bytes(sum(sum(b[x:x + f]) for b in block) // (f * f)
                          for x in range(0, w - f + 1, f)))
    return rows


def main():
    names = page_names()
    sheet, strip = [], []
    for number, name in enumerate(names):
        w, h, pixels = load_page(name)
        dark = sum(pixels.count(v) for v in range(64))
        print("%-22s %3d x %3d  ink %5.1f %%" % (name, w, h, 100 * dark / (w * h)))
        strip.append(shrink(w, h, pixels, 8))
        if len(strip) == 10 or number == len(names) - 1:
            for rows in zip(*strip):
                sheet.append(b"".join(rows).ljust(120, b"\xff"))
            strip = []
    with open("contact.pgm", "wb") as out:
        out.write(b"P5\n120 %d\n255\n" % len(sheet))
        out.writelines(sheet)


main()
