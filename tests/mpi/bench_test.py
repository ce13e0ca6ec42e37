#!/usr/bin/env python3
"""The command line of `mpirun -n 3 sluice bench ranks`: what its options do, and what is refused.

usage: bench_test.py MPIRUN SLUICE
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import patience

MPIRUN, SLUICE = sys.argv[1:3]
SECONDS = 120  # for one run; see patience.py


class BenchRanks(unittest.TestCase):
    def run_ranks(self, *words):
        return self.run_bench("ranks", *words)

    def run_bench(self, *words):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1")
        command = [MPIRUN, "-n", "3", SLUICE, "bench", *words]
        return subprocess.CompletedProcess(command, *patience.run(command, SECONDS, environment))

    def expect_ratios(self, rows, text):
        """Each ratio is a way's speed against another way's, in the only round."""
        seconds = {row["way"]: row["seconds"][0] for row in rows}
        for row in rows:
            self.assertAlmostEqual(row["ratios"][0], rows[0]["seconds"][0] / row["seconds"][0])
            reference = seconds["blocks, not interleaved"] / row["seconds"][0]
            [line] = re.findall(rf"(?m)^  {re.escape(row['way'])}  +\d.*$", text)
            self.assertAlmostEqual(float(line.split()[-1]), reference, delta=0.0051)

    def test_a_wrong_command_line_ends_with_2_and_one_rank_complains(self):
        for words, reason in ((["--only", "nothing"], "nothing not in "),
                              (["--dir", "s3://KEY:SECRET@bucket/x"], "s3://... is a URI"),
                              (["--size", "none"], "'none' is not a positive whole number")):
            result = self.run_ranks(*words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(result.stderr.count("sluice bench ranks: "), 1, result.stderr)
            self.assertIn(reason, result.stderr)
            self.assertNotIn("SECRET", result.stderr + result.stdout)

    def test_a_bench_of_one_process_is_refused_by_one_rank(self):
        result = self.run_bench("bytes", "--quick", "--dir", "/nowhere")
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertEqual(result.stderr.count("sluice bench: mpirun has started several ranks"), 1,
                         result.stderr)
        self.assertNotIn("/nowhere", result.stderr)

    def test_a_full_disk_is_named_with_the_rank_and_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8M", "none", folder],
                                     check=False, capture_output=True)
            if mounted.returncode != 0:
                self.skipTest("only root can mount a small tmpfs")
            try:
                result = self.run_ranks("--dir", folder, "--size", "24M", "--only", "blocks")
            finally:
                subprocess.run(["umount", "-l", folder], check=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"sluice bench ranks: rank [0-2]: a write to "
                         rf"{folder}/\S+ failed: \S.*; the disk may be full")

    def test_help_is_no_error(self):
        result = self.run_ranks("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.count("--simulated-rate"), 1, result.stdout)

    def test_options_choose_the_bytes_and_the_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "times.json"
            result = self.run_ranks("--dir", folder, "--only", "records", "--rounds", "1",
                                    "--size", "12M", "--records-size", "600K", "--no-collective",
                                    "--json", file)
            self.assertEqual(result.returncode, 0, result.stderr)
            written = json.loads(file.read_text())
        self.assertNotIn("\0", written["mpi"])
        records, = written["experiments"]
        self.assertEqual(records["bytes"], 600 * 1024)
        ways = [row["way"] for row in records["rows"]]
        self.assertIn("sluice striped", ways)
        self.assertNotIn("write_all by a view", ways)
        self.expect_ratios(records["rows"], result.stdout)
        self.assertEqual((written["folder"], written["rounds"]), (folder, 1))
        first, second = result.stdout.splitlines()[:2]
        self.assertRegex(first, rf"^3 ranks in {folder} \(\w+\)$")
        self.assertRegex(second, r"MPI.*, 1 round after the warm-up, rank 0 on \d+ processors: \S")

    def test_the_table_says_what_its_columns_mean_and_how_sluice_compares(self):
        with tempfile.TemporaryDirectory() as folder:
            result = self.run_ranks("--dir", folder, "--size", "12M", "--rounds", "1",
                                    "--only", "blocks", "--only", "accelerator",
                                    "--only", "records", "--no-collective")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = result.stdout
        self.assertRegex(text, r"(?m)^In short: sluice contiguous had [\d.]+ times the speed of "
                         r"write_at loop( \(no clear difference: the rounds disagree\))?\.$")
        self.assertRegex(text, r"(?m)^In short: sluice contiguous had .*, and [\d.]+ times the "
                         r"speed of own thread, two blocks\.$")
        self.assertRegex(text, r"(?m)^In short: sluice striped had .*, and [\d.]+ times the speed "
                         r"of blocks, not interleaved\.$")
        for words in ("Larger is faster.", "against own thread: ", "against blocks: ",
                      "ends with `again`"):
            self.assertEqual(text.count(words), 1, text)
        self.assertNotIn("limit", text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
