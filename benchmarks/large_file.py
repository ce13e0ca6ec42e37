#!/usr/bin/env python3
"""Compares the ways to write and read one large file that leave the cache alone, with fio.

usage: large_file.py PROGRAM FOLDER JSON drop [GIB]
       large_file.py PROGRAM FOLDER JSON direct [GIB [BLOCK_BYTES...]]

PROGRAM is large_file_benchmark. `drop` writes GIB (16) by cache=drop and by paced write-back, in
turn; at the end it waits for the disk in both cases. `direct` writes and reads GIB (2) by
direct=on and by `fio --direct=1` with the same block size and one block at a time, in turn. The
program hands over aligned blocks as fio does, or pieces of 64 KiB, which the Writer copies. Prints
a table, and writes every figure to JSON.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

MIB = 1 << 20
ROUNDS = {"drop": 2, "direct": 5}
BLOCKS = [256 * 1024, MIB, 4 * MIB]


def forget(path):
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def by_sluice(program, way, path, size, block, cache="keep", direct="off", pace=0, piece=65536):
    words = [program, way, path, str(size), str(block), cache, direct, str(pace), str(piece)]
    return json.loads(subprocess.check_output(words, text=True))


def synced(program, path, *words, **options):
    """The disk has everything at the end."""
    start = time.monotonic()
    result = by_sluice(program, "write", path, *words, **options)
    with open(path, "rb") as file:
        os.fdatasync(file.fileno())
    return {**result, "seconds": time.monotonic() - start}


def by_fio(way, path, size, block):
    """fio moves the bytes of a file that is laid out before, unless the file is new."""
    words = ["fio", "--name=x", f"--filename={path}", f"--rw={way}", f"--bs={block}",
             f"--size={size}", "--direct=1", "--ioengine=psync", "--iodepth=1",
             "--output-format=json"]
    if way == "write":
        words += ["--create_on_open=1", "--fallocate=none"]
    job = json.loads(subprocess.check_output(words, text=True))["jobs"][0]
    return {"seconds": job["job_runtime"] / 1000, "fio_bytes": job[way]["io_bytes"]}


def in_turn(rows, rounds, path, prepare, warm_ups=1):
    found = {name: [] for name in rows}
    for round_ in range(1 - warm_ups, rounds + 1):
        names = list(rows)
        for name in names[round_ % len(names):] + names[:round_ % len(names)]:
            prepare(path)
            result = rows[name]()
            print(f"round {round_}: {name}: {result}", file=sys.stderr, flush=True)
            if round_ > 0:
                found[name].append(result)
    return found


def ratio(found, row, to):
    return statistics.median(a["seconds"] / b["seconds"] for a, b in zip(found[row], found[to]))


def remove(path):
    pathlib.Path(path).unlink(missing_ok=True)


def drop(program, path, gib):
    size = gib << 30
    rows = {"write_back 8 MiB": lambda: synced(program, path, size, 262144, pace=8 * MIB),
            "cache=drop": lambda: synced(program, path, size, 262144, "drop")}
    found = in_turn(rows, ROUNDS["drop"], path, remove, warm_ups=0)
    print(f"cache=drop / write_back 8 MiB, {gib} GiB, time: "
          f"{ratio(found, 'cache=drop', 'write_back 8 MiB'):.2f}")
    for name, results in found.items():
        print(f"{name}: in the cache afterwards "
              f"{max(one['cached_bytes'] for one in results) / MIB:.1f} MiB, "
              f"at most {max(one['most_cached_bytes'] for one in results) / MIB:.1f} MiB")
    return {"write": found}


def direct(program, path, gib, blocks):
    size = gib << 30
    result = {}
    for way in "write", "read":
        for block in blocks:
            rows = {"fio": lambda w=way, b=block: by_fio(w, path, size, b),
                    "direct=on": lambda w=way, b=block: by_sluice(
                        program, w, path, size, b, direct="on", piece=b),
                    "direct=on, pieces": lambda w=way, b=block: by_sluice(
                        program, w, path, size, b, direct="on")}
            if way == "read":
                remove(path)
                by_sluice(program, "write", path, size, MIB, direct="on")
            found = in_turn(rows, ROUNDS["direct"], path, remove if way == "write" else forget)
            print(f"{way}, blocks of {block // 1024} KiB: speed / fio "
                  f"{1 / ratio(found, 'direct=on', 'fio'):.2f}, in pieces of 64 KiB "
                  f"{1 / ratio(found, 'direct=on, pieces', 'fio'):.2f}", flush=True)
            result[f"{way} {block}"] = found
    return result


def main():
    program, folder, target, way = sys.argv[1:5]
    gib = int(sys.argv[5]) if len(sys.argv) > 5 else {"drop": 16, "direct": 2}[way]
    path = os.path.join(folder, "large-file")
    try:
        if way == "drop":
            found = drop(program, path, gib)
        else:
            found = direct(program, path, gib, [int(word) for word in sys.argv[6:]] or BLOCKS)
    finally:
        remove(path)
    pathlib.Path(target).write_text(json.dumps({"gib": gib, "kernel": os.uname().release,
                                                "results": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
