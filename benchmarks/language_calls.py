#!/usr/bin/env python3
"""Measures what the I/O functions of languages cost for a call beside their system calls.

usage: language_calls.py COMMAND FOLDER JSON [LANGUAGE...]

`language_calls/` has pairs of small programs, in one file for each language. The first program of a
pair does nothing but to call the kernel again and again by an ordinary function of the language.
The second one does the same by few system calls. Each runs five times in FOLDER, and the least
processor time counts. `sluice trace` says how many such system calls the first program makes, and
what the calls on the same file cost. What the first program takes longer than the second one, and
longer than these calls, is work of the language: per call it is `work_ns` in JSON. The upper ends
of predictions about languages (tools/trace/costs/language_costs.cc) have the most of each kind.
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

ROUNDS = 5
PAIR = re.compile(r"^\S+ PAIR (\w+) (\d+) (.*)\n", re.MULTILINE)
AFTER = re.compile(r"^\S+ AFTER\n", re.MULTILINE)
INTERPRETERS = {"python": ["/usr/bin/python3"], "perl": ["perl"], "node": ["node"], "lua": ["lua"],
                "ruby": ["ruby"], "php": ["php"], "awk": ["gawk", "-f"], "tcl": ["tclsh"],
                "bash": ["bash"]}
CALLS = {"copy": {"fwrite", "fputs", "fputc", "fread", "fgetc", "fgets"},
         "write": {"write", "writev", "pwrite", "fwrite", "fputs", "fputc", "fflush"},
         "read": {"read", "readv", "pread", "fread", "fgets", "getline", "fgetc"},
         "seek": {"lseek", "fseek"},
         "open": {"open", "fopen"}}


def pairs_of(path):
    """Yields (kind, calls, name, before, after)."""
    parts = PAIR.split(path.read_text(encoding="utf-8"))
    for i in range(1, len(parts), 4):
        kind, calls, name, text = parts[i:i + 4]
        before, after = AFTER.split(text)
        yield kind, int(calls), name, parts[0] + before, parts[0] + after


def words_of(language, program):
    if language in INTERPRETERS:
        return [*INTERPRETERS[language], program]
    subprocess.run(["c++", "-O2", "-x", "c++", "-o", f"{program}.built", program], check=True)
    return [f"./{program}.built"]


def call(words, errors=None):
    pathlib.Path("out").unlink(missing_ok=True)
    with open("lines", "rb") as text, open("printed", "wb") as printed:
        subprocess.run(words, stdin=text, stdout=printed, stderr=errors, check=True)


def processor_s(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call(words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seen(sluice, words, kind):
    """The calls of this kind on the busiest file, and the seconds of all calls on this file."""
    call([sluice, "trace", "--json", "report", "--", *words], subprocess.DEVNULL)
    report = json.loads(pathlib.Path("report").read_text(encoding="utf-8"))
    counts = {}
    times = {}
    for site in report["call_sites"]:
        time = site["time"]
        times[site["file"]] = (times.get(site["file"], 0) + time["copying_s"] + time["system_s"]
                               + time["sleep_s"])
        if site["call"] in CALLS[kind]:
            counts[site["file"]] = counts.get(site["file"], 0) + site["calls"]
    busiest = max(counts, key=counts.get)
    return counts[busiest], times[busiest]


def measure(sluice, language, pair):
    kind, calls, name, before, after = pair
    words = []
    for which, text in (("before", before), ("after", after)):
        pathlib.Path(which).write_text(text.replace("CALLS", str(calls)), encoding="utf-8")
        words.append(words_of(language, which))
    before_s, after_s = (min(processor_s(each) for _ in range(ROUNDS)) for each in words)
    count, calls_s = seen(sluice, words[0], kind)
    return {"language": language, "kind": kind, "name": name, "calls": count,
            "before_s": round(before_s, 4), "after_s": round(after_s, 4),
            "calls_s": round(calls_s, 4),
            "work_ns": round((before_s - after_s - calls_s) / count * 1e9)}


def main():
    sluice, folder, result = (pathlib.Path(each).resolve() for each in sys.argv[1:4])
    sources = pathlib.Path(__file__).resolve().parent / "language_calls"
    os.chdir(folder)
    os.environ.pop("PYTHONUNBUFFERED", None)
    with open("lines", "w", encoding="ascii") as file:
        for number in range(200_000):
            file.write(f"line-{number} {number * 7919 % 1000} of a text\n")
    rows = json.loads(result.read_text(encoding="utf-8")) if result.exists() else []
    for path in sorted(sources.iterdir()):
        if sys.argv[4:] and path.stem not in sys.argv[4:]:
            continue
        rows = [row for row in rows if row["language"] != path.stem]
        for pair in pairs_of(path):
            rows.append(measure(str(sluice), path.stem, pair))
            print(rows[-1], flush=True)
    rows.sort(key=lambda row: (row["language"], row["kind"], row["name"]))
    result.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
