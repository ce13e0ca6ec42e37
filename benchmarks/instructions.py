#!/usr/bin/env python3
"""Counts what `sluice run` adds to the programs of real_programs.py, on a busy machine too.

usage: instructions.py OBJECT [--subjects DIR] [--only TEXT...] [--part N] [--json FILE]

OBJECT is libsluice_run.so. The inputs are an N-th (20) of those of real_programs.py. Each program
runs plain and with the object, once under callgrind, which counts the instructions in user space of
all its processes, and once under strace, which counts the system calls. `Beyond the starts` is the
share of instructions and the number of system calls that the object adds, without those that it
adds to `true` for each process. Needs valgrind and strace.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

import real_programs
from real_programs import Program

TRUE = Program("true", ["/bin/true"])
# What a program does must not depend on chance.
ENVIRONMENT = {**os.environ, "LC_ALL": "C", "PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0"}


def part_of(program, part):
    """The program with an N-th of its loops."""
    words = [re.sub(r"\d{6,}", lambda found: str(int(found[0]) // part), word)
             for word in program.words]
    return program._replace(words=words)


def execute(folder, program, words, variables):
    (folder / "output").unlink(missing_ok=True)
    with open(folder / program.input, "rb") as given, open(folder / "output", "wb") as output:
        subprocess.run(words, cwd=folder, stdin=given, stdout=output, stderr=subprocess.DEVNULL,
                       check=True, env={**ENVIRONMENT, **variables})


def instructions(folder, program, variables):
    """The instructions of all processes, and the number of processes."""
    with tempfile.TemporaryDirectory(prefix="sluice-instructions-") as logs:
        execute(folder, program, ["valgrind", "--tool=callgrind", "--trace-children=yes",
                                  f"--log-file={logs}/%p", "--callgrind-out-file=/dev/null",
                                  *program.words], variables)
        counts = [re.search(r"Collected : (\d+)", path.read_text(encoding="utf-8"))
                  for path in pathlib.Path(logs).iterdir()]
        ended = [int(found[1]) for found in counts if found is not None]
        return sum(ended), len(ended)


def system_calls(folder, program, variables):
    with tempfile.NamedTemporaryFile(prefix="sluice-instructions-") as table:
        execute(folder, program, ["strace", "-f", "-c", "-o", table.name, *program.words],
                variables)
        lines = pathlib.Path(table.name).read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.endswith("total")).split()[3])


def counts(folder, program, variables):
    made, processes = instructions(folder, program, variables)
    return {"processes": processes, "instructions": made,
            "system_calls": system_calls(folder, program, variables)}


def measured(folder, program, with_object):
    execute(folder, program, program.words, {})  # the first run finds no files of an earlier one
    return {"program": program.name, "words": program.words,
            "plain": counts(folder, program, {}), "run": counts(folder, program, with_object)}


def row(of, start):
    plain, run = of["plain"], of["run"]
    added = {what: run[what] - plain[what] - run["processes"] * (start["run"][what] -
                                                                 start["plain"][what])
             for what in ("instructions", "system_calls")}
    return (f"| {of['program']} | {run['processes']} | {plain['instructions'] / 1e6:.2f} | "
            f"{run['instructions'] / 1e6:.2f} | "
            f"{100 * added['instructions'] / plain['instructions']:+.2f} % | "
            f"{plain['system_calls']} | {added['system_calls']:+d} |")


def main():
    parser = argparse.ArgumentParser(description="Counts instructions with and without sluice run.")
    parser.add_argument("object", help="libsluice_run.so")
    parser.add_argument("--subjects", help="the built tests/preload/subjects")
    parser.add_argument("--only", nargs="*", default=[""],
                        help="only the programs whose names contain one of these texts")
    parser.add_argument("--part", type=int, default=20, help="the inputs are divided by this")
    parser.add_argument("--json", help="a file for the counts")
    options = parser.parse_args()
    with_object = {"LD_PRELOAD": os.path.abspath(options.object)}
    rows = []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(
            tempfile.TemporaryDirectory(prefix="sluice-real-programs-", dir="."))).resolve()
        real_programs.write_inputs(folder, options.part)
        if options.subjects:
            (folder / "subjects").symlink_to(os.path.abspath(options.subjects))
        start = measured(folder, TRUE, with_object)
        print("| program | processes | plain, million | with the object, million | "
              "beyond the starts | system calls | beyond the starts |\n"
              "|---|---|---|---|---|---|---|")
        print(row(start, {"plain": start["plain"], "run": start["plain"]}))
        for program in real_programs.all_programs(options.subjects):
            is_wanted = any(text in program.name for text in options.only)
            if is_wanted and real_programs.is_installed(folder, program):
                rows.append(measured(folder, part_of(program, options.part), with_object))
                print(row(rows[-1], start), flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(
            json.dumps({"part": options.part, "start": start, "programs": rows}, indent=1) + "\n",
            encoding="utf-8")


if __name__ == "__main__":
    main()
