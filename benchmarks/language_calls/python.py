# Pairs of programs for language_calls.py. This part is common to all of them.
import array, csv, io, itertools, json, os, pickle, struct, sys, wave
lines = [f"{i},{i * 7919 % 1000},text\n" for i in range(1000)]
# PAIR write 100000 print with flush
for i in range(CALLS): print(i, "text", flush=True)
# AFTER
for i in range(CALLS): print(i, "text")
# PAIR write 100000 input, which flushes each print
for i in range(CALLS): print(input())
# AFTER
for line in itertools.islice(sys.stdin, CALLS): print(line[:-1])
# PAIR write 100000 write and flush of a text
with open("out", "w") as out:
    for i in range(CALLS):
        out.write(lines[i % 1000])
        out.flush()
# AFTER
with open("out", "w") as out:
    for i in range(CALLS): out.write(lines[i % 1000])
# PAIR write 100000 a text with a buffer of a line
with open("out", "w", buffering=1) as out:
    for i in range(CALLS): out.write(lines[i % 1000])
# AFTER
with open("out", "w") as out:
    for i in range(CALLS): out.write(lines[i % 1000])
# PAIR write 100000 a record without a buffer
with open("out", "wb", buffering=0) as out:
    for i in range(CALLS): out.write(struct.pack("<id", i, 0.5))
# AFTER
with open("out", "wb") as out:
    out.write(b"".join([struct.pack("<id", i, 0.5) for i in range(CALLS)]))
# PAIR write 100000 os.write
out = os.open("out", os.O_WRONLY | os.O_CREAT)
for i in range(CALLS): os.write(out, lines[i % 1000].encode())
# AFTER
out = os.open("out", os.O_WRONLY | os.O_CREAT)
os.write(out, "".join([lines[i % 1000] for i in range(CALLS)]).encode())
# PAIR write 100000 csv.writer.writerow with a buffer of a line
with open("out", "w", buffering=1) as out:
    rows = csv.writer(out)
    for i in range(CALLS): rows.writerow((i, "text", 0.5))
# AFTER
with open("out", "w") as out:
    csv.writer(out).writerows([(i, "text", 0.5) for i in range(CALLS)])
# PAIR write 20000 json.dump and flush
with open("out", "w") as out:
    for i in range(CALLS):
        json.dump({"number": i, "words": ["a", "text"]}, out)
        out.flush()
# AFTER
with open("out", "w") as out:
    for i in range(CALLS): json.dump({"number": i, "words": ["a", "text"]}, out)
# PAIR write 50000 pickle.dump without a buffer
with open("out", "wb", buffering=0) as out:
    for i in range(CALLS): pickle.dump((i, "text"), out)
# AFTER
with open("out", "wb") as out:
    out.write(b"".join([pickle.dumps((i, "text")) for i in range(CALLS)]))
# PAIR write 50000 wave.writeframes
with wave.open("out", "wb") as out:
    out.setparams((1, 2, 8000, 0, "NONE", ""))
    for i in range(CALLS): out.writeframes(b"ab")
# AFTER
with wave.open("out", "wb") as out:
    out.setparams((1, 2, 8000, 0, "NONE", ""))
    out.writeframes(b"".join([b"ab" for i in range(CALLS)]))
# PAIR write 50000 array.tofile without a buffer
with open("out", "wb", buffering=0) as out:
    for i in range(CALLS): array.array("d", [i, 0.5]).tofile(out)
# AFTER
with open("out", "wb") as out:
    all = array.array("d")
    for i in range(CALLS): all.extend([i, 0.5])
    all.tofile(out)
# PAIR read 100000 os.read
text = os.open("lines", os.O_RDONLY)
for i in range(CALLS): piece = os.read(text, 16)
# AFTER
text = os.open("lines", os.O_RDONLY)
all = os.read(text, 16 * CALLS)
for i in range(CALLS): piece = all[16 * i:16 * i + 16]
# PAIR read 100000 a record without a buffer
with open("lines", "rb", buffering=0) as text:
    for i in range(CALLS): a, b = struct.unpack("<qq", text.read(16))
# AFTER
with open("lines", "rb") as text:
    for a, b in struct.iter_unpack("<qq", text.read(16 * CALLS)): pass
# PAIR read 10000 readline without a buffer
with open("lines", "rb", buffering=0) as text:
    for i in range(CALLS): line = text.readline()
# AFTER
with open("lines", "rb") as text:
    for i in range(CALLS): line = text.readline()
# PAIR read 100000 readinto without a buffer
piece = bytearray(16)
with open("lines", "rb", buffering=0) as text:
    for i in range(CALLS): text.readinto(piece)
# AFTER
with open("lines", "rb") as text: all = memoryview(text.read(16 * CALLS))
for i in range(CALLS): piece = all[16 * i:16 * i + 16]
# PAIR read 100000 os.pread and int.from_bytes
text = os.open("lines", os.O_RDONLY)
for i in range(CALLS): number = int.from_bytes(os.pread(text, 8, 16 * i), "little")
# AFTER
all = struct.unpack(f"<{2 * CALLS}q", open("lines", "rb").read(16 * CALLS))
for i in range(CALLS): number = all[2 * i]
# PAIR seek 50000 tell of a text
with open("lines", encoding="ascii") as text:
    for i in range(CALLS):
        position = text.tell()
        line = text.readline()
# AFTER
position = 0
with open("lines", "rb") as text:
    for i in range(CALLS):
        line = text.readline()
        position += len(line)
# PAIR seek 50000 seek and readline of a text
with open("lines", encoding="utf-8") as text:
    for i in range(CALLS):
        text.seek(i * 7919 % 4_000_000)
        line = text.readline()
# AFTER
all = open("lines", "rb").read()
for i in range(CALLS):
    start = i * 7919 % 4_000_000
    line = all[start:all.find(b"\n", start) + 1].decode()
# PAIR seek 100000 seek and read of a record
with open("lines", "rb") as records:
    for i in range(CALLS):
        records.seek(i * 7919 % 4_000_000)
        a, b = struct.unpack("<qq", records.read(16))
# AFTER
all = open("lines", "rb").read()
for i in range(CALLS): a, b = struct.unpack_from("<qq", all, i * 7919 % 4_000_000)
# PAIR seek 100000 tell of a file that is written
with open("out", "wb") as out:
    for i in range(CALLS):
        position = out.tell()
        out.write(b"a record")
# AFTER
position = 0
with open("out", "wb") as out:
    for i in range(CALLS):
        position += out.write(b"a record")
# PAIR seek 50000 tell of a text that is written
with open("out", "w") as out:
    for i in range(CALLS):
        position = out.tell()
        out.write("a record")
# AFTER
position = 0
with open("out", "w") as out:
    for i in range(CALLS):
        position += out.write("a record")
# PAIR open 20000 open, write and close of a text
for i in range(CALLS):
    with open("out", "a") as out: print(i, "text", file=out)
# AFTER
with open("out", "a") as out:
    for i in range(CALLS): print(i, "text", file=out)
