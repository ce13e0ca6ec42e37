#!/usr/bin/env python3
"""The output of the command when all goes well."""
import json
import re
import subprocess

import sluice_command
from sluice_command import CommandTest

KINDS = {"limit", "baseline", "peer", "sluice"}
SPREADS = ["wall_s", "user_s", "sys_s", "sleep_s"]
COUNTS = ["page_faults", "voluntary_switches", "involuntary_switches"]


def strategies_listed(text):
    """(kind, strategy) of every line of `sluice bench --list EXPERIMENT` that is a strategy."""
    return re.findall(r"^    (\w+) +(.+)$", text, re.MULTILINE)


class Information(CommandTest):
    def test_version(self):
        result = self.run_command("--version")
        self.expect_ok(result)
        self.assertRegex(result.stdout, r"\Asluice \d+\.\d+\.\d+\n\Z")

    def test_list_names_every_experiment(self):
        result = self.bench("--list")
        self.expect_ok(result)
        names = [line.split()[0] for line in result.stdout.splitlines()]
        self.assertEqual({"bytes", "sync", "read-whole", "read-lines", "write-lines", "console",
                          "overlap", "many-writers", "mixed", "replay", "small-files",
                          "memory", "numbers", "random", "compress", "cache", "cold",
                          "object-write", "object-read", "ranks"},
                         set(names))

    def test_list_of_an_experiment_names_its_strategies(self):
        result = self.bench("--list", "bytes")
        self.expect_ok(result)
        listed = strategies_listed(result.stdout)
        self.assertIn(("baseline", "fwrite"), listed)
        self.assertIn(("sluice", "sluice put"), listed)
        self.assertEqual(KINDS, {kind for kind, _ in listed})

    def test_list_names_a_library_or_has_its_rows(self):
        """A build may lack libraries. This experiment has a row of each."""
        result = self.bench("--list", "bytes")
        self.expect_ok(result)
        note = re.search(r"no rows of them: (.*)\n", result.stdout)
        left_out = note[1].split(", ") if note else []
        listed = " ".join(name for _, name in strategies_listed(result.stdout))
        for library, row in [("fmt::output_file", "fmt::output_file"),
                             ("Boost.Iostreams", "boost::iostreams"), ("APR", "apr_")]:
            self.assertNotEqual(library in left_out, row in listed, library)

    def test_rows_leave_the_limits_the_baseline_and_named_rows(self):
        result = self.bench("--list", "overlap", "--rows", "lasting", "--rows", "sluice")
        self.expect_ok(result)
        self.assertEqual({"compute", "raw write", "ofstream.write", "ostream.write",
                          "two buffers, a lasting thread", "sluice write(value)"},
                         {name for _, name in strategies_listed(result.stdout)})

    def test_help_defines_the_ratios(self):
        result = self.run_command("bench", "--help")
        self.expect_ok(result)
        for text in ["--dir", "--size", "--rounds", "--rows", "--touch-memory", "--quick", "--json",
                     "--list", "time/limit ", "speed/baseline ", "small-files"]:
            self.assertIn(text, result.stdout)


