#!/usr/bin/env python3
"""Compares five forms of programs that use stdio: plain, with the calls that end in _unlocked, by
`sluice run`, and switched to sluice/stdio.h, without locks and with SLUICE_STDIO_LOCKED.

usage: switch.py CC LIBRARY COMMAND FOLDER [--rounds N] [--only calls|programs]
                 [--beside idle|writing] [--calls NAME...] [--json FILE [--more]]

FOLDER is on the file system to measure; the files in it are removed. The first table has each call
(switch_calls.c), the second one whole programs: two of tests/stdio, and programs of Debian that are
built from their unchanged source, if the machine has a mirror of Debian. The forms run in turn in
each round. The tables have the medians over the rounds, and the plain form's time divided by the
times of the two switched forms, as the median of the per-round ratios. FILE gets every round's
times. With --beside, the programs of the first table have a second thread, which waits or writes to
a FILE of its own all the time. With --more, FILE keeps what it has: the rounds of this run come
after those that it has.
"""
import argparse
import hashlib
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "stdio"))
import debian_sources  # pylint: disable=wrong-import-position

INCLUDE = HERE.parent / "include"
SWITCHES = ("switch", "switch, locked")
FORMS = ("plain", "_unlocked", "sluice run", *SWITCHES)
# What the compiler is given for each form that is a program of its own.
OPTIONS = {"plain": [], "_unlocked": ["-include", str(HERE / "unlocked_names.h")],
           "switch": [f"-I{INCLUDE}", "-include", "sluice/stdio.h"],
           "switch, locked": [f"-I{INCLUDE}", "-DSLUICE_STDIO_LOCKED", "-include",
                              "sluice/stdio.h"]}
PARTS = ("nanoseconds_of_calls", "seconds_of_programs")
# The parts of switch_calls.
CALLS = [HERE / f"switch_{name}.c" for name in ("calls", "writes", "reads")]


def file_name(form):
    return "".join(letter for letter in form if letter.isalpha())


class Bench:
    def __init__(self, arguments, scratch):
        self.compiler, self.rounds = arguments.compiler, arguments.rounds
        self.library = str(pathlib.Path(arguments.library).resolve())
        self.command = str(pathlib.Path(arguments.command).resolve())
        self.scratch = scratch
        self.has_mirror = not debian_sources.prepare(scratch / "lists_of_debian")

    def command_of(self, form, programs, words):
        program = programs["plain" if form == "sluice run" else form]
        run = [self.command, "run", "--"] if form == "sluice run" else []
        return [*run, str(program), *words]

    def compile(self, *sources):
        """The program of these source files, by form."""
        programs = {}
        for form, options in OPTIONS.items():
            programs[form] = self.scratch / f"{sources[0].stem}_{file_name(form)}"
            subprocess.run([self.compiler, "-O2", *options, *map(str, sources), self.library,
                            "-pthread", "-o", str(programs[form])], check=True)
        return programs

    def build(self, name, program):
        """The programs of one source package of Debian, by form."""
        programs = {}
        for form, options in OPTIONS.items():
            folder = self.scratch / f"{name}_{file_name(form)}"
            folder.mkdir()
            source = debian_sources.unpack(name, folder)
            compiler = folder / "cc"
            debian_sources.make_compiler(compiler, self.compiler, options, self.library)
            debian_sources.build(source, compiler)
            programs[form] = source / program
        return programs


