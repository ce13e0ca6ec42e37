#!/usr/bin/env python3
"""Compares sluice's Writer and Reader on objects with Arrow's own streams, over versitygw.

usage: objects.py PROGRAM FOLDER [--mib N] [--rounds N] [--delay-ms N] [--ways write,read]
                  [--arrow-read-kib N] [--memory]

PROGRAM is the build's bin/objects_benchmark; versitygw keeps its objects in FOLDER. Each round runs
both programs, in turns; a warm-up round does not count. With --delay-ms every request takes so
long. --arrow-read-kib is how much Arrow's stream is asked for at a time. Prints JSON: each round's
seconds, the median ratio (Arrow's time by sluice's), and memory. With --memory sluice alone writes
an object and reads it, once.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "object"))
import s3_store  # noqa: E402  pylint: disable=wrong-import-position
from slow_link import SlowLink  # noqa: E402  pylint: disable=wrong-import-position


def run(program, way, uri, mib, arrow_read_kib=10240):
    result = subprocess.run([program, way, uri, str(mib), str(arrow_read_kib)],
                            env=s3_store.environment(), stdout=subprocess.PIPE,
                            check=True, text=True)
    return json.loads(result.stdout)


def measure(options, port, work):
    """The rounds of one kind of work: write or read."""
    rows = {"sluice": [], "arrow": []}
    for number in range(options.rounds + 1):
        names = list(rows) if number % 2 else list(rows)[::-1]
        sums = set()
        for name in names:
            target = "object" if work == "read" else f"{name}-object"
            row = run(options.program, f"{name}-{work}", s3_store.uri("bucket", target, port),
                      options.mib, options.arrow_read_kib)
            sums.add(row["sum"])
            if number:
                rows[name].append(row)
        assert len(sums) == 1, "the programs read different bytes"
    ratios = [arrow["seconds"] / sluice["seconds"]
              for sluice, arrow in zip(rows["sluice"], rows["arrow"], strict=True)]
    return {"ratio": statistics.median(ratios), "ratios": ratios, **rows}


def measure_memory(options, port):
    """Beyond what the process had when the object was open, in KiB."""
    result = {"mib": options.mib}
    for work in ("write", "read"):
        row = run(options.program, f"sluice-{work}", s3_store.uri("bucket", "object", port),
                  options.mib)
        result[work] = {**row, "beyond_kib": row["peak_kib"] - row["opened_kib"]}
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--mib", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--delay-ms", type=float, default=0)
    parser.add_argument("--arrow-read-kib", type=int, default=10240)
    parser.add_argument("--ways", default="write,read")
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    if options.mib % 10 != 0:
        parser.error("--mib takes multiples of 10: Arrow's stream is given 10 MiB at a time")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        store = s3_store.Versity(folder)
        try:
            store.client.make_bucket("bucket")
            if options.memory:
                print(json.dumps(measure_memory(options, store.port), indent=1))
                return
            run(options.program, "arrow-write", s3_store.uri("bucket", "object", store.port),
                options.mib)
            port = store.port
            if options.delay_ms:
                port = SlowLink(port, delay_s=options.delay_ms / 1000).port
            result = {"mib": options.mib, "delay_ms": options.delay_ms,
                      "arrow_read_kib": options.arrow_read_kib}
            for work in options.ways.split(","):
                result[work] = measure(options, port, work)
        finally:
            store.stop()
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
