"""Prints the numbers of a file that sluice/series.h wrote. Needs: pip install numpy zstandard
usage: python3 read_series.py FILE     In a program: numbers, rest, problem = read_series(path)"""
import signal, struct, sys, zlib, numpy, zstandard

def undo_filter(data, size, layout, prediction, lag):
    if layout == 1: data = data.reshape(size, -1).T  # planes of bytes
    if layout == 2:  # planes of bits
        bits = numpy.unpackbits(data, bitorder="little").reshape(size * 8, -1)
        data = numpy.packbits(bits.T, axis=1, bitorder="little")
    numbers = numpy.ascontiguousarray(data).reshape(-1).view(f"<u{size}")
    table = numpy.pad(numbers, (0, -len(numbers) % lag)).reshape(-1, lag)
    if 1 <= prediction <= 7: table = (table >> 1) ^ (0 - (table & 1))  # unfolds the signs
    accumulate = (numpy.bitwise_xor if prediction == 8 else numpy.add).accumulate
    for _ in range(1 if prediction == 8 else prediction):
        table = accumulate(table, axis=0, dtype=table.dtype)
    return table.tobytes()[:numbers.nbytes]

def read_frame(file, at, kind_before):  # docs/series-format.md describes it
    if (header := file[at:at + 24])[1:4] == b"\x2a\x4d\x18" and len(header) >= 8:  # the seek table
        return kind_before, b"", at + 8 + int.from_bytes(header[4:8], "little")
    if len(header) < 24: return kind_before, b"", at + 24  # behind the end of the file
    kind, version, code, lag, head, size, stored, adler, crc = struct.unpack("<3x5B4I", header)
    number, prediction, layout, end = kind & 15, code & 15, code >> 4, at + 24 + stored
    if (header[:3] != b"\xe5SL" or version != 1 or crc != zlib.crc32(header[:20])
            or kind not in b"\x11\x12\x14\x18\x21\x22\x24\x28\x34\x38" or head >= number
            or layout > 2 or prediction > 8 or (prediction == 0) != (lag == 0)):
        raise ValueError("it is no frame of a series, or a damaged one, or of a later version")
    if kind_before not in (None, kind):
        raise ValueError("it has numbers of another type than the frames before")
    if len(payload := file[at + 24:end]) < stored: return kind, b"", end
    if adler and adler != zlib.adler32(payload): raise ValueError("its checksum does not fit")
    if zstandard.frame_content_size(payload) not in (size, -1):
        raise ValueError("it has another size than its header says")
    data = zstandard.ZstdDecompressor().decompress(payload, size, allow_extra_data=False)
    tail = size - (size - head) % (number * 8 if layout == 2 else number)
    numbers = numpy.frombuffer(data[head:tail], "u1")
    numbers = undo_filter(numbers, number, layout, prediction, lag or 1)
    return kind, data[:head] + numbers + data[tail:], end

def read_series(path):  # rest: the bytes behind the last number. problem: why the file is not whole
    at, kind, data, problem = 0, None, bytearray(), ""
    try:
        file = open(path, "rb").read()
        while at < len(file):
            kind, frame, end = read_frame(file, at, kind)
            if end > len(file): raise ValueError("the file ends within it")
            data += frame
            at = end
    except (OSError, ValueError, zstandard.ZstdError) as error:
        problem = f"{path}: the frame at byte {at} cannot be read: {error}"
    dtype = numpy.dtype(f"<{'?uif'[kind >> 4]}{kind & 15}" if kind else "u1")
    whole = len(data) - len(data) % dtype.itemsize
    return numpy.frombuffer(data[:whole], dtype), bytes(data[whole:]), problem

if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"): signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for `head`
    all_numbers, rest, why = read_series(sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__))
    sys.stdout.writelines(f"{number}\n" for number in all_numbers.tolist())
    why = why or (rest and f"{len(rest)} bytes after the last number are no whole number")
    if why: sys.exit(f"read_series.py: {why}")
