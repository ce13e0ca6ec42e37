#!/usr/bin/env python3
"""Checks `sluice recommend`: against a sweep of all combinations, and against itself.

usage: recommend.py COMMAND JSON SAMPLE FOLDER... [--runs N] [--no-sweep]

In each folder: N runs (10), whose choices are compared pairwise; and one run with --sweep, which
measures the recommended choice beside the best combinations. Prints a table, and writes every
result to JSON. Runs in which other programs kept the processors busy are not compared.

Two runs agree if they recommend the same values of the same settings. Two runs are about as fast if
they agree, or if one of them measured both choices in its last stage, and the median of the ratios
of its rounds differs from 1 by 5 % at most.
"""
import argparse
import collections
import itertools
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

ABOUT_AS_FAST = 0.05


def run(command, folder, sample, *options):
    with tempfile.NamedTemporaryFile() as file:
        start = time.monotonic()
        subprocess.run([command, "recommend", "--dir", folder, "--json", file.name, *options,
                        sample], check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        return {"command_seconds": round(seconds, 1),
                **json.loads(pathlib.Path(file.name).read_text())}


def agree(one, other):
    return one["choice"] == other["choice"]


def are_about_as_fast(one, other):
    if agree(one, other):
        return True
    for report in (one, other):
        trials = {json.dumps(timed["choice"]): timed["seconds"] for timed in report["stages"][-1]}
        both = [trials.get(json.dumps(run["choice"])) for run in (one, other)]
        if all(both):
            ratio = statistics.median(first / second for first, second in zip(*both))
            return abs(ratio - 1) <= ABOUT_AS_FAST
    return False


def recommended_over_best(report):
    choice = report["choice"]
    finalists = report["sweep"]["finalists"]
    return next(one["ratio_to_best"] for one in finalists if one["choice"] == choice)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("json")
    parser.add_argument("sample")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--no-sweep", action="store_true")
    options = parser.parse_args()
    results = {}
    for folder in options.folders:
        runs = [run(options.command, folder, options.sample) for _ in range(options.runs)]
        quiet = [one for one in runs if not one["disturbance"]["is_busy"]]
        print(f"{folder}: {len(runs) - len(quiet)} of {len(runs)} runs were disturbed")
        pairs = list(itertools.combinations(quiet, 2))
        print(f"{folder}: {sum(agree(*pair) for pair in pairs)} of {len(pairs)} pairs of runs "
              f"agree, {sum(are_about_as_fast(*pair) for pair in pairs)} are about as fast",
              flush=True)
        choices = collections.Counter(json.dumps(one["choice"]) for one in quiet)
        for choice, count in choices.most_common():
            print(f"  {count} x {choice}", flush=True)
        results[folder] = {"runs": runs}
        if options.no_sweep:
            continue
        sweep = run(options.command, folder, options.sample, "--sweep")
        print(f"  sweep: time / best {recommended_over_best(sweep):.3f}, "
              f"of {len(sweep['sweep']['combinations'])} combinations: {sweep['choice']}",
              flush=True)
        results[folder]["sweep"] = sweep
    pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
