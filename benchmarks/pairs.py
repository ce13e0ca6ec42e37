#!/usr/bin/env python3
"""What `sluice run` gains and `sluice trace` costs on the extremes.

usage: pairs.py COMMAND SUBJECTS FOLDER JSON [ROUNDS]

Each program of SUBJECTS runs in turn as it is and by the sluice command, in FOLDER; outputs are
compared after each round. JSON gets every round's wall times.
"""
import filecmp
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SEEKS_IN = bytes(range(256)) * 65536


def pairs(subjects):
    """(name, options of the command, words)"""
    return [
        ("run: 512 Mi fwrite of one byte", ["run"],
         [subjects / "one_byte", "out", str(512 << 20)]),
        ("run --coalesce: 2 M lines with std::endl", ["run", "--coalesce"],
         [subjects / "flushed_lines", "out", "2000000"]),
        ("run: 5 M times fseek and fread", ["run"],
         [subjects / "seek_and_read", "table", "5000000"]),
        ("trace: 50 M fwrite of one byte", ["trace"], [subjects / "one_byte", "out", "50000000"]),
    ]


def wall_s(words, folder, output):
    with open(folder / output, "wb") as file:
        start = time.perf_counter()
        subprocess.run(words, cwd=folder, stdout=file, stderr=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start


def expect_same(folder, one, other):
    if one.exists() != other.exists() or \
            one.exists() and not filecmp.cmp(one, other, shallow=False):
        sys.exit(f"{one.name} differs from {other.name}, in {folder}")


def measure(folder, command, options, words, rounds):
    plain, other = [], []
    for _ in range(rounds):
        for path in ("out", "plain-out"):
            (folder / path).unlink(missing_ok=True)
        plain.append(wall_s(words, folder, "plain-text"))
        if (folder / "out").exists():
            os.replace(folder / "out", folder / "plain-out")
        other.append(wall_s([command, *options, "--", *words], folder, "text"))
        expect_same(folder, folder / "plain-out", folder / "out")
        expect_same(folder, folder / "plain-text", folder / "text")
    return plain, other


def main():
    command, subjects, parent = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 5
    measured = []
    print("| what | plain s | by sluice s | plain / by sluice |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="sluice-pairs-", dir=parent) as name:
        folder = pathlib.Path(name)
        (folder / "table").write_bytes(SEEKS_IN)
        for title, options, words in pairs(subjects):
            plain, other = measure(folder, command, options, words, rounds)
            measured.append({"what": title, "plain_s": plain, "sluice_s": other})
            times = statistics.median(a / b for a, b in zip(plain, other))
            print(f"| {title} | {statistics.median(plain):.2f} | {statistics.median(other):.2f} | "
                  f"{times:.2f} |", flush=True)
    pathlib.Path(sys.argv[4]).write_text(json.dumps(measured, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
