#!/usr/bin/env python3
"""Prints a rough table of the times of programs of Debian packages, with and without `sluice run`.

usage: real_programs.py COMMAND [--by run|trace] [--subjects DIR] [--rounds N] [--only TEXT...]
           [--json FILE] [--inputs DIR]

Each program runs three times in turn: plain, by COMMAND run (or trace), and plain again. Its output
goes to a file below the current folder. The times are wall times, including the start of the
processes. The first round warms up; the table has the medians of the other rounds. The ratio of the
two plain runs shows how much a ratio varies by chance. It stands beside the ratio of the command.
The outputs are compared after each round. The end of the table names the programs that are not
installed. For `sluice trace` a further column has the time of its start and of its report: the
whole time without the program's own. The DIR of --subjects holds the built tests/preload/subjects;
some of them are measured as well. FILE gets every round's times; the rows that it has of other
programs stay, so that the table can be made in parts. The DIR of --inputs keeps the inputs for the
next part.
"""
import argparse
import contextlib
import filecmp
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import free_memory

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "preload"))
import real_inputs  # pylint: disable=wrong-import-position

ROWS_OF_TABLE = ("CREATE TABLE t(a, b); WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL "
                 "SELECT i+1 FROM n WHERE i<3000000) INSERT INTO t SELECT i, 'row ' || i FROM n")
PHP_LOOP = '$f = fopen("output", "w"); for ($i = 0; $i < 2000000; $i++) fwrite($f, "line $i\\n");'
PERL_LOOP = "for my $i (1 .. 2000000) {"
# Each import into a new repository.
SVN_IMPORT = ("rm -rf repository config; svnadmin create repository; svn --config-dir config "
              "--non-interactive import -m message tree file://$PWD/repository")
SUM_OF_SIZES = ("import pathlib; files = pathlib.Path('files').rglob('file*'); "
                "print(sum(len(file.read_bytes()) for file in files))")
PHP_LINES = ('$f = fopen("long-text", "r"); '
             'while (($l = fgets($f)) !== false) if ($l[0] == "x") echo $l;')
DASH_LOOP = "i=0; while [ $i -lt 600000 ]; do echo line $i; i=$((i + 1)); done"


FREED_BYTES = 1 << 30  # more than a program writes


class Program(NamedTuple):
    name: str
    words: list
    input: str = os.devnull


PROGRAMS = [
    Program("gawk, print two fields", ["gawk", "{ print $2, $1 }", "long-text"]),
    Program("mawk, print two fields", ["mawk", "{ print $2, $1 }", "long-text"]),
    Program("xxd", ["xxd", "binary"]),
    Program("hexdump -C", ["hexdump", "-C", "small"]),
    Program("od -x", ["od", "-x", "binary"]),
    Program("pnmtoplainpnm", ["pnmtoplainpnm", "picture"]),
    Program("sqlite3 .dump", ["sqlite3", "base", ".dump"]),
    Program("samtools depth -a", ["samtools", "depth", "-a", "bam"]),
    Program("bedtools genomecov -d", ["bedtools", "genomecov", "-d", "-ibam", "few-bam"]),
    Program("tcpdump -r -w", ["tcpdump", "-Z", "root", "-r", "packets", "-w", "output"]),
    Program("tcpdump -r, text", ["tcpdump", "-Z", "root", "-nn", "-r", "few-packets"]),
    Program("php, fwrite loop", ["php", "-n", "-r", PHP_LOOP]),
    Program("perl, syswrite loop", ["perl", "-e", PERL_LOOP + ' syswrite(STDOUT, "line $i\\n") }']),
    Program("perl, print loop",
            ["perl", "-e", PERL_LOOP.replace("2", "9") + ' print "line $i\\n" }']),
    Program("dash, echo loop", ["dash", "-c", DASH_LOOP]),
    Program("cpio -o", ["cpio", "-o", "-H", "newc", "--quiet"], "names"),
    Program("dd", ["dd", "if=large", "of=output", "status=none"]),
    Program("sort", ["sort", "text"]),
    Program("sed s", ["sed", "s/alpha/omega/", "long-text"]),
    Program("tar c", ["tar", "-c", *["tree"] * 5]),
    Program("svn import", ["sh", "-c", SVN_IMPORT]),
    Program("git hash-object", ["git", "hash-object", "large"]),
    Program("grep -n", ["grep", "-n", "alpha", "long-text"]),
    Program("cut -f", ["cut", "-d", " ", "-f", "2-4", "long-text"]),
    Program("wc", ["wc", "text"]),
    Program("python3, print loop", [sys.executable, "-c", "for i in range(1000000): print(i)"]),
    # Many files, many processes, or many small calls.
    Program("tar c, 40,000 files", ["tar", "-c", "files"]),
    Program("find, 40,000 files", ["find", "files", "-newer", "text"]),
    Program("grep -r, 40,000 files", ["grep", "-rc", "a", "files"]),
    Program("cp -r, 40,000 files", ["sh", "-c", "rm -rf copy; cp -r files copy"]),
    Program("rsync -a, 40,000 files", ["sh", "-c", "rm -rf copy; rsync -a files/ copy"]),
    Program("python3, 40,000 files", ["/usr/bin/python3", "-c", SUM_OF_SIZES]),
    Program("git status, 8,000 files", ["git", "-C", "work", "status", "--short"]),
    Program("make, 400 targets", ["make", "-s", "-f", "makefile"]),
    Program("sqlite3, 300,000 inserts", ["sqlite3", "inserted"], "inserts"),
    Program("php, fgets loop", ["php", "-n", "-r", PHP_LINES]),
    Program("perl -ne", ["perl", "-ne", "print if /alpha beta/", "long-text"]),
    Program("readelf, 200 libraries", ["sh", "-c", "readelf -Ws libraries/*; true"]),
    Program("recode", ["recode", "latin1..utf8"], "binary"),
]

