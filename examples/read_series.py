#!/usr/bin/env python3
"""Reads numbers that sluice/series.h wrote. docs/series-format.md describes the format.
Needs: pip install numpy zstandard

usage: read_series.py FILE   prints the numbers, one a line
In a program: numbers, rest, problem = read_series(path)
"""
import signal
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
        raise ValueError("it is no frame of a series, or a damaged one, or of a later version")
    return kind, filters & 15, filters >> 4, lag, head, size, stored, adler


def read_frame(header, payload):
    kind, prediction, layout, lag, head, size, _, adler = header
    if adler != 0 and zlib.adler32(payload) != adler:
        raise ValueError("its checksum does not fit its bytes")
    data = zstandard.ZstdDecompressor().decompress(payload, size, allow_extra_data=False)
    if len(data) != size:
        raise ValueError("it has another size than its header says")
    number = kind & 15
    step = number * 8 if layout == 2 else number
    end = head + (size - head) // step * step
    numbers = from_planes(numpy.frombuffer(data[head:end], "u1"), layout, number)
    numbers = undo_prediction(numbers, prediction, lag)
    return data[:head] + numbers.tobytes() + data[end:]


def read_series(path):
    """The numbers of the file, the bytes behind the last whole number (mostly none), and a problem.

    If a frame is damaged or the file was cut, the numbers are those of the frames before, and the
    problem says so. Otherwise it is empty.
    """
    file, at, parts, kind, problem = open(path, "rb").read(), 0, [], 0, ""
    try:
        while at < len(file):
            header, end = None, at + 24
            if file[at + 1:at + 4] == b"\x2a\x4d\x18" and at + 8 <= len(file):
                end = at + 8 + struct.unpack_from("<I", file, at + 4)[0]  # the seek table
            elif end <= len(file):
                header = read_header(file[at:end])
                end += header[6]
            if end > len(file):
                raise ValueError("the file ends within it")
            if header:
                if kind not in (0, header[0]):
                    raise ValueError("it has numbers of another type than the frames before")
                kind = header[0]
                parts.append(read_frame(header, file[at + 24:end]))
            at = end
    except (ValueError, zstandard.ZstdError) as error:
        problem = f"{path}: the frame at byte {at} cannot be read: {error}"
    kind, data = kind or 0x11, b"".join(parts)
    whole = len(data) // (kind & 15) * (kind & 15)
    numbers = numpy.frombuffer(data[:whole], f"<{'?uif'[kind >> 4]}{kind & 15}")
    return numbers, data[whole:], problem


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        all_numbers, rest, why = read_series(sys.argv[1])
    except OSError as error:
        sys.exit(f"read_series.py: {error}")
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` ends the script quietly
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for one in all_numbers.tolist():
        print(one)
    if why or rest:
        why = why or f"{len(rest)} bytes after the last number are no whole number"
        sys.exit(f"read_series.py: {why}")
