#!/usr/bin/env python3
"""Compresses the files of `series_benchmark data FOLDER` with Blosc2, one thread, 1 MiB at a time.

usage: series_blosc2.py FOLDER   (prints JSON; needs: pip install blosc2)
"""
import json
import pathlib
import sys
import time

import blosc2

ROUNDS = 5
CHUNK = 1 << 20
FILTERS = {
    "shuffle": [blosc2.Filter.SHUFFLE],
    "bitshuffle": [blosc2.Filter.BITSHUFFLE],
    "delta + shuffle": [blosc2.Filter.DELTA, blosc2.Filter.SHUFFLE],
    "shuffle + bytedelta": [blosc2.Filter.SHUFFLE, blosc2.Filter.BYTEDELTA],
}


def measure(data, filters, level):
    options = dict(codec=blosc2.Codec.ZSTD, clevel=level, filters=filters, typesize=8, nthreads=1,
                   filters_meta=[0] * (len(filters) - 1) + [8 * (len(filters) > 1)])
    pieces = [data[at:at + CHUNK] for at in range(0, len(data), CHUNK)]
    compress, decompress = [], []
    for _ in range(ROUNDS + 1):
        begin = time.perf_counter()
        compressed = [blosc2.compress2(piece, **options) for piece in pieces]
        compress.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        back = [blosc2.decompress2(piece, nthreads=1) for piece in compressed]
        decompress.append(time.perf_counter() - begin)
        assert back == pieces
    return sum(map(len, compressed)), compress[1:], decompress[1:]


rows = []
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    data = path.read_bytes()
    for name, filters in FILTERS.items():
        for level in (1, 5):
            size, compress, decompress = measure(data, filters, level)
            rows.append({"data": path.name, "codec": f"blosc2 {name}, zstd {level}",
                         "bytes": len(data), "compressed": size,
                         "compress_seconds": compress, "decompress_seconds": decompress})
print(json.dumps({"blosc2": blosc2.__version__, "rows": rows}, indent=1))
