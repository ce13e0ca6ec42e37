"""Check the internal links of a static site and report the broken ones."""
import collections
import os
import re

ROOT = "site"
LINK = re.compile(r'(?:href|src)="([^"#]+)(?:#[^"]*)?"')
TAG = re.compile(r"<[^>]+>")


def pages():
    for folder, dirs, files in os.walk(ROOT):
        dirs.sort()
        for name in sorted(files):
            if name.endswith(".html"):
                yield folder, os.path.join(folder, name)


def resolve(folder, target):
    parts = folder.split("/")
    for p in target.split("/"):
        if p == "..":
            parts.pop()
        elif p != ".":
            parts.append(p)
    return "/".join(parts)


def main():
    broken = collections.Counter()
    inbound = collections.Counter()
    words = links = 0
    known = {}
    with open("linkcheck.txt", "w") as report:
        for folder, path in pages():
            with open(path) as f:
                html = f.read()
            words += len(TAG.sub(" ", html).split())
            for target in LINK.findall(html):
                links += 1
                dest = resolve(folder, target)
                if dest not in known:
                    known[dest] = os.path.exists(dest)
                if known[dest]:
                    inbound[dest] += 1
                else:
                    broken[dest] += 1
                    report.write(f"{path}: broken link {target}\n")
    print(links, "links", words, "words", sum(broken.values()), "broken")
    for dest, n in sorted(broken.items(), key=lambda x: (-x[1], x[0])):
        print(f"{n:5d} {dest}")
    for dest, n in inbound.most_common(10):
        print(f"{n:5d} -> {dest}")


main()
