#!/usr/bin/env python3
"""Checks `sluice recommend`: against a sweep of all combinations, and against itself.

usage: recommend.py COMMAND JSON SAMPLE FOLDER... [--runs N] [--no-sweep]

In each folder: N runs (10), whose choices are compared pairwise; and one run with --sweep, which
measures the recommended choice beside the best combinations. Prints a table, and writes every
result to JSON. Runs in which other programs kept the processors busy are not compared.
"""
import argparse
import collections
import itertools
import json
import pathlib
import subprocess
import tempfile


def run(command, folder, sample, *options):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([command, "recommend", "--dir", folder, "--json", file.name, *options,
                        sample], check=True, stdout=subprocess.DEVNULL)
        return json.loads(pathlib.Path(file.name).read_text())


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
        choices = [json.dumps(one["choice"]) for one in runs
                   if not one["disturbance"]["is_busy"]]
        print(f"{folder}: {len(runs) - len(choices)} of {len(runs)} runs were disturbed")
        pairs = list(itertools.combinations(choices, 2))
        agreeing = sum(one == other for one, other in pairs)
        print(f"{folder}: {agreeing} of {len(pairs)} pairs of runs agree", flush=True)
        for choice, count in collections.Counter(choices).most_common():
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
