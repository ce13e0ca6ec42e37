#!/usr/bin/env python3
"""Times the example trajectories with plain and with compressed positions.

usage: trajectories.py SIMULATE FOLDER JSON [STEPS]

SIMULATE is the program of examples/trajectories. FOLDER lies on the file system to be measured.
Each run simulates STEPS (1,000,000) steps, and its file is durable at the end. The forms take
turns, and a first round does not count. A printed ratio is the median of the ratios of the rounds.
"""
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

ROUNDS = 5
MINUTES = (60, 10)
FORMS = ("plain", "series")


def run(simulate, folder, steps, minutes, form):
    shutil.rmtree(folder, ignore_errors=True)
    words = [simulate, folder, str(steps), str(minutes), form]
    output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    seconds, size = re.search(r"([\d.]+) s, (\d+) bytes", output).groups()
    return {"seconds": float(seconds), "bytes": int(size)}


def main():
    simulate, folder, target = sys.argv[1:4]
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 1_000_000
    folder = pathlib.Path(folder) / "trajectories"
    results = {}
    for minutes in MINUTES:
        rows = {form: [] for form in FORMS}
        for round_ in range(ROUNDS + 1):
            for form in FORMS[round_ % 2:] + FORMS[:round_ % 2]:
                result = run(simulate, folder, steps, minutes, form)
                if round_ > 0:
                    rows[form].append(result)
        pairs = list(zip(rows["plain"], rows["series"]))
        smaller = pairs[0][0]["bytes"] / pairs[0][1]["bytes"]
        faster = statistics.median(a["seconds"] / b["seconds"] for a, b in pairs)
        print(f"steps of {minutes} minutes: {smaller:.1f} times smaller, "
              f"{faster:.2f} times as fast")
        results[f"{minutes} minutes"] = rows
    shutil.rmtree(folder)
    pathlib.Path(target).write_text(json.dumps({"steps": steps, "results": results}, indent=1) +
                                    "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