class Tables(CommandTest):
    """Every experiment runs, verifies its bytes, and has a row for every strategy. In memory,
    because they create files by the thousand and sync hundreds of times; what a disk adds to that
    is in the other tests."""

    place = sluice_command.IN_MEMORY

    def expect_all_rows(self, *experiment):
        small = ["--quick", "--size", "256K", "--rounds", "1"]
        listed = strategies_listed(self.bench("--list", *experiment, *small).stdout)
        self.assertGreaterEqual(len(listed), 3)
        result = self.bench(*experiment, *small)
        self.expect_ok(result)
        self.assertNotIn("FAILED", result.stdout)
        for kind, strategy in listed:
            self.assertRegex(result.stdout,
                             rf"(?m)^  {re.escape(strategy)}( \*)? +{kind}( +[-\d.KMG]+){{12}}$")
        self.assertIn("\nSummary\n", result.stdout)

    def test_bytes(self):
        self.expect_all_rows("bytes")

    def test_sync(self):
        self.expect_all_rows("sync")

    def test_read_whole(self):
        self.expect_all_rows("read-whole")

    def test_read_lines(self):
        self.expect_all_rows("read-lines")

    def test_write_lines(self):
        self.expect_all_rows("write-lines")

    def test_numbers(self):
        self.expect_all_rows("numbers")

    def test_console(self):
        self.expect_all_rows("console")

    def test_overlap(self):
        self.expect_all_rows("overlap")

    def test_many_writers(self):
        self.expect_all_rows("many-writers")

    def test_mixed(self):
        self.expect_all_rows("mixed")

    def test_random(self):
        self.expect_all_rows("random")

    def test_small_files(self):
        self.expect_all_rows("small-files")

    def test_memory(self):
        self.expect_all_rows("memory")

    def test_compress(self):
        self.expect_all_rows("compress")

    def test_cold_says_that_nothing_is_cold_in_memory(self):
        if self.place is None:
            self.skipTest("no folder is in memory for certain")
        result = self.bench("cold", "--size", "1M", "--rounds", "1", "--rows", "mmap")
        self.expect_ok(result)
        self.assertIn("\ncold: blocks of 4 KiB at random places of a file that is in memory",
                      result.stdout)
        self.assertIn("This folder is in memory: no row reads from a disk", result.stdout)
        self.assertNotIn("many reads under way", result.stdout)

    def test_replay(self):
        self.expect_all_rows("replay", self.input("a.sizes", "9 2\n5 1\n86267 1\n"))

    def test_real_text(self):
        text = self.input("words.txt", "some words\nand some more words\n" * 1000)
        self.expect_all_rows("read-lines", "--text", text)

    def test_two_replays_are_two_experiments_named_by_their_files(self):
        one = self.input("one.sizes", "9 2\n5000 1\n")
        two = self.input("two.sizes", "100 30\n")
        result = self.bench("--replay", one, "--replay", two, "replay", "--rounds", "1",
                            "--size", "64K")
        self.expect_ok(result)
        self.assertRegex(result.stdout, r"(?m)^replay: .*one\.sizes")
        self.assertRegex(result.stdout, r"(?m)^replay: .*two\.sizes")


class TablesOnADisk(CommandTest):
    """In memory these experiments leave out the rows that need a disk."""
    place = "/var/tmp"
    expect_all_rows = Tables.expect_all_rows

    def setUp(self):
        super().setUp()
        kind = subprocess.check_output(["stat", "-f", "-c", "%T", self.folder], text=True).strip()
        if kind not in ("ext2/ext3", "xfs", "btrfs"):
            self.skipTest(f"{self.place} is on {kind}, which may have no direct I/O")

    def test_cache(self):
        self.expect_all_rows("cache")

    def test_cold(self):
        self.expect_all_rows("cold")


