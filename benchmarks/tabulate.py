#!/usr/bin/env python3
"""Prints the promised figures of sluice, from the raw rounds in results of `sluice bench --json`.

Every ratio compares two rows of one group, which were measured in turn. It is the median of the
ratios of each round, of the time per byte. "limit" is the slowest limit of the group in a round.
A figure that no result has is left out.
"""

import argparse
import json
import statistics
import sys
from dataclasses import dataclass
from typing import Callable, Optional


@dataclass
class Group:
    rows: dict

    def row(self, name):
        return self.rows.get(name)


def per_byte(row, key="wall_s"):
    return [entry[key] / max(row["bytes"], 1) for entry in row["rounds"]]


def cpu_per_byte(row):
    return [(e["user_s"] + e["sys_s"]) / max(row["bytes"], 1) for e in row["rounds"]]


def limit_per_byte(group):
    limits = [per_byte(row) for row in group.rows.values() if row["kind"] == "limit"]
    return [max(values) for values in zip(*limits)]


def median_ratio(numerators, denominators):
    ratios = [a / b for a, b in zip(numerators, denominators) if b > 0]
    return statistics.median(ratios) if ratios else None


def faster(group, row, than):
    """Returns how many times as fast as `than` the row `row` is."""
    return median_ratio(per_byte(group.rows[than]), per_byte(group.rows[row]))


def fastest_peer(group, row, names):
    return min((faster(group, row, name), name) for name in names if name in group.rows)


def to_limit(group, row):
    return median_ratio(per_byte(group.rows[row]), limit_per_byte(group))


def to_row(group, row, other):
    return median_ratio(per_byte(group.rows[row]), per_byte(group.rows[other]))


def cpu_to_row(group, row, others):
    work = [sum(parts) for parts in zip(*(cpu_per_byte(group.rows[o]) for o in others))]
    return median_ratio(cpu_per_byte(group.rows[row]), work)


def ns_beyond_limit(group, row):
    """Nanoseconds an operation that `row` takes longer than the limit of the same round."""
    measured = group.rows[row]
    bytes_per_operation = measured["bytes"] / measured["operations"]
    beyond = [a - b for a, b in zip(per_byte(measured), limit_per_byte(group))]
    return statistics.median(beyond) * bytes_per_operation * 1e9


def calls(group, row):
    return statistics.median(entry["syscalls"] for entry in group.rows[row]["rounds"])


def peak_mb(group, row):
    return max(entry["peak_rss_bytes"] for entry in group.rows[row]["rounds"]) / 1e6


IOSTREAM_WAYS = [
    "istreambuf_iterator into stringstream", "string.assign(iterators)", "stringstream << rdbuf",
    "string.assign(iterators) reserve", "std::getline append", "rdbuf()->sgetn",
    "std::getline append reserve pubsetbuf=256K", "rdbuf()->sgetn pubsetbuf=256K",
    "istream::read", "istream::read into array, assign", "custom streambuf 256K",
]


@dataclass
class Figure:
    name: str
    experiment: str
    group: str  # the beginning of the group's title
    target: float
    at_least: bool
    value: Callable[[Group], float]
    than: Optional[str] = None  # the row with which `value` compares
    is_beside_limit: bool = False  # `value` divides by the cost of the cheapest possible calls


def at_least(name, experiment, group, target, value, than=None):
    return Figure(name, experiment, group, target, True, value, than)


def at_most(name, experiment, group, target, value):
    return Figure(name, experiment, group, target, False, value)


def beside_limit(name, experiment, group, target, value):
    return Figure(name, experiment, group, target, False, value, is_beside_limit=True)


def times_faster(name, experiment, group, target, row, than):
    return at_least(name, experiment, group, target, lambda g: faster(g, row, than), than)


def line_figures(group, times_getline, times_raw_read):
    return [
        times_faster(f"{group}, speed / std::getline", "read-lines", group + ", cached",
                     times_getline, "sluice lines", "std::getline"),
        beside_limit(f"{group}, time / raw read", "read-lines", group + ", cached", times_raw_read,
                     lambda g: to_limit(g, "sluice lines")),
        at_most(f"{group}, time / read(2) and memchr", "read-lines", group + ", cached", 1,
                lambda g: to_row(g, "sluice lines", "read(2) 256K, memchr")),
    ]


def number_figures():
    def written(name, kind, target, row, other):
        return at_most(f"{kind} written: {name}", "numbers", WRITTEN[kind], target,
                       lambda g: to_row(g, row, other))
    compiled = "FMT_COMPILE memory_buffer, fwrite"
    number = "sluice write_number put('\\n')"
    return [
        written("write_number, time / (reserve + to_chars)", "integers", 0.75, number,
                "sluice reserve, std::to_chars"),
        written("write_number, time / {fmt} compiled", "integers", 0.8, number,
                compiled),
        written("print compiled, time / {fmt} compiled", "integers", 1.15,
                "sluice print FMT_COMPILE", compiled),
        written("print, time / fmt::output_file", "integers", 1, "sluice print",
                "fmt::output_file print"),
        written("write_number, time / {fmt} compiled", "doubles", 1, number, compiled),
        at_most("integers read: next_number, time / (lines + from_chars)", "numbers",
                READ_INTEGERS, 0.8,
                lambda g: to_row(g, "sluice next_number", "sluice lines, std::from_chars")),
        times_faster("integers read: next_number, speed / ifstream >>", "numbers", READ_INTEGERS, 7,
                     "sluice next_number", "ifstream >>"),
    ]


