#!/usr/bin/env python3
"""Computes the factors of tools/trace/calibration.cc from results of mended.py.

usage: calibration.py FILE [-v]

A rule of `sluice trace` computes a range (`computed` in the results), or a single figure. An end of
it is wrong by a factor: by least / saved if less was saved than the lower end, by saved / most if
more was saved than the upper end; each is the median of a program's rounds. The factors of a kind
are the narrowest pair by which the ends have to be moved until 95 % of the programs of the kind are
in their ranges, counted for one program more than there are. This is split conformal prediction:
the saving of the next program of the kind is in the range with about this probability, if it is a
program like these. No range becomes narrower.
"""
import dataclasses
import json
import math
import pathlib
import statistics
import sys

HELD = 0.95
NOTICEABLE = 0.95  # as in the report: a smaller range is a single figure
MUCH_AT_ONCE = 1.2  # as in mended.py
FIGURES_STAY = {"system calls"}


@dataclasses.dataclass
class Program:
    name: str
    kind: str
    is_figure: bool
    below: float  # by which factor the lower end is wrong, if it is above 1
    above: float  # by which factor the upper end is wrong, if it is above 1

    def is_held(self, least, most):
        if self.is_figure and self.kind in FIGURES_STAY:
            return abs(1 / self.above - 1) <= 0.2
        return self.below <= least and self.above <= most


def program_of(row):
    """Nothing if most rounds have no advice that can be calibrated."""
    rounds = [each for each in row["rounds"] if each["computed"]]
    if 2 * len(rounds) <= len(row["rounds"]):
        return None
    by_clock = statistics.median(each["at_once"] for each in rounds) > MUCH_AT_ONCE
    time = "wall_s" if by_clock else "processor_s"
    ratios = []
    for each in rounds:
        saved = max(1e-9, each[f"before_{time}"] - each[f"after_{time}"])
        least, most = (each["computed"][end] for end in ("least_saved_s", "saved_s"))
        ratios.append((least / most, least / saved, saved / most))
    narrow, below, above = map(statistics.median, zip(*ratios))
    return Program(row["program"], rounds[0]["computed"]["kind"], narrow > NOTICEABLE, below, above)


def narrowest(programs):
    """The factors for the lower and the upper end."""
    held = min(len(programs), math.ceil((len(programs) + 1) * HELD))
    pairs = []
    for least in {1.0, *(each.below for each in programs if each.below > 1)}:
        above = sorted(each.above for each in programs if each.below <= least)
        if len(above) >= held:
            pairs.append((least, max(1.0, above[held - 1])))
    return min(pairs, key=math.prod)


def held_without(programs):
    """The programs that are right if the factors are those of all others."""
    return sum(each.is_held(*narrowest([other for other in programs if other is not each]))
               for each in programs)


def main():
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    programs = [each for each in map(program_of, rows) if each is not None]
    for each in programs if "-v" in sys.argv else []:
        print(f"{each.name:16} {each.kind:20} {each.below:5.2f} {each.above:5.2f}")
    for kind in sorted({each.kind for each in programs}):
        of_kind = [each for each in programs if each.kind == kind]
        figures = [each for each in of_kind if each.is_figure and kind in FIGURES_STAY]
        ranges = [each for each in of_kind if each not in figures]
        least, most = narrowest(of_kind)
        print(f"{kind}: {len(of_kind)} programs; lower end / {least:.2f}, upper end * {most:.2f}\n"
              f"  {len(ranges)} ranges, {sum(each.is_held(1, 1) for each in ranges)} right as "
              f"computed\n  {len(figures)} single figures, "
              f"{sum(each.is_held(1, 1) for each in figures)} right\n"
              f"  {held_without(of_kind)} right with the factors of all others")


if __name__ == "__main__":
    main()
