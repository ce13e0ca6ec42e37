#!/usr/bin/env python3
"""Computes the factors of tools/trace/advice/calibration.cc from results of mended.py.

usage: calibration.py FILE [-v]

A rule of `sluice trace` computes a range (`computed` in the results), or a single figure. An end of
it is wrong by a factor: by least / saved if less was saved than the lower end, by saved / most if
more was saved than the upper end; each is the median of a program's rounds. The factors of a kind
are the narrowest pair by which the ends have to be moved until 93 % of the predictions of the kind
hold, counted for one prediction more than there are (split conformal prediction). No range becomes
narrower. (With 93 %, five of six predictions at first sight hold with the factors of the other
batches; more would need ranges that are twice as wide.)

The predictions are those of FILE, by the present rules, and those of the first build that traced a
program, which the files beside FILE have. A batch has the programs that were written at one time
and that no build had traced. The rules were mended for each batch after its first sight, so the
predictions of FILE alone would promise too much, and those at first sight alone too little.

Printed is also how many predictions hold with the factors of all other batches.
"""
import dataclasses
import json
import math
import pathlib
import statistics
import sys

HELD = 0.93
MUCH_AT_ONCE = 1.2  # as in mended.py
BATCHES = ("amd-zen4-mended-before", "amd-zen5-mended-before", "intel-mended-unseen-before",
           "intel-mended-twelve-before", "intel-mended-unseen-third-before",
           "intel-mended-blind-twenty")

# The kinds of predictions of builds that did not write them, as calibration.cc has them.
ESTIMATES = {"formatted-reads", "stream-bytes", "stream-pieces", "pipe-pieces", "read-again"}
IN_BUFFER = {"tiny-stdio-writes", "tiny-stdio-reads", "tiny-prints", "char-at-a-time"}
LANGUAGES = {"Python", "Perl", "Node", "shell", "awk", "Ruby", "PHP", "Tcl", "Lua"}

# The first advice is not about what the change saves: a later build has other advice about it.
OTHER_CAUSES = {"assets.lua", "meter.c", "ranks.cc"}


@dataclasses.dataclass
class Program:
    name: str
    batch: str
    kind: str
    below: float  # by which factor the lower end is wrong, if it is above 1
    above: float  # by which factor the upper end is wrong, if it is above 1

    def is_held(self, least, most):
        return self.below <= least and self.above <= most


def computed_of(each):
    if each.get("computed"):
        return each["computed"]
    kind = ("work between calls" if each["advice"] in ESTIMATES or each["runtime"] in LANGUAGES
            else "calls in the buffer" if each["advice"] in IN_BUFFER else "system calls")
    return {"kind": kind, "least_saved_s": each["least_saved_s"], "saved_s": each["saved_s"]}


def program_of(row, batch):
    """Nothing if most rounds have no advice that can be calibrated."""
    rounds = [each for each in row["rounds"]
              if each["advice"] != "none" and each.get("computed", True)]
    if 2 * len(rounds) <= len(row["rounds"]):
        return None
    by_clock = statistics.median(each.get("at_once", 1) for each in rounds) > MUCH_AT_ONCE
    time = "wall_s" if by_clock else "processor_s"
    ratios = []
    for each in rounds:
        saved = max(1e-9, each[f"before_{time}"] - each[f"after_{time}"])
        computed = computed_of(each)
        ratios.append((computed["least_saved_s"] / saved, saved / computed["saved_s"]))
    below, above = map(statistics.median, zip(*ratios))
    return Program(row["program"], batch, computed_of(rounds[0])["kind"], below, above)


def narrowest(programs):
    """The factors for the lower and the upper end."""
    held = min(len(programs), math.ceil((len(programs) + 1) * HELD))
    pairs = []
    for least in {1.0, *(each.below for each in programs if each.below > 1)}:
        above = sorted(each.above for each in programs if each.below <= least)
        if len(above) >= held:
            pairs.append((least, max(1.0, above[held - 1])))
    return min(pairs, key=math.prod)


def held_of(programs, least, most):
    return f"{sum(each.is_held(least, most) for each in programs)} of {len(programs)}"


def held_without_their_batch(programs, all_programs):
    """How many of the programs hold with the factors of the other batches."""
    held = 0
    for batch in {each.batch for each in programs}:
        factors = narrowest([each for each in all_programs if each.batch != batch])
        held += sum(each.is_held(*factors) for each in programs if each.batch == batch)
    return f"{held} of {len(programs)}"


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def first_sight_of(folder):
    """The predictions of the first build that traced each program, and their batches."""
    programs = {}
    for batch in BATCHES:
        for row in read(folder / f"{batch}.json"):
            if row["program"] not in programs:
                programs[row["program"]] = (batch, program_of(row, batch))
    return programs


def main():
    path = pathlib.Path(sys.argv[1])
    first = first_sight_of(path.parent)
    batch_of = {name: batch for name, (batch, _) in first.items()}
    now = [program_of(row, batch_of.get(row["program"], "the others")) for row in read(path)]
    at_first = [each for _, each in first.values()]
    for kind in sorted({each.kind for each in now if each}):
        parts = [[each for each in part
                  if each and each.kind == kind and each.name not in OTHER_CAUSES]
                 for part in (at_first, now)]
        pooled = [*parts[0], *parts[1]]
        least, most = narrowest(pooled)
        print(f"{kind}: lower end / {least:.2f}, upper end * {most:.2f}")
        for name, part in zip(("at first sight", "by the present rules"), parts):
            print(f"  {name}: {held_of(part, 1, 1)} right as computed, "
                  f"{held_of(part, least, most)} with the factors, "
                  f"{held_without_their_batch(part, pooled)} with those of the other batches")
            for each in part if "-v" in sys.argv else []:
                print(f"    {each.name:16} {each.batch:34} {each.below:5.2f} {each.above:5.2f}")


if __name__ == "__main__":
    main()