def position_figures():
    row = "sluice seek read_value"
    return [
        times_faster("seek + 8 bytes near, speed / (fseek + fread)", "random", "read near", 10, row,
                     "fseeko fread"),
        at_most("seek + 8 bytes at random, time / pread", "random", "read at random", 1,
                lambda g: to_row(g, row, "pread")),
    ]


def written_line_figures(group):
    row = "sluice write(line) put('\\n')"
    return [
        times_faster(f"{group} written, speed / << '\\n'", "write-lines", group, 8, row,
                     "ofstream << '\\n'"),
        times_faster(f"{group} written, speed / << endl", "write-lines", group, 30, row,
                     "ofstream << endl"),
    ]


def many_writers_figures(threads):
    def ratio(group, other):
        return to_row(group, "sluice, write-behind automatic", other)
    name = "1 thread" if threads == 1 else f"{threads} threads"
    off = "sluice, write-behind off"
    return [
        at_most(f"{name}, a file each, time / time without write-behind", "many-writers",
                f"{name}, nothing computed", 1.05, lambda g: ratio(g, off)),
        at_most(f"{name}, a file each, computing, time / time without write-behind",
                "many-writers",
                f"{name}, each value computed once", 1.05, lambda g: ratio(g, off)),
        beside_limit(f"{name}, a file each, time / raw write", "many-writers",
                     f"{name}, nothing computed", 1.05,
                     lambda g: to_limit(g, "sluice, write-behind automatic")),
    ]


DISTURBED_BELOW = 0.9
ONE = "write, one thread"
WRITTEN = {"integers": "write 10 M integers", "doubles": "write 10 M doubles"}
READ_INTEGERS = "read 10 M integers"
FIGURES = [
    times_faster("put, speed / fwrite", "bytes", ONE, 15, "sluice put", "fwrite"),
    times_faster("put, speed / fwrite_unlocked", "bytes", ONE, 7, "sluice put", "fwrite_unlocked"),
    times_faster("put, speed / putc_unlocked", "bytes", ONE, 1, "sluice put", "putc_unlocked"),
    times_faster("put, speed / filebuf.sputc", "bytes", ONE, 1, "sluice put", "filebuf.sputc"),
    beside_limit("put, time / max(fill, raw write)", "bytes", ONE, 1.3,
                 lambda g: to_limit(g, "sluice put")),
    times_faster("write(&b, 1), speed / fwrite", "bytes", ONE, 12, "sluice write(&b,1)", "fwrite"),
    times_faster("get, speed / fread of 1 byte", "bytes", "read, one thread", 10, "sluice get",
                 "fread"),
    beside_limit("overlap, time / max(compute, raw write)", "overlap",
                 "each value computed once", 1.25, lambda g: to_limit(g, "sluice write(value)")),
    times_faster("overlap, speed / ofstream", "overlap", "each value computed once", 5,
                 "sluice write(value)", "ofstream.write"),
    times_faster("overlap, speed / two buffers and a lasting thread", "overlap",
                 "each value computed once", 1, "sluice write(value)",
                 "two buffers, a lasting thread"),
    at_most("overlap, nothing computed, time / one buffer", "overlap",
            "nothing computed", 1.05,
            lambda g: to_row(g, "sluice write(value)", "one buffer")),
    *[figure for threads in (1, 2, 4, 8, 16) for figure in many_writers_figures(threads)],
    beside_limit("mixed, processor time / raw write", "mixed", "pieces of 9, 5", 1.05,
                 lambda g: cpu_to_row(g, "sluice write", ["raw write"])),
    beside_limit("svn-import, processor time / raw write", "replay:svn-import", "", 1.05,
                 lambda g: cpu_to_row(g, "sluice write", ["raw write"])),
    at_least("svn-import, calls of the 4 KiB copy / calls of a Writer", "replay:svn-import", "", 10,
             lambda g: calls(g, "copy through 4K") / calls(g, "sluice write")),
    beside_limit("bdelta, processor time / raw write", "replay:bdelta", "", 1.05,
                 lambda g: cpu_to_row(g, "sluice write", ["raw write"])),
    beside_limit("bdelta, processor time / (walk + raw write)", "replay:bdelta", "", 1.05,
                 lambda g: cpu_to_row(g, "sluice write", ["raw write", "walk"])),
    beside_limit("read_file Bytes, time / warm read", "read-whole", "one large file, cached", 1.35,
                 lambda g: to_limit(g, "sluice read_file Bytes")),
    at_least("read_file Bytes, speed / fastest way with iostreams", "read-whole",
             "one large file, cached", 2,
             lambda g: fastest_peer(g, "sluice read_file Bytes", IOSTREAM_WAYS)[0]),
    at_least("read_file string, speed / fastest way with iostreams", "read-whole",
             "one large file, cached", 1,
             lambda g: fastest_peer(g, "sluice read_file string", IOSTREAM_WAYS)[0]),
    *line_figures("lines of 60 bytes", 2.4, 1.4),
    *line_figures("lines of 2 to 118 bytes", 2.4, 1.4),
    *line_figures("lines of 10 bytes", 7, 1.9),
    *line_figures("lines of 2 to 18 bytes", 7, 1.9),
    at_most("lines of 10 bytes, ns a line beyond the raw read", "read-lines",
            "lines of 10 bytes, cached", 1.5, lambda g: ns_beyond_limit(g, "sluice lines")),
    *number_figures(),
    *position_figures(),
    *written_line_figures("lines of 60 bytes"),
    *written_line_figures("lines of 10 bytes"),
    beside_limit("10,000 small files, time / open write close", "small-files", "", 1.05,
                 lambda g: to_limit(g, "sluice Writer")),
    at_most("10,000 open Writers, peak MB", "memory", "10000 files", 60,
            lambda g: peak_mb(g, "sluice Writer")),
    at_most("writing 16 GiB, peak memory / peak memory of 16 MiB", "memory", "one file", 1.05,
            lambda g: peak_mb(g, "sluice put 16 GiB") / peak_mb(g, "sluice put 16 MiB")),
]


