"""concordance: for each word of book.txt, the places in the file of the lines where it stands"""
import re
import sys
import zlib


def index(name):
    places = {}
    with open(name, encoding="utf-8") as book:
        while True:
            at = book.tell()
            line = book.readline()
            if not line:
                break
            for word in set(re.findall(r"[a-z]+\d*", line.lower())):
                places.setdefault(word, []).append(at)
    return places


def main():
    places = index("book.txt")
    for word in sorted(places):
        at = places[word]
        check = zlib.crc32(",".join(map(str, at)).encode())
        sys.stdout.write("%s %d %s %08x\n" % (word, len(at), at[:5], check))


main()
