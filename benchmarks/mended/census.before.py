"""census: counts files and bytes under tree by suffix and by size class"""
import os
import re
from collections import defaultdict

NAME = re.compile(r"^([a-z]+)(\d+)\.([a-z]\d)$")


def files(top):
    for name in sorted(os.listdir(top)):
        path = os.path.join(top, name)
        if os.path.islink(path) or not os.path.exists(path):
            continue
        if os.path.isdir(path):
            yield from files(path)
        elif os.path.isfile(path) and os.access(path, os.R_OK):
            yield path, name, os.path.getsize(path)


def report(family):
    suffixes = defaultdict(lambda: [0, 0, 0])
    classes = defaultdict(int)
    for path, name, size in files("tree"):
        found = NAME.match(name)
        if not found or not re.match(family, found.group(3)):
            continue
        count = suffixes[found.group(1), found.group(3)]
        count[0] += 1
        count[1] += size
        count[2] = (count[2] * 31 + int(found.group(2)) + len(path)) % 1000003
        classes[size.bit_length()] += 1
    for key, count in sorted(suffixes.items()):
        print(*key, *count)
    for bits, count in sorted(classes.items()):
        print("below", 1 << bits, count)


def main():
    for family in "t.", "u.", ".[0-4]":
        print("family", family)
        report(family)


main()