class Json(CommandTest):
    def setUp(self):
        super().setUp()
        self.file = self.inputs / "results.json"

    def results(self, *arguments):
        self.expect_ok(self.bench(*arguments, "--json", self.file))
        return json.loads(self.file.read_text(encoding="utf-8"))

    def test_has_the_latencies_of_records_that_wait_for_the_disk(self):
        [experiment] = self.results("sync", "--quick", "--size", "64K", "--rounds", "1",
                                    "--rows", "Journal")["experiments"]
        for name in ("write(2) O_DSYNC", "Journal commit, 16 threads"):
            latencies = [row["latency_s"] for row in experiment["rows"]
                         if row["strategy"] == name and row["latency_s"] is not None]
            self.assertEqual(1, len(latencies), name)
            [latency] = latencies
            self.assertLess(0, latency["p50"])
            self.assertLessEqual(latency["p50"], latency["p99"])
            self.assertLessEqual(latency["p99"], latency["max"])
        [raw] = {row["latency_s"] is None for row in experiment["rows"] if row["kind"] == "limit"}
        self.assertTrue(raw, "what notes no operations has none")

    def test_follows_schema_1(self):
        results = self.results("write-lines", "read-lines", "--size", "1M", "--rounds", "2")
        self.assertEqual(1, results["schema"])
        self.assertEqual(str(self.folder), results["directory"])
        self.assertEqual(self.file_system(), results["filesystem"])
        self.assertEqual(2, results["runs"])
        self.assertEqual(0, results["touched_memory_bytes"])
        self.assertIs(False, results["interrupted"])
        for fact in ["cpu", "kernel", "libc", "compiler", "transparent_huge_pages", "date"]:
            self.assertIsInstance(results["machine"][fact], str)
        for fact in ["cores", "memory_bytes"]:
            self.assertGreater(results["machine"][fact], 0)
        self.assertEqual(["write-lines", "read-lines"],
                         [experiment["id"] for experiment in results["experiments"]])
        for experiment in results["experiments"]:
            self.assertIsInstance(experiment["title"], str)
            self.assertGreater(experiment["bytes"], 0)
            for row in experiment["rows"]:
                with self.subTest(row=row["strategy"]):
                    self.expect_row(row, rounds=2)

    def file_system(self):
        name = subprocess.run(["stat", "-f", "-c", "%T", self.folder], capture_output=True,
                              text=True, check=True).stdout.strip()
        return "ext4" if name == "ext2/ext3" else name

    def expect_row(self, row, rounds):
        self.assertIsInstance(row["strategy"], str)
        self.assertIn(row["kind"], KINDS)
        self.assertIsInstance(row["group"], str)
        self.assertIs(True, row["verified"])
        self.assertIsInstance(row["scaled"], bool)
        for count in ["buffer_bytes", "operations", "bytes", "syscalls", *COUNTS]:
            self.assertIsInstance(row[count], int)
        self.assertGreater(row["peak_rss_bytes"], 100_000)
        for name in SPREADS:
            spread = row[name]
            self.assertLessEqual(0, spread["min"])
            self.assertLessEqual(spread["min"], spread["median"])
            self.assertLessEqual(spread["median"], spread["max"])
        self.assertGreater(row["ratio_to_limit"], 0)
        self.assertGreater(row["ratio_to_baseline"], 0)
        self.assertEqual(rounds, len(row["rounds"]))
        walls = [each["wall_s"] for each in row["rounds"]]
        self.assertEqual(row["wall_s"]["min"], min(walls))
        self.assertEqual(row["wall_s"]["max"], max(walls))
        for each in row["rounds"]:
            self.assertTrue({*SPREADS, *COUNTS, "syscalls", "peak_rss_bytes"} <= set(each))

    def test_ratios_follow_from_the_rounds(self):
        results = self.results("write-lines", "--size", "1M", "--rounds", "1")
        rows = results["experiments"][0]["rows"]
        group = [row for row in rows if row["group"] == rows[0]["group"]]

        def cost(row):
            return row["rounds"][0]["wall_s"] / row["bytes"]

        limit = max(cost(row) for row in group if row["kind"] == "limit")
        [baseline] = [cost(row) for row in group if row["kind"] == "baseline"]
        for row in group:
            self.assertAlmostEqual(cost(row) / limit, row["ratio_to_limit"], places=6)
            self.assertAlmostEqual(baseline / cost(row), row["ratio_to_baseline"], places=6)

    def test_replaces_an_old_file(self):
        self.file.write_text("x" * 1_000_000, encoding="utf-8")
        results = self.results("write-lines", "--size", "64K", "--rounds", "1",
                               "--touch-memory", "1M")
        self.assertEqual(1 << 20, results["touched_memory_bytes"])
        self.assertEqual(1, len(results["experiments"]))

    def test_size_takes_a_suffix(self):
        small = self.results("mixed", "--size", "1M", "--rounds", "1")["experiments"][0]["bytes"]
        large = self.results("mixed", "--size", "8M", "--rounds", "1")["experiments"][0]["bytes"]
        self.assertGreater(large, 4 * small)


if __name__ == "__main__":
    sluice_command.main()
