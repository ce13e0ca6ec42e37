#!/usr/bin/env python3
"""Reads numbers that sluice/series.h wrote. docs/series-format.md describes the format.
Needs: pip install numpy zstandard

usage: read_series.py FILE   prints the numbers, one a line. In a program: read_series(path)
"""
import struct
import sys
import zlib

import numpy
import zstandard


def from_planes(data, layout, size):
    if layout == 1:
        data = data.reshape(size, -1).T
    elif layout == 2:
        bits = numpy.unpackbits(data.reshape(size * 8, -1), axis=1, bitorder="little")
        data = numpy.packbits(bits.T, axis=1, bitorder="little")
    return numpy.ascontiguousarray(data).reshape(-1).view(f"<u{size}")


def undo_prediction(numbers, prediction, lag):
    if prediction == 0:
        return numbers
    table = numpy.zeros((-(-len(numbers) // lag), lag), numbers.dtype)
    table.flat[:len(numbers)] = numbers
    if prediction == 8:
        table = numpy.bitwise_xor.accumulate(table, axis=0)
    else:
        table = (table >> 1) ^ (0 - (table & 1))  # unfolds the signs
        for _ in range(prediction):
            table = numpy.add.accumulate(table, axis=0, dtype=numbers.dtype)
    return table.reshape(-1)[:len(numbers)]


def read_frame(header, payload):
    magic, kind, version, filters, lag, head, size, _, adler, crc = struct.unpack("<3s5B4I", header)
    if magic != b"\xe5SL" or version != 1 or zlib.crc32(header[:20]) != crc:
        raise ValueError("no frame of a series, or a damaged one, or one of a later version")
    if adler != 0 and zlib.adler32(payload) != adler:
        raise ValueError("a frame is damaged")
    data = zstandard.ZstdDecompressor().decompress(payload, size, allow_extra_data=False)
    prediction, layout, number = filters & 15, filters >> 4, kind & 15
    step = number * 8 if layout == 2 else number
    end = head + (size - head) // step * step
    numbers = from_planes(numpy.frombuffer(data[head:end], "u1"), layout, number)
    numbers = undo_prediction(numbers, prediction, lag)
    return data[:head] + numbers.tobytes() + data[end:], f"<{'?uif'[kind >> 4]}{number}"


def read_series(path):
    file, at, parts, dtype = open(path, "rb").read(), 0, [], "u1"
    while at < len(file):
        if file[at + 1:at + 4] == b"\x2a\x4d\x18":  # a skippable frame: the seek table
            at += 8 + struct.unpack_from("<I", file, at + 4)[0]
        else:
            end = at + 24 + struct.unpack_from("<I", file, at + 12)[0]
            part, dtype = read_frame(file[at:at + 24], file[at + 24:end])
            parts.append(part)
            at = end
    return numpy.frombuffer(b"".join(parts), dtype)


if __name__ == "__main__":
    print(*read_series(sys.argv[1]).tolist(), sep="\n")
