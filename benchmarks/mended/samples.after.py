"""Writes samples of a sensor, through a buffer."""
import struct

with open("out", "wb") as out:
    value = 1
    for number in range(600_000):
        value = value * 69069 % 65521
        out.write(struct.pack("<IHH", number, value, value & 7))
