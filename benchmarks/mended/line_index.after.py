"""Makes an index of a text, by words and numbers. It adds up the lengths of the lines."""
import re
import struct

WORD = re.compile(r"[a-z]+|\d+")
places = {}

with open("lines", "rb") as text:
    position = 0
    for _ in range(120_000):
        line = text.readline()
        if not line:
            break
        for word in WORD.findall(line.decode("ascii")):
            places.setdefault(word, []).append(position)
        position += len(line)

with open("out", "wb") as index:
    for word in sorted(places):
        found = places[word]
        if 1 < len(found) < 2000:
            index.write(struct.pack(f"<{len(word)}sH{len(found)}Q", word.encode(), len(found),
                                    *found))
print(len(places))
