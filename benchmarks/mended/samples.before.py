"""Writes samples of a sensor, each as soon as it is there."""
import struct

with open("out", "wb", buffering=0) as out:
    value = 1
    for number in range(600_000):
        value = value * 69069 % 65521
        out.write(struct.pack("<IHH", number, value, value & 7))
