#!/usr/bin/env python3
"""Measures the time that `sluice run` adds to the start of a program.

usage: start.py COMMAND [JSON]

/bin/true runs as it is, by env and by COMMAND run, 300 times each in turn. The table has the least
and the median; JSON gets every time, in seconds.
"""
import json
import os
import statistics
import sys
import time

ROUNDS = 300


def seconds(words):
    start = time.perf_counter()
    _, status = os.waitpid(os.posix_spawn(words[0], words, os.environ), 0)
    if status != 0:
        sys.exit(f"{words[0]} failed")
    return time.perf_counter() - start


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    command = os.path.abspath(sys.argv[1])
    ways = {"true": ["/bin/true"], "env true": ["/usr/bin/env", "/bin/true"],
            "sluice run -- true": [command, "run", "--", "/bin/true"]}
    taken = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, words in ways.items():
            taken[way].append(seconds(words))
    print("| what | least ms | median ms |\n|---|---|---|")
    for way, times in taken.items():
        print(f"| {way} | {min(times) * 1e3:.2f} | {statistics.median(times) * 1e3:.2f} |")
    if len(sys.argv) == 3:
        with open(sys.argv[2], "w", encoding="ascii") as file:
            json.dump(taken, file, indent=1)


if __name__ == "__main__":
    main()
