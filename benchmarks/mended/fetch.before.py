# Fetches records of a table in an order of its own.
import struct

total = 0.0
with open("table", "rb") as table:
    number = 0
    for _ in range(250000):
        number = (number * 1103515245 + 12345) % 400000
        table.seek(number * 24)
        _, group, value, _ = struct.unpack("<iidd", table.read(24))
        total += value * group
print(f"{total:.3f}")
