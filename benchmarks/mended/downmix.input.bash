python3 - <<'P'
import struct
rate, seconds = 44100, 70
n = rate * seconds
block = bytearray()
x = 1
period = []
for i in range(rate):                    # a second of something, repeated
    x = (x * 1103515245 + 12345) & 0x7fffffff
    left = ((i * 440 * 65536 // rate) & 0xffff) - 32768
    right = ((x >> 16) & 0x3fff) - 8192
    period.append(struct.pack("<hh", left // 2, right))
second = b"".join(period)
data = second * seconds
with open("concert.wav", "wb") as f:
    f.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " +
            struct.pack("<IHHIIHH", 16, 1, 2, rate, rate * 4, 4, 16) + b"data" + struct.pack("<I", len(data)))
    f.write(data)
P