def calls(bench, folder, beside, names):
    """Nanoseconds of each call: {call: {form: [a figure for each round]}}. The forms of one call
    run one after the other, because the speed of a shared machine changes within seconds."""
    programs = bench.compile(*CALLS)
    known = subprocess.run([programs["plain"], "--names"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    times = {}
    for _ in range(bench.rounds):
        for name in names or known:
            for form in FORMS:
                command = bench.command_of(form, programs, [str(folder), *beside, name])
                line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                nanoseconds = float(line.split("\t")[1])
                times.setdefault(name, {}).setdefault(form, []).append(nanoseconds)
    return times


def make_inputs(folder):
    random.seed(7)
    old = bytes(random.choice(b"abcdefgh") for _ in range(1 << 20))
    new = old[:90_000] + b"inserted" + old[90_002:400_000] + old[400_003:]
    (folder / "old").write_bytes(old)
    (folder / "new").write_bytes(new)
    lines = "".join(f"line {i} of many lines of text\n" for i in range(400_000))
    (folder / "lines").write_text(lines)
    (folder / "patch").write_text("".join(
        f"--- a/file{i}\n+++ b/file{i}\n@@ -1,3 +1,3 @@\n same\n-old {i}\n+new {i}\n same\n"
        for i in range(60_000)))
    (folder / "script").write_text("r lines\n1,$s/many/few/\nw out\nq\n")
    (folder / "words").write_text("sluice\n" * 20_000)


def programs_of(bench):
    """(name, programs by form, words, standard input) of each whole program."""
    own = HERE.parent / "tests" / "stdio"
    yield "delta builder", bench.compile(own / "delta_builder.c"), ["old", "new", "out"], None
    yield "line filter", bench.compile(own / "line_filter.c"), ["7"], "lines"
    if not bench.has_mirror:
        print("no mirror of Debian: its programs are left out", file=sys.stderr)
        return
    yield "diffstat", bench.build("diffstat", "diffstat"), ["patch"], None
    yield "ed, replace in each line", bench.build("ed", "ed"), ["-s"], "script"
    figlet = bench.build("figlet", "figlet")
    yield "figlet", figlet, ["-d", str(figlet["plain"].parent / "fonts")], "words"


def run_once(command, folder, standard_input):
    """The seconds of one run, and what it wrote."""
    (folder / "out").write_bytes(b"")
    with open(folder / "printed", "wb") as printed, \
            open(folder / (standard_input or os.devnull), "rb") as given:
        begin = time.monotonic()
        subprocess.run(command, cwd=folder, stdin=given, stdout=printed, check=True)
        seconds = time.monotonic() - begin
    written = [(folder / name).read_bytes() for name in ("printed", "out")]
    return seconds, hashlib.sha256(b"|".join(written)).hexdigest()


def whole_programs(bench, folder):
    """Seconds of each program: {program: {form: [a figure for each round]}}."""
    make_inputs(folder)
    times = {}
    for name, programs, words, standard_input in programs_of(bench):
        outputs = set()
        for round_number in range(bench.rounds + 1):
            for form in FORMS:
                command = bench.command_of(form, programs, words)
                seconds, output = run_once(command, folder, standard_input)
                outputs.add(output)
                if round_number != 0:  # the first round warms up
                    times.setdefault(name, {}).setdefault(form, []).append(seconds)
        if len(outputs) != 1:
            raise RuntimeError(f"{name}: the outputs of the forms differ")
    return times


def print_table(title, unit, times):
    columns = [title, *(f"{form}, {unit}" for form in FORMS),
               *(f"plain / {form}" for form in SWITCHES)]
    print("\n| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for name, by_form in times.items():
        figures = [f"{statistics.median(by_form[form]):.3g}" for form in FORMS]
        ratios = [statistics.median(plain / switched for plain, switched in
                                    zip(by_form["plain"], by_form[form]))
                  for form in SWITCHES]
        print(f"| {name} | " + " | ".join([*figures, *(f"{each:.3g}" for each in ratios)]) + " |")


def joined(before, result):
    """The rounds of both runs."""
    for part in PARTS:
        for name, by_form in result.get(part, {}).items():
            for form, values in by_form.items():
                before.setdefault(part, {}).setdefault(name, {}).setdefault(form, []).extend(values)
    before["rounds"] = min(len(values) for part in PARTS
                           for by_form in before.get(part, {}).values()
                           for values in by_form.values())
    return before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("library")
    parser.add_argument("command")
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("calls", "programs"))
    parser.add_argument("--beside", choices=("idle", "writing"))
    parser.add_argument("--calls", nargs="+", default=[])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--more", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, \
            tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        bench = Bench(arguments, pathlib.Path(scratch))
        result = {"machine": platform.processor() or platform.machine(),
                  "kernel": platform.release(), "rounds": arguments.rounds}
        if arguments.only != "programs":
            beside = ["--beside", arguments.beside] if arguments.beside else []
            result["nanoseconds_of_calls"] = calls(bench, pathlib.Path(folder),
                                                   beside, arguments.calls)
        if arguments.only != "calls":
            result["seconds_of_programs"] = whole_programs(bench, pathlib.Path(folder))
    print_table("call", "ns", result.get("nanoseconds_of_calls", {}))
    print_table("program", "s", result.get("seconds_of_programs", {}))
    if arguments.json:
        if arguments.more and arguments.json.exists():
            result = joined(json.loads(arguments.json.read_text()), result)
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
