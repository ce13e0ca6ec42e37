"""Looks up records of a table in random order, in memory."""
import struct

total = 0
number = 1
with open("table", "rb") as table:
    data = table.read()
for _ in range(300_000):
    number = number * 69069 % 399_989
    total += struct.unpack("<iidd", data[number * 24:number * 24 + 24])[1]
print(total)
