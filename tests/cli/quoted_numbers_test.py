#!/usr/bin/env python3
"""The numbers that the manual pages and --help quote are those in the code.

A number that no line here accounts for is an error too: it is a constant's, or it is listed among
those that are not.
"""
import pathlib
import re
import subprocess
import unittest

import sluice_command

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = {"K": 2**10, "KiB": 2**10, "MiB": 2**20, "G": 2**30, "GiB": 2**30, "%": 0.01, "ms": 0.001}

NUMBER = r"(\d+(?:[.,]\d+)*(?: ?(?:KiB|MiB|GiB|ms|[KG%]))?)"

# Where: the words around the numbers, each (N), and the constants that these stand for.
HELD = ("preload/coalesce/coalesce.cc:max_held_bytes",)
FAILURE = "tools/command_line/command_error.h:exit_failure"
USAGE = "tools/command_line/command_error.h:exit_usage"
LOGS_IN_MEMORY = ("tools/launch/log_folder.cc:least_bytes",)
OVER_LIMIT = "tools/trace/command.h:exit_over_limit"
ENOUGH_GAIN = "tools/recommend/search.h:enough_gain"
LEAST_GAIN = "tools/recommend/search.h:least_gain"
ROUNDS = ("tools/bench/command.cc:default_rounds", "tools/bench/command.cc:quick_rounds")
QUOTED = {
    "sluice.1": [
        (r"(N) An error\. One line", (FAILURE,)),
        (r"(N) The command line is wrong", (USAGE,)),
        (r"--fail-over, trace may exit with (N): see", (OVER_LIMIT,)),
    ],
    "sluice-bench.1": [
        (r"after the warm-up round: by default (N), with --quick (N)\.", ROUNDS),
        (r"(N) if an experiment or a strategy could not be measured, (N) for a wrong command line",
         (FAILURE, USAGE)),
    ],
    "sluice-completion.1": [
        (r"(N) after an error \(.*?, (N) for a wrong command line", (FAILURE, USAGE)),
    ],
    "sluice-cat.1": [
        (r"(N) if a file could not be read whole: .*? (N) for a wrong command line",
         (FAILURE, USAGE)),
    ],
    "sluice-get.1": [
        (r"(N) if an object could not be read whole, .*? (N) for a wrong command line",
         (FAILURE, USAGE)),
    ],
    "sluice-put.1": [
        (r"(N) after an error .*? (N) for a wrong command line", (FAILURE, USAGE)),
    ],
    "sluice-recommend.1": [
        (r"the value saves at least (N) of the time, and surely (N), .* is (N) standard errors "
         r"smaller", (ENOUGH_GAIN, LEAST_GAIN, "tools/recommend/search.cc:clear_errors")),
        (r"\(under (N)\), a small gain, which another run may not find \(under (N)\)",
         (LEAST_GAIN, ENOUGH_GAIN)),
        (r"of less than (N) the command does not try compression",
         ("tools/recommend/trial.h:least_bytes_to_compress",)),
        (r"(N) after a failure, (N) for a mistake in the command line", (FAILURE, USAGE)),
    ],
    "sluice-run.1": [
        (r"a file system in memory of at least (N),", LOGS_IN_MEMORY),
        (r"The field schema is (N)\.", ("tools/run/report.h:schema",)),
        (r"a descriptor whose number is (N) or larger, or maps more than (N) files",
         ("preload/counters.h:end_of_holdable",
          "preload/coalesce/coalesce.cc:max_mapped_files")),
        (r"sees the coalesced bytes later: when (N) are coalesced", HELD),
        (r"(N) of each open file", HELD),
        (r"A write from a bad address below (N) or in the kernel's",
         ("preload/hook.h:first_page_that_linux_gives",)),
        (r"(N) if the program cannot be executed, (N) if there is no such program, (N) after "
         r"any other error, (N) for a wrong command line",
         ("tools/launch/program_file.h:exit_not_executable",
          "tools/launch/program_file.h:exit_not_found", FAILURE, USAGE)),
    ],
    "sluice-trace.1": [
        (r"a file system in memory of at least (N),", LOGS_IN_MEMORY),
        (r"if the calls themselves took less than (N), or less than (N) of the run",
         ("tools/trace/advice/advice.cc:min_s", "tools/trace/advice/advice.cc:min_share")),
        (r"if it is at least (N)\.", ("tools/trace/advice/advice.cc:least_s",)),
        (r"if it has read a file (N) times over",
         ("tools/trace/advice/file_rules.cc:very_many_times",)),
        (r"has (N) entries for files, and (N) for combinations",
         ("preload/trace/log.h:max_files", "preload/trace/log.h:max_usages")),
        (r"the first (N) are recorded", ("preload/trace/log.h:max_logs",)),
        (r"only if it takes at least (N) more than its median over the ranks",
         ("tools/trace/profile/ranks.cc:shortest_s",)),
        (r"an eighth of the missing bytes, at most (N),",
         ("preload/trace/maps.cc:max_timed_bytes",)),
        (r"the object times one call in (N)\.", ("preload/trace/ticks.h:copies_per_timed",)),
        (r"the version of the JSON's form, which is (N)\.",
         ("tools/trace/report/report.h:schema",)),
        (r"another one, with version (N)\.",
         ("tools/trace/comparison/comparison_report.cc:schema_of_comparison",)),
        (r"could be saved in total, exit with status (N)\.", (OVER_LIMIT,)),
        (r"With --compare, exit with status (N) if", (OVER_LIMIT,)),
        (r"in part if at most (N) are left", ("tools/trace/comparison/compare.cc:partly_share",)),
        (r"was left running, the exit status is (N) instead", (OVER_LIMIT,)),
        (r"limit cannot be checked, and the exit status is (N)\.", (FAILURE,)),
        (r"(N) if the limit of --fail-over is exceeded, (N) if a file .*? (N) for a wrong "
         r"command line",
         (OVER_LIMIT, FAILURE, USAGE)),
    ],
    "bench --help": [
        (r"after the warm-up round; by default (N), with --quick (N)", ROUNDS),
        (r"many files of (N) bytes",
         ("tools/bench/experiments/output/small_file_set.h:file_bytes",)),
        (r"blocks of (N) at random places", ("tools/bench/experiments/cold/cold.cc:block_bytes",)),
    ],
    "put --help": [],
    "recommend --help": [
        (r"if it saves at least (N) of the time", (ENOUGH_GAIN,)),
    ],
    "run --help": [
        (r"a kill from outside loses up to (N) that the program had written", HELD),
    ],
    "trace --help": [
        (r"Exit with (N) if", (OVER_LIMIT,)),
    ],
}

