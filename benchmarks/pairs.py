#!/usr/bin/env python3
"""Measures the gain of `sluice run` and the cost of `sluice trace` on extreme programs.

usage: pairs.py COMMAND SUBJECTS FOLDER JSON [ROUNDS]

Each program of SUBJECTS runs in FOLDER, in turn alone and by the sluice command. The outputs are
compared after each round. JSON gets every round's wall and system times. The last column leaves the
system time out, because a virtual machine may wait for the memory of a file of 512 MiB.
"""
import filecmp
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import free_memory

FREED_BYTES = 1 << 30  # more than a program writes

SEEKS_IN = bytes(range(256)) * 65536


def pairs(subjects):
    """Tuples of a name, the options of the command, and the words of the program."""
    return [
        ("run: 512 Mi fwrite of one byte", ["run"],
         [subjects / "one_byte", "out", str(512 << 20)]),
        ("run --coalesce: 2 M lines with std::endl", ["run", "--coalesce"],
         [subjects / "flushed_lines", "out", "2000000"]),
        ("run: 5 M times fseek and fread", ["run"],
         [subjects / "seek_and_read", "table", "5000000"]),
        ("trace: 50 M fwrite of one byte", ["trace"], [subjects / "one_byte", "out", "50000000"]),
        ("trace: 100 M getc", ["trace"], [subjects / "small_calls", "getc", "bytes", "100000000"]),
    ]


def seconds(words, folder, output):
    """Returns the wall time and the system time."""
    free_memory.take_and_free(FREED_BYTES)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime
    with open(folder / output, "wb") as file:
        start = time.perf_counter()
        subprocess.run(words, cwd=folder, stdout=file, stderr=subprocess.DEVNULL, check=True)
        wall_s = time.perf_counter() - start
    return wall_s, resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime - before


def expect_same(folder, one, other):
    if one.exists() != other.exists() or \
            one.exists() and not filecmp.cmp(one, other, shallow=False):
        sys.exit(f"{one.name} differs from {other.name}, in {folder}")


def measure(folder, command, options, words, rounds):
    plain, other = [], []
    for _ in range(rounds):
        for path in ("out", "plain-out"):
            (folder / path).unlink(missing_ok=True)
        plain.append(seconds(words, folder, "plain-text"))
        if (folder / "out").exists():
            os.replace(folder / "out", folder / "plain-out")
        other.append(seconds([command, *options, "--", *words], folder, "text"))
        expect_same(folder, folder / "plain-out", folder / "out")
        expect_same(folder, folder / "plain-text", folder / "text")
    return plain, other


def row(entry):
    plain, other = (list(zip(entry[f"{who}_s"], entry[f"{who}_system_s"]))
                    for who in ("plain", "sluice"))
    outside = statistics.median((a - b) / (c - d) for (a, b), (c, d) in zip(plain, other))
    times = statistics.median(a / b for a, b in zip(entry["plain_s"], entry["sluice_s"]))
    return (f"| {entry['what']} | {statistics.median(entry['plain_s']):.2f} | "
            f"{statistics.median(entry['sluice_s']):.2f} | {times:.2f} | {outside:.2f} |")


def main():
    command, subjects, parent = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 5
    measured = []
    print("| what | plain s | by sluice s | plain / by sluice | outside the kernel |\n"
          "|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="sluice-pairs-", dir=parent) as name:
        folder = pathlib.Path(name)
        (folder / "table").write_bytes(SEEKS_IN)
        (folder / "bytes").write_bytes(SEEKS_IN * 7)
        for title, options, words in pairs(subjects):
            plain, other = measure(folder, command, options, words, rounds)
            entry = {"what": title}
            for who, times in (("plain", plain), ("sluice", other)):
                entry[f"{who}_s"], entry[f"{who}_system_s"] = map(list, zip(*times))
            measured.append(entry)
            print(row(entry), flush=True)
    pathlib.Path(sys.argv[4]).write_text(json.dumps(measured, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