# Programs of the tests: `subjects` stands for their folder.
OWN_PROGRAMS = [
    Program("C, fscanf", ["subjects/small_calls", "fscanf", "numbers", "3000000"]),
    Program("C, fprintf", ["subjects/small_calls", "fprintf", "printed", "3000000"]),
    Program("C, 100 M getc", ["subjects/small_calls", "getc", "large", "100000000"]),
    Program("C++, std::cin in step with stdio", ["subjects/numbers_in_step"], "numbers"),
    Program("C++, std::endl", ["sh", "-c", "subjects/flushed_lines /dev/stdout 500000"]),
    Program("C, four threads", ["sh", "-c", "subjects/threads shared 500000; wc shared"]),
    Program("C, fork and popen",
            ["sh", "-c", "for how in popen system 'fork exit' popen system 'fork exit'; do "
             "subjects/children \"$how\" shared 50000000; wc shared; done"]),
]


def all_programs(subjects):
    return PROGRAMS + (OWN_PROGRAMS if subjects else [])


def is_installed(folder, program):
    return shutil.which(program.words[0]) is not None or (folder / program.words[0]).exists()


def write_inputs(folder, part=1):
    """Writes the inputs; with `part`, only so small a part of each."""
    real_inputs.write_text(folder / "text", 1_500_000 // part // 30)
    repeat(folder / "text", 30)
    shutil.copy(folder / "text", folder / "long-text")
    repeat(folder / "long-text", 3)
    real_inputs.write_binary(folder / "binary", 40_000_000 // part)
    shutil.copy(folder / "binary", folder / "large")
    repeat(folder / "large", 10)
    real_inputs.write_binary(folder / "small", 6_000_000 // part)
    real_inputs.write_ppm(folder / "picture", 3_000, 2_000 // part)
    real_inputs.write_sam(folder / "sam", 6_000 // part, 4_000_000 // part)
    real_inputs.write_sam(folder / "few-sam", 6_000 // part, 800_000 // part)
    real_inputs.write_pcap(folder / "packets", 1_500_000 // part)
    real_inputs.write_pcap(folder / "few-packets", 300_000 // part)
    real_inputs.write_tree(folder / "tree", 8_000 // part, 20_000)
    names = [str(path.relative_to(folder)) for path in sorted((folder / "tree").rglob("*"))]
    (folder / "names").write_text(("\n".join(names) + "\n") * 5)
    write_many_files(folder, part)
    prepare(folder, "sqlite3", "base", ROWS_OF_TABLE.replace("3000000", str(3_000_000 // part)))
    for name in ("", "few-"):
        prepare(folder, "samtools", "view", "-b", "-o", f"{name}bam", f"{name}sam")


def write_many_files(folder, part):
    real_inputs.write_tree(folder / "files", 40_000 // part, 1_024)
    numbers = map(str, range(3_000_000 // part))
    (folder / "numbers").write_text("\n".join(numbers) + "\n")
    rows = range(300_000 // part)
    (folder / "inserts").write_text(
        "DROP TABLE IF EXISTS t; CREATE TABLE t(a, b); BEGIN;\n"
        + "".join(f"INSERT INTO t VALUES({i}, 'row {i}');\n" for i in rows) + "COMMIT;\n")
    targets = [f"target{i}" for i in range(400 // part)]
    (folder / "makefile").write_text(
        f"all: {' '.join(targets)}\n{' '.join(targets)}:\n\t@cat names > /dev/null; true\n")
    (folder / "libraries").mkdir()
    for library in sorted(pathlib.Path("/usr/lib").glob("*-linux-gnu/lib*.so.*"))[:200 // part]:
        shutil.copy(library, folder / "libraries")
    shutil.copytree(folder / "tree", folder / "work")
    for words in (["init", "--quiet"], ["add", "."]):
        prepare(folder / "work", "git", *words)


def repeat(path, times):
    path.write_bytes(path.read_bytes() * times)


def prepare(folder, *words):
    if shutil.which(words[0]) is not None:
        subprocess.run(words, cwd=folder, check=True)


def seconds(folder, program, prefix):
    """Runs the program. Its output is the new file `output` in the folder."""
    (folder / "output").unlink(missing_ok=True)
    free_memory.take_and_free(FREED_BYTES)
    with open(folder / program.input, "rb") as given, open(folder / "output", "wb") as output, \
            open(folder / "errors", "wb") as errors:
        start = time.perf_counter()
        subprocess.run([*prefix, *program.words], cwd=folder, stdin=given, stdout=output,
                       stderr=errors, check=True, env={**os.environ, "LC_ALL": "C"})
        return time.perf_counter() - start


def traced_s(folder):
    """The time of the program alone, as the report of `sluice trace` says; else nothing."""
    found = re.search(r"^sluice trace: .*: (\d+\.\d{3}) s;", (folder / "errors").read_text(
        encoding="utf-8", errors="replace"), re.MULTILINE)
    return [] if found is None else [float(found[1])]


def measure(folder, program, prefix, rounds):
    """Returns the seconds of each round but the first, for each way.

    A later way runs while the disk still takes the output of earlier ones. So the order changes
    with each round.
    """
    prefixes = {"plain": [], "measured": prefix, "again": []}
    ways = list(prefixes)
    taken = {way: [] for way in [*ways, "traced"]}
    for number in range(rounds + 1):
        for way in ways[number % 3:] + ways[:number % 3]:
            (folder / way).unlink(missing_ok=True)
            taken[way].append(seconds(folder, program, prefixes[way]))
            if way == "measured":
                taken["traced"] += traced_s(folder)
            os.replace(folder / "output", folder / way)
        if not filecmp.cmp(folder / "plain", folder / "measured", shallow=False):
            sys.exit(f"{program.name}: the outputs differ")
    return {way: times[1:] for way, times in taken.items()}


def ratio(times, way):
    return statistics.median(after / before for before, after in zip(times["plain"], times[way]))


def row(program, times):
    plain, run = (statistics.median(times[way]) for way in ("plain", "measured"))
    around_ms = [(all_s - program_s) * 1e3
                 for all_s, program_s in zip(times["measured"], times["traced"])]
    return (f"| {program.name} | {plain:.2f} | {run:.2f} | {ratio(times, 'measured'):.3f} | "
            f"{ratio(times, 'again'):.3f} |"
            + (f" {statistics.median(around_ms):.0f} |" if around_ms else ""))


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
                "")


def write_json(path, measured):
    path = pathlib.Path(path)
    machine = {"system": platform.platform(), "processor": processor(),
               "processors": os.cpu_count()}
    rows = json.loads(path.read_text(encoding="utf-8"))["programs"] if path.exists() else []
    rows = {row["program"]: row for row in rows + measured}
    order = [program.name for program in PROGRAMS + OWN_PROGRAMS]
    programs = sorted(rows.values(), key=lambda row: order.index(row["program"]))
    path.write_text(json.dumps({"machine": machine, "programs": programs}, indent=1) + "\n",
                    encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Times real programs with and without sluice run.")
    parser.add_argument("command", help="the sluice command")
    parser.add_argument("--by", choices=["run", "trace"], default="run",
                        help="the command that is measured, with its report")
    parser.add_argument("--subjects", help="the built tests/preload/subjects")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", nargs="*", default=[""],
                        help="only the programs whose names contain one of these texts")
    parser.add_argument("--json", help="a file for the times of every round")
    parser.add_argument("--inputs", help="a folder that keeps the inputs for the next run")
    options = parser.parse_args()
    missing = []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(options.inputs or stack.enter_context(
            tempfile.TemporaryDirectory(prefix="sluice-real-programs-", dir="."))).resolve()
        folder.mkdir(exist_ok=True)
        if not (folder / "complete").exists():
            write_inputs(folder)
            (folder / "complete").touch()
        prefix = [os.path.abspath(options.command), options.by, "--"]
        is_traced = options.by == "trace"
        print(f"| program | plain s | {options.by} s | {options.by} / plain | plain / plain |"
              f"{' start and report ms |' if is_traced else ''}\n"
              f"|---|---|---|---|---|{'---|' if is_traced else ''}")
        if options.subjects:
            (folder / "subjects").unlink(missing_ok=True)
            (folder / "subjects").symlink_to(os.path.abspath(options.subjects))
        for program in all_programs(options.subjects):
            if not any(text in program.name for text in options.only):
                continue
            if not is_installed(folder, program):
                missing.append(program.words[0])
                continue
            times = measure(folder, program, prefix, options.rounds)
            measured = [{"program": program.name, "words": program.words,
                         **{f"{way}_s": each for way, each in times.items()},
                         "ratio": ratio(times, "measured"), "chance": ratio(times, "again")}]
            if options.json:
                write_json(options.json, measured)
            print(row(program, times), flush=True)
    if missing:
        print("\nnot installed:", *missing)


if __name__ == "__main__":
    main()