# Numbers that stand for no constant here: numbers of other programs, of examples, and fixed ones.
NOT_OURS = {
    "sluice.1": [r"0 Everything was done", r"lz4"],
    "put --help": [r"lz4", r"s3://", r"-7 to 22", r"-10 to 12", r"without it 1\b"],
    "sluice-bench.1": [r"such as 64M", r"--size 256M", r"\b0 if everything", r"128\+N",
                       r"1\.00 is the limit", r"mpirun -n 4 sluice", r"s3://"],
    "sluice-completion.1": [r"\b0 if the script"],
    "sluice-cat.1": [r"\b0 if every byte", r"\b1 too if", r"lz4", r"more than 8 MiB",
                     r"of up to 128 MiB", r"--long=28", r"version 0\.8",
                     r"log\.1\.gz log\.2\.zst", r"s3://"],
    "sluice-get.1": [r"\b0 if every byte", r"\bs3\b", r"eu-west-1", r"127\.0\.0\.1:9000"],
    "sluice-put.1": [r"exits with 0 only", r"\b0 if every byte", r"lz4", r"s3://",
                     r"\bu?int\d+", r"-7 to 22", r"-10 to 12", r"given, it is 1\b",
                     r"zstd command is 3\b"],
    "sluice-recommend.1": [r"\b0 if there is a result", r"128 \+ N", r"lz4"],
    "recommend --help": [r"lz4"],
    "sluice-run.1": [r"descriptors 0, 1 and 2", r"--steps 1000", r"takes about 0\.06 ms",
                     r"ext2, ext3, ext4,", r"f2fs,"],
    "sluice-trace.1": [r"such as 0\.5", r"and 0 otherwise", r"--fail-over 0\.5",
                       r"SIGUSR2", r"running, the exit status is 0\.", r"--for 60",
                       r"mpirun -n 4 (sluice|\./sim)", r"mpirun -n 1000 sluice",
                       r"for 10 seconds after"],
    "bench --help": [r"s3://", r"mpirun -n 4 sluice", r"such as 64M",
                     r"1\.00 is the limit", r"Below 1 the row is slower"],
}


