#!/usr/bin/env python3
"""Times `sluice put --compress` beside the zstd command, and beside `sluice put` on random bytes.

usage: compression.py COMMAND FOLDER TEXT JSON

TEXT is a file of text, of 100 MB or more. FOLDER lies on the file system to be measured, and has
room for twice the text. The commands take turns, and a first round does not count. Each file that a
command writes is compared with the text afterwards. A printed ratio is
the median of the ratios of the rounds. A round in which other programs took more than a tenth of
the processors' time is repeated, at most as often as there are rounds.
"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

ROUNDS = 7
MOST_OF_OTHERS = 0.1


def busy_s():
    """Processor seconds of all programs, and of the programs that this one has started."""
    fields = pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:]
    ticks = [int(field) for field in fields]
    everyone = (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")  # without idle, iowait
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    return everyone, own.ru_utime + own.ru_stime


def seconds_of(words, source, output):
    output.unlink(missing_ok=True)
    with open(source, "rb") as stdin:
        start = time.monotonic()
        subprocess.run(words, stdin=stdin, check=True)
        return time.monotonic() - start


def round_of(source, output, commands):
    """Returns the seconds of each command, and the share of the processors that others took."""
    everyone, own = busy_s()
    start = time.monotonic()
    seconds = {name: seconds_of(words, source, output) for name, words in commands.items()}
    everyone_after, own_after = busy_s()
    others = everyone_after - everyone - (own_after - own)
    return seconds, others / (time.monotonic() - start) / os.cpu_count()


def expect_same(sluice, file, source):
    shell = f"'{sluice}' cat '{file}' | cmp - '{source}'"
    subprocess.run(["sh", "-c", shell], check=True)


def compare(sluice, source, folder, commands):
    """Returns the seconds and the size of the file for each command."""
    output = folder / "compression.out"
    commands = {name: [str(output) if word == "FILE" else word for word in words]
                for name, words in commands.items()}
    results = {name: {"seconds": [], "others": []} for name in commands}
    for name, words in commands.items():
        seconds_of(words, source, output)
        expect_same(sluice, output, source)
        results[name]["bytes"] = output.stat().st_size
    kept = repeated = 0
    while kept < ROUNDS:
        seconds, others = round_of(source, output, commands)
        if others > MOST_OF_OTHERS and repeated < ROUNDS:
            repeated += 1
            continue
        kept += 1
        for name in commands:
            results[name]["seconds"].append(seconds[name])
            results[name]["others"].append(round(others, 3))
    output.unlink()
    return results


def ratio(results, first, second):
    pairs = zip(results[first]["seconds"], results[second]["seconds"])
    return statistics.median(one / other for one, other in pairs)


def main():
    sluice, folder, text, target = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    zstd = {"zstd -T2 -1": ["zstd", "-q", "-T2", "-1", "-f", "-o", "FILE"],
            "sluice put --compress": [sluice, "put", "--compress", "FILE"]}
    of_text = compare(sluice, text, folder, zstd)
    noise = folder / "compression.noise"
    noise.write_bytes(os.urandom(text.stat().st_size))
    of_noise = {}
    for durable in ([], ["--durable"]):
        raw = " ".join(["sluice put", *durable])
        commands = {raw: [sluice, "put", *durable, "FILE"]}
        for codec in ("zstd", "lz4"):
            option = f"--compress={codec}"
            commands[f"{raw} {option}"] = [sluice, "put", *durable, option, "FILE"]
        results = compare(sluice, noise, folder, commands)
        for name in list(commands)[1:]:
            print(f"random bytes: {name}: {ratio(results, name, raw):.3f} times {raw}, "
                  f"{results[name]['bytes'] / noise.stat().st_size:.5f} times the bytes")
        of_noise |= results
    noise.unlink()
    names = list(zstd)
    print(f"text: sluice is {ratio(of_text, *names):.3f} times as fast as {names[0]}; the file is "
          f"{of_text[names[1]]['bytes'] / of_text[names[0]]['bytes']:.3f} times as large")
    target.write_text(json.dumps({"text_bytes": text.stat().st_size, "text": of_text,
                                  "random_bytes": of_noise}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
