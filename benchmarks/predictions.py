#!/usr/bin/env python3
"""Compares the savings that `sluice trace` predicts with the real savings of `sluice run`.

usage: predictions.py COMMAND SUBJECTS FOLDER [JSON]

COMMAND is the sluice command, SUBJECTS is the folder of the compiled test programs, and FOLDER lies
on the file system to be measured. Each case is traced three times. Then it runs seven times plain
and seven times accelerated, in turn. The table has the median prediction, the median saving and the
least of each time. The file JSON has every single time.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

TRACES = 3
ROUNDS = 7


def cases(subjects, folder):
    """Tuples of a name, the command, and the options of `sluice run`."""
    numbers = folder / "numbers"
    with open(numbers, "w", encoding="ascii") as file:
        for number in range(4_000_000):
            file.write(f"{number} a line of text to be read\n")
    table = folder / "table"
    table.write_bytes(bytes(range(256)) * 65536)
    out = folder / "out"
    coalesce = ["--coalesce"]
    return [
        ("fwrite of 1 byte", [subjects / "one_byte", out, "60000000"], []),
        ("fwrite of 8 bytes", [subjects / "small_calls", "fwrite", out, "20000000"], []),
        ("fputs of a line", [subjects / "small_calls", "fputs", out, "10000000"], []),
        ("putc", [subjects / "small_calls", "putc", out, "60000000"], []),
        ("fread of 8 bytes", [subjects / "small_calls", "fread", numbers, "14000000"], []),
        ("getc", [subjects / "small_calls", "getc", numbers, "100000000"], []),
        ("fgets", [subjects / "small_calls", "fgets", numbers, "4000000"], []),
        ("getline", [subjects / "small_calls", "getline", numbers, "4000000"], []),
        ("fwrite of 100 bytes", [subjects / "small_calls", "fwrite100", out, "3000000"], []),
        ("seek and read", [subjects / "seek_and_read", table, "5000000"], []),
        ("ofstream << endl", [subjects / "flushed_lines", out, "2000000"], coalesce),
        ("write(2) of a line", [subjects / "written_lines", out, "2000000"], coalesce),
        # `sluice run` gains nothing here, so nothing may be predicted.
        ("ofstream << endl, appending", [subjects / "flushed_lines", out, "2000000", "append"],
         coalesce),
        ("ofstream << endl, a handler", [subjects / "flushed_lines", out, "2000000", "handler"],
         coalesce),
        ("write(2) of a line, standard output",
         ["sh", "-c", f"exec '{subjects / 'records'}' standard - 2000000 > '{out}'"], coalesce),
        ("fprintf", [subjects / "small_calls", "fprintf", out, "3000000"], []),
        ("getc_unlocked", [subjects / "small_calls", "getc_unlocked", numbers, "100000000"], []),
    ]


def wall_s(words):
    start = time.monotonic()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def predicted_s(sluice, words, by, report):
    """Returns the predicted savings of all advice that names `by`, added up, for each trace."""
    predictions = []
    for _ in range(TRACES):
        subprocess.run([sluice, "trace", "--json", report, "--", *words],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        advice = json.loads(report.read_text(encoding="utf-8"))["advice"]
        predictions.append(sum(each["run_saves_s"] for each in advice if each["by"] in by))
    return predictions


def measure(sluice, words, options):
    pairs = []
    for _ in range(ROUNDS):
        pairs.append((wall_s(words), wall_s([sluice, "run", *options, "--", *words])))
    return pairs


def main():
    sluice, subjects, folder = map(pathlib.Path, sys.argv[1:4])
    measured = []
    print("| case | plain s | run s | times | predicted s | saved s | predicted / saved |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        scratch = pathlib.Path(scratch)
        for name, words, options in cases(subjects, scratch):
            words = [str(word) for word in words]
            by = ["run", " ".join(["run", *options])]
            predictions = predicted_s(sluice, words, by, scratch / "report")
            pairs = measure(sluice, words, options)
            measured.append({"case": name, "predicted_s": predictions,
                             "plain_s": [plain for plain, _ in pairs],
                             "run_s": [fast for _, fast in pairs]})
            predicted = statistics.median(predictions)
            saved = statistics.median(plain - fast for plain, fast in pairs)
            times = statistics.median(plain / fast for plain, fast in pairs)
            plain = min(plain for plain, _ in pairs)
            fast = min(fast for _, fast in pairs)
            ratio = f"{predicted / saved:.2f}" if predicted > 0 else "none predicted"
            print(f"| {name} | {plain:.2f} | {fast:.2f} | {times:.2f} | {predicted:.2f} "
                  f"| {saved:.2f} | {ratio} |", flush=True)
    if len(sys.argv) > 4:
        pathlib.Path(sys.argv[4]).write_text(json.dumps(measured, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