def experiment_key(experiment):
    if experiment["id"] != "replay":
        return experiment["id"]
    for name in ("svn-import", "bdelta"):
        if name in experiment["title"]:
            return "replay:" + name
    return "replay"


def groups_of(result):
    groups = {}
    for experiment in result["experiments"]:
        for row in experiment["rows"]:
            if not row["verified"]:
                raise SystemExit(
                    f"{experiment['id']}: row {row['strategy']} failed: {row['error']}")
            key = (experiment_key(experiment), row["group"])
            groups.setdefault(key, Group({})).rows[row["strategy"]] = row
    return groups


def group_in(result, figure) -> Optional[Group]:
    for (experiment, title), group in groups_of(result).items():
        if experiment == figure.experiment and title.startswith(figure.group):
            return group
    return None


def cell(figure, group):
    if group is None:
        return "not measured"
    value = figure.value(group)
    reached = value >= figure.target if figure.at_least else value <= figure.target
    text = f"{value:.3g}" + ("" if reached else " **missed**")
    if not reached and figure.than:  # the figure that the cheapest possible calls reach
        most = median_ratio(per_byte(group.rows[figure.than]), limit_per_byte(group))
        text += f" (limit {most:.3g})"
    # Nothing costs less than the cheapest possible calls, so other programs must have slowed them
    # down.
    disturbed = figure.is_beside_limit and value < DISTURBED_BELOW
    return text + (" (limit disturbed)" if disturbed else "")


def column_of(result):
    touched = result.get("touched_memory_bytes", 0)
    return result["filesystem"] + (", memory touched" if touched else "")


def machine_of(result):
    return {fact: result["machine"][fact] for fact in ("cpu", "cores", "memory_bytes", "kernel")}


def merge(paths):
    """Merges the results of one column. Each experiment must be in only one of the files, so that
    no ratio compares different runs."""
    merged = {}
    machine = None
    for path in paths:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        machine = machine or machine_of(result)
        if machine_of(result) != machine:
            raise SystemExit(f"{path}: measured on another machine than {paths[0]}")
        column = merged.setdefault(column_of(result), {"experiments": []})
        known = {experiment_key(experiment) for experiment in column["experiments"]}
        for experiment in result["experiments"]:
            if experiment_key(experiment) in known:
                raise SystemExit(f"{path}: {experiment['id']} on {column_of(result)} "
                                 "stands in an earlier file already")
        column["experiments"] += result["experiments"]
    return merged


def keep_fastest_rounds(results):
    for result in results.values():
        for experiment in result["experiments"]:
            for row in experiment["rows"]:
                row["rounds"] = [min(row["rounds"], key=lambda entry: entry["wall_s"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a figure is missed")
    parser.add_argument("--fastest", action="store_true",
                        help="take each row's fastest round, not the median of per-round ratios: "
                             "what is reached when nothing disturbs")
    parser.add_argument("results", nargs="+", metavar="RESULT.json")
    options = parser.parse_args()
    results = merge(options.results)
    if options.fastest:
        keep_fastest_rounds(results)
    print("| figure | must reach |" + "".join(f" {name} |" for name in results))
    print("|---|---|" + "---|" * len(results))
    missed = False
    for figure in FIGURES:
        bound = f"at {'least' if figure.at_least else 'most'} {figure.target:g}"
        groups = [group_in(result, figure) for result in results.values()]
        if not any(groups):
            continue
        cells = [cell(figure, group) for group in groups]
        missed = missed or any("missed" in text for text in cells)
        print(f"| {figure.name} | {bound} |" + "".join(f" {text} |" for text in cells))
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
