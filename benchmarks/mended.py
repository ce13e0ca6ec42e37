#!/usr/bin/env python3
"""Compares what `sluice trace` predicts for its first advice with what following it really saves.

usage: mended.py COMMAND FOLDER [JSON [PROGRAMS]]

PROGRAMS, by default the folder `mended` beside this script, has two versions of each program:
NAME.before.EXTENSION, and NAME.after.EXTENSION, which follows the first advice about the other
one. FOLDER lies on the file system to be measured. In each of five rounds the first version is
traced, and then both versions run. A round before them does not count. Both versions must write
the same bytes. What is saved is processor time, so that other programs change it little: no
program waits for a disk. A prediction that is a range counts with its middle.
"""
import json
import os
import pathlib
import random
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
INTERPRETERS = {".py": ["/usr/bin/python3"], ".pl": ["perl"], ".php": ["php"], ".js": ["node"],
                ".bash": ["bash"], ".tcl": ["tclsh"]}


def write_inputs():
    rng = random.Random(1)
    with open("table", "wb") as file:
        for number in range(400_000):
            file.write(struct.pack("<iidd", number, rng.randrange(1000), rng.random(), 0.5))
    with open("large", "wb") as file:
        file.write(pathlib.Path("table").read_bytes() * 50)
    with open("lines", "w", encoding="ascii") as file:
        for number in range(800_000):
            file.write(f"line-{number} {rng.randrange(1000)} of a text\n")


def command_of(program, built):
    """The words that run a program, which is compiled first if it has to be."""
    if program.suffix in INTERPRETERS:
        return [*INTERPRETERS[program.suffix], str(program)]
    if program.suffix == ".awk":
        return ["gawk", "-f", str(program), "lines"]
    executable = built / program.stem
    compiler = "cc" if program.suffix == ".c" else "c++"
    subprocess.run([compiler, "-O2", "-g", "-pthread", "-o", executable, program], check=True)
    return [str(executable)]


def run(words):
    """Returns processor seconds, seconds, and all bytes that the program has written."""
    pathlib.Path("out").unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    wall_s = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    out = pathlib.Path("out")
    return processor_s, wall_s, result.stdout + (out.read_bytes() if out.exists() else b"")


def first_advice(sluice, words):
    pathlib.Path("out").unlink(missing_ok=True)
    subprocess.run([sluice, "trace", "--json", "report", "--", *words], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    report = json.loads(pathlib.Path("report").read_text(encoding="utf-8"))
    return report["advice"][0]


def round_of(sluice, before, after):
    advice = first_advice(sluice, before)
    old, new = run(before), run(after)
    if old[2] != new[2]:
        sys.exit(f"{before[-1]} and {after[-1]} write different bytes")
    return {"advice": advice["id"], "runtime": advice["runtime"], "fix": advice["fix"],
            "least_saved_s": advice["least_saved_s"], "saved_s": advice["saved_s"],
            "before_processor_s": old[0], "after_processor_s": new[0],
            "before_wall_s": old[1], "after_wall_s": new[1]}


def row_of(measured):
    rounds = measured["rounds"]
    least, most, before = (statistics.median(each[key] for each in rounds)
                           for key in ("least_saved_s", "saved_s", "before_processor_s"))
    saved = statistics.median(each["before_processor_s"] - each["after_processor_s"]
                              for each in rounds)
    predicted = f"{most:.2f}" if least > 0.95 * most else f"{least:.2f} to {most:.2f}"
    return (f"| {measured['program']} | {rounds[0]['advice']} | {before:.2f} | {predicted} "
            f"| {saved:.2f} | {(least + most) / 2 / saved:.2f} |")


def main():
    sluice, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    json_file = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    programs = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else \
        pathlib.Path(__file__).parent / "mended"
    programs = programs.resolve()
    measured = []
    print("| program | first advice | before s | predicted s | saved s | predicted / saved |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        os.chdir(scratch)
        write_inputs()
        for before in sorted(programs.glob("*.before.*")):
            name = before.name.split(".")[0]
            after = before.with_name(f"{name}.after{before.suffix}")
            words = [sluice, command_of(before, folder), command_of(after, folder)]
            rounds = [round_of(*words) for _ in range(ROUNDS + 1)][1:]
            measured.append({"program": before.name.replace(".before", ""), "rounds": rounds})
            print(row_of(measured[-1]), flush=True)
        os.chdir(folder)
    if json_file is not None:
        json_file.write_text(json.dumps(measured, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
