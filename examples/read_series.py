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


def read_header(header):
    magic, kind, version, filters, lag, head, size, stored, adler, crc = struct.unpack(
        "<3s5B4I", header)
    if magic != b"\xe5SL" or version != 1 or zlib.crc32(header[:20]) != crc:
        raise ValueError("no frame of a series, or a damaged one, or one of a later version")
    return kind, filters & 15, filters >> 4, lag, head, size, stored, adler


def read_frame(header, payload):
    kind, prediction, layout, lag, head, size, _, adler = header
    if adler != 0 and zlib.adler32(payload) != adler:
        raise ValueError("a frame is damaged")
    data = zstandard.ZstdDecompressor().decompress(payload, size, allow_extra_data=False)
    if len(data) != size:
        raise ValueError("a frame has another size than its header says")
    number = kind & 15
    step = number * 8 if layout == 2 else number
    end = head + (size - head) // step * step
    numbers = from_planes(numpy.frombuffer(data[head:end], "u1"), layout, number)
    numbers = undo_prediction(numbers, prediction, lag)
    return data[:head] + numbers.tobytes() + data[end:]


def read_series(path, allow_cut=False):
    """The numbers of the file, and the bytes behind the last whole number (mostly none).

    With allow_cut, a file whose writer was interrupted gives its whole frames.
    """
    file, at, parts, kinds = open(path, "rb").read(), 0, [], set()
    while at < len(file):
        header, end = None, at + 24
        if file[at + 1:at + 4] == b"\x2a\x4d\x18" and at + 8 <= len(file):
            # A skippable frame: the seek table.
            end = at + 8 + struct.unpack_from("<I", file, at + 4)[0]
        elif end <= len(file):
            header = read_header(file[at:end])
            end += header[6]
        if end > len(file):
            if allow_cut:
                break
            raise ValueError(f"the file ends within the frame at byte {at}")
        if header:
            parts.append(read_frame(header, file[at + 24:end]))
            kinds.add(header[0])
        at = end
    if len(kinds) > 1:
        raise ValueError("the file has numbers of several types")
    kind = kinds.pop() if kinds else 0x11
    data = b"".join(parts)
    whole = len(data) // (kind & 15) * (kind & 15)
    return numpy.frombuffer(data[:whole], f"<{'?uif'[kind >> 4]}{kind & 15}"), data[whole:]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        all_numbers, rest = read_series(sys.argv[1])
    except (OSError, ValueError, zstandard.ZstdError) as error:
        sys.exit(f"read_series.py: {error}")
    for one in all_numbers.tolist():
        print(one)
    if rest:
        sys.exit(f"behind the numbers stand {len(rest)} bytes more")