def text_of_page(name):
    """The words of a manual page, on one line, without its markup and the sections of others."""
    lines = [line for line in (ROOT / "docs" / "man" / name).read_text().splitlines()
             if not line.startswith(".TH")]
    words = " ".join(re.sub(r"^\.[A-Za-z]+ ?", "", line) for line in lines)
    words = re.sub(r"\\f.", "", words.replace("\\-", "-")).replace('"', "")
    return re.sub(r" +", " ", re.sub(r"\(\d\)", "", words)).replace(" ,", ",")


def text_of_help(command):
    text = subprocess.run([sluice_command.COMMAND, *command.split()], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return re.sub(r"\s+", " ", re.sub(r"\(\d\)", "", text))


def pattern(words):
    return words.replace("(N)", NUMBER)


def text_of(where):
    return text_of_page(where) if where.endswith(".1") else text_of_help(where)


def number_in_text(text):
    number, unit = re.fullmatch(r"([\d.,]+) ?(\D*)", text).groups()
    return float(number.replace(",", "")) * UNITS.get(unit, 1)


def number_in_code(constant):
    """What the one definition of the constant says, computed: 16 * 1024, 1 << 30, 4'096."""
    file, name = constant.split(":")
    found = re.findall(rf"\b{name} = ([^;]+);", (ROOT / file).read_text())
    if len(found) != 1:
        raise AssertionError(f"{file} defines {name} {len(found)} times")
    value = re.sub(r"std::\w+\{(\d+)\}", r"\1", found[0].replace("'", ""))
    if not re.fullmatch(r"[\d.<*+ ()-]+", value):
        raise AssertionError(f"{file}: {name} = {found[0]} is nothing to compute")
    return float(eval(value))  # pylint: disable=eval-used


class QuotedNumbers(unittest.TestCase):

    def test_are_those_in_the_code(self):
        for where, quotations in QUOTED.items():
            text = text_of(where)
            for words, constants in quotations:
                with self.subTest(where=where, words=words):
                    found = re.search(pattern(words), text)
                    self.assertIsNotNone(found, "it says this no longer")
                    for quoted, constant in zip(found.groups(), constants, strict=True):
                        self.assertAlmostEqual(number_in_code(constant), number_in_text(quoted),
                                               msg=f"{quoted} is not {constant}")

    def test_are_all_accounted_for(self):
        pages = {page.name for page in (ROOT / "docs" / "man").glob("*.1")}
        self.assertEqual(pages, {where for where in QUOTED if where.endswith(".1")})
        for where, quotations in QUOTED.items():
            text = text_of(where)
            for words in [*(words for words, _ in quotations), *NOT_OURS.get(where, [])]:
                text = re.sub(pattern(words), "", text)
            with self.subTest(where=where):
                self.assertEqual([], re.findall(r"\S*\d\S*.{0,20}", text))


if __name__ == "__main__":
    sluice_command.main()
