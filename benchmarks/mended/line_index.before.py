"""Makes an index of a text, by words and numbers. It asks for the position of each line."""
import re
import struct

WORD = re.compile(r"[a-z]+|\d+")
places = {}

with open("lines", encoding="ascii") as text:
    for _ in range(120_000):
        position = text.tell()
        line = text.readline()
        if not line:
            break
        for word in WORD.findall(line):
            places.setdefault(word, []).append(position)

with open("out", "wb") as index:
    for word in sorted(places):
        found = places[word]
        if 1 < len(found) < 2000:
            index.write(struct.pack(f"<{len(word)}sH{len(found)}Q", word.encode(), len(found),
                                    *found))
print(len(places))
