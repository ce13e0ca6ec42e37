#!/usr/bin/env python3
"""Compares what `sluice trace` predicts for its first advice with what following it really saves.

usage: mended.py COMMAND FOLDER [--json FILE] [--programs DIR] [--rounds N]
                 [--only NAME...]

DIR, by default the folder `mended` beside this script, has two versions of each program:
NAME.before.EXTENSION, and NAME.after.EXTENSION, which follows the first advice about the other
one. FOLDER lies on the file system to be measured. In each of N rounds (five) the first version is
traced, and then both versions run. A round before them does not count. Standard input is a text,
and standard output a file. If there is a script NAME.input.bash, it makes the files that the
program reads, in a folder for this program alone; the file `stdin`, if it makes one, is standard
input. Both versions must write the same bytes. What is saved is processor
time, so that other programs change it little: no program waits for a disk. Where several threads or
processes save at once, the prediction is by the clock, and so is the saving. A prediction that is a
range counts with its middle. The last two columns tell whether the middle is at most 20 % away from
the saving, and whether the saving lies in the range (or is as near to a single figure). FILE gets
every round; the rows that it has of other programs stay. PYTHONUNBUFFERED is taken out of the
environment.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
MUCH_AT_ONCE = 1.2  # threads, on average; a little more than one is the start of a process
INTERPRETERS = {".py": ["/usr/bin/python3"], ".pl": ["perl"], ".php": ["php"], ".js": ["node"],
                ".bash": ["bash"], ".tcl": ["tclsh"], ".lua": ["lua"]}
COMPILERS = {".c": "cc", ".l": "cc", ".cc": "c++"}


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
    source = program
    if program.suffix == ".l":
        source = built / f"{program.stem}.c"
        subprocess.run(["flex", "-o", source, program], check=True)
    subprocess.run([COMPILERS[program.suffix], "-O2", "-g", "-pthread", "-o", executable, source,
                    "-lm"], check=True)
    return [str(executable)]


def call(words):
    pathlib.Path("out").unlink(missing_ok=True)
    given = [path for path in map(pathlib.Path, ("stdin", "lines")) if path.exists()]
    with open(given[0] if given else os.devnull, "rb") as text, open("printed", "wb") as printed:
        subprocess.run(words, stdin=text, stdout=printed, stderr=subprocess.DEVNULL, check=True)


def written(is_alone):
    """All bytes that the program has written. Alone in a folder, it may write any file."""
    if not is_alone:
        return [path.read_bytes() for path in map(pathlib.Path, ("printed", "out"))
                if path.exists()]
    return [(str(path), path.read_bytes()) for path in sorted(pathlib.Path().rglob("*"))
            if path.is_file() and path.name not in ("report", "out")]


def run(words, is_alone):
    """Returns processor seconds, seconds, and all bytes that the program has written."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    call(words)
    wall_s = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor_s, wall_s, written(is_alone)


def first_advice(sluice, words):
    call([sluice, "trace", "--json", "report", "--", *words])
    report = json.loads(pathlib.Path("report").read_text(encoding="utf-8"))
    none = {"id": "none", "runtime": "", "fix": "", "least_saved_s": 0, "saved_s": 0,
            "at_once": 1, "computed": None}
    return (report["advice"] or [none])[0]


def round_of(sluice, before, after, is_alone):
    advice = first_advice(sluice, before)
    old, new = run(before, is_alone), run(after, is_alone)
    if old[2] != new[2]:
        sys.exit(f"{before[-1]} and {after[-1]} write different bytes")
    return {"advice": advice["id"], "runtime": advice["runtime"], "fix": advice["fix"],
            "least_saved_s": advice["least_saved_s"], "saved_s": advice["saved_s"],
            "at_once": advice["at_once"], "computed": advice["computed"],
            "before_processor_s": old[0], "after_processor_s": new[0],
            "before_wall_s": old[1], "after_wall_s": new[1]}


def is_near(least, most, saved):
    """True if the middle of the prediction is at most 20 % away from the saving."""
    return abs((least + most) / 2 / saved - 1) <= 0.2 if saved > 0 else most == 0


def holds(least, most, saved):
    """True if the saving lies in the range; a single figure has to be near it."""
    return least <= saved <= most if least <= 0.95 * most else is_near(least, most, saved)


def row_of(measured, by_clock):
    rounds = measured["rounds"]
    at_once = statistics.median(each.get("at_once", 1) for each in rounds)
    by_clock = by_clock or at_once > MUCH_AT_ONCE
    kind = "wall_s" if by_clock else "processor_s"
    least, most, before = (statistics.median(each[key] for each in rounds)
                           for key in ("least_saved_s", "saved_s", f"before_{kind}"))
    saved = statistics.median(each[f"before_{kind}"] - each[f"after_{kind}"] for each in rounds)
    predicted = f"{most:.2f}" if least > 0.95 * most else f"{least:.2f} to {most:.2f}"
    answers = ["yes" if each(least, most, saved) else "no" for each in (is_near, holds)]
    return (f"| {measured['program']} | {rounds[0]['advice']} | {before:.2f} | {predicted} "
            f"| {saved:.2f} | {(least + most) / 2 / saved:.2f} | {answers[0]} | {answers[1]} |")


def measure(sluice, before, built, count):
    after = before.with_name(before.name.replace(".before", ".after"))
    words = [sluice, command_of(before, built), command_of(after, built)]
    inputs = before.with_name(before.name.split(".")[0] + ".input.bash")
    alone = built / "alone"
    is_alone = inputs.exists()
    if is_alone:
        alone.mkdir()
        os.chdir(alone)
        subprocess.run(["bash", inputs], check=True)
    rounds = [round_of(*words, is_alone) for _ in range(count + 1)][1:]
    if is_alone:
        os.chdir(built)
        shutil.rmtree(alone)
    return {"program": before.name.replace(".before", ""), "rounds": rounds}


def keep(path, measured):
    """Puts the rows into the file, in place of older rows of the same programs."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    rows = {row["program"]: row for row in rows + measured}
    path.write_text(json.dumps([rows[name] for name in sorted(rows)], indent=1) + "\n",
                    encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Compares predictions with what is saved.")
    parser.add_argument("command", type=pathlib.Path, help="the sluice command")
    parser.add_argument("folder", type=pathlib.Path, help="for the programs and their files")
    parser.add_argument("--json", type=pathlib.Path, help="a file for every round")
    parser.add_argument("--programs", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent / "mended")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--by-clock", action="store_true", help="for programs that wait for a disk")
    parser.add_argument("--only", nargs="*", help="names of programs")
    options = parser.parse_args()
    sluice, folder, programs = (path.resolve() for path in
                                (options.command, options.folder, options.programs))
    json_file = options.json.resolve() if options.json else None
    measured = []
    print("| program | first advice | before s | predicted s | saved s | predicted / saved "
          "| within 20 % | in the range |\n|---|---|---|---|---|---|---|---|")
    os.environ.pop("PYTHONUNBUFFERED", None)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        os.chdir(scratch)
        write_inputs()
        for before in sorted(programs.glob("*.before.*")):
            if options.only and before.name.split(".")[0] not in options.only:
                continue
            measured.append(measure(sluice, before, pathlib.Path(scratch), options.rounds))
            print(row_of(measured[-1], options.by_clock), flush=True)
        os.chdir(folder)
    if json_file is not None:
        keep(json_file, measured)


if __name__ == "__main__":
    main()
