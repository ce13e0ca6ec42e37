# Reads a file with a buffer, record by record.
import struct
total = 0.0
with open("table", "rb") as table:
    while record := table.read(24):
        total += struct.unpack("<iidd", record)[2]
print(total)
