"""census: counts files and bytes under tree by suffix and by size class"""
import os
import re
from collections import defaultdict

NAME = re.compile(r"^([a-z]+)(\d+)\.([a-z]\d)$")


def files(top):
    with os.scandir(top) as entries:
        for entry in sorted(entries, key=lambda e: e.name):
            if entry.is_symlink():
                continue
            if entry.is_dir():
                yield from files(entry.path)
            elif entry.is_file():
                yield entry.path, entry.name, entry.stat().st_size


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
