#!/usr/bin/env python3
"""The command line of `mpirun -n 3 sluice bench ranks`: what its options do, and what is refused.

usage: bench_test.py MPIRUN SLUICE
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import patience

MPIRUN, SLUICE = sys.argv[1:3]
SECONDS = 120  # for one run; see patience.py


class BenchRanks(unittest.TestCase):
    def run_ranks(self, *words):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1")
        command = [MPIRUN, "-n", "3", SLUICE, "bench", "ranks", *words]
        return subprocess.CompletedProcess(command, *patience.run(command, SECONDS, environment))

    def test_a_wrong_command_line_ends_with_2_and_one_rank_complains(self):
        for words, reason in ((["--only", "nothing"], "nothing not in "),
                              (["--dir", "s3://KEY:SECRET@bucket/x"], "s3://... is a URI"),
                              (["--size", "none"], "'none' is not a positive whole number")):
            result = self.run_ranks(*words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(result.stderr.count("sluice bench ranks: "), 1, result.stderr)
            self.assertIn(reason, result.stderr)
            self.assertNotIn("SECRET", result.stderr + result.stdout)

    def test_help_is_no_error(self):
        result = self.run_ranks("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.count("--simulated-rate"), 1, result.stdout)

    def test_options_choose_the_bytes_and_the_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "times.json"
            result = self.run_ranks("--dir", folder, "--only", "records", "--rounds", "1",
                                    "--records-size", "600K", "--no-collective", "--json", file)
            self.assertEqual(result.returncode, 0, result.stderr)
            written = json.loads(file.read_text())
        self.assertNotIn("\0", written["mpi"])
        records, = written["experiments"]
        self.assertEqual(records["bytes"], 600 * 1024)
        ways = [row["way"] for row in records["rows"]]
        self.assertIn("sluice striped", ways)
        self.assertNotIn("write_all by a view", ways)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
