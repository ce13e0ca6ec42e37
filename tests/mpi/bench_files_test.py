#!/usr/bin/env python3
"""`mpirun -n 3 sluice bench ranks` leaves no files, and touches none of others.

usage: bench_files_test.py MPIRUN SLUICE
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import patience

MPIRUN, SLUICE = sys.argv[1:3]


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *words):
        # Two runs of Open MPI that begin at once may fail to make its folder in /tmp.
        session = tempfile.TemporaryDirectory()
        self.addCleanup(session.cleanup)
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_MCA_orte_tmpdir_base=session.name,
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1")
        command = [MPIRUN, "-n", "3", SLUICE, "bench", "ranks", *words]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def is_empty_soon(self):
        """mpirun may end before its ranks do, and the ranks remove the files."""
        for _ in range(600):
            if not self.contents():
                return True
            time.sleep(0.1)
        return False

    def own_folder(self):
        return next(self.folder.glob("sluice-ranks-*"))

    def contents(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def test_a_run_leaves_the_files_of_others_and_none_of_its_own(self):
        (self.folder / "sluice-ranks.out").write_bytes(b"of somebody else")
        run = self.start("--size", "3M", "--rounds", "1", "--only", "records",
                         "--dir", self.folder)
        said, errors = patience.wait_for(run, 240)
        self.assertEqual(run.returncode, 0, said + errors)
        self.assertIn("sluice striped", said)
        self.assertEqual(self.contents(), ["sluice-ranks.out"])
        self.assertEqual((self.folder / "sluice-ranks.out").read_bytes(), b"of somebody else")

    def test_two_runs_in_one_folder_do_not_meet(self):
        both = [self.start("--size", "3M", "--rounds", "2", "--only", "records",
                           "--dir", self.folder) for _ in range(2)]
        for run in both:
            said, errors = patience.wait_for(run, 240)
            self.assertEqual(run.returncode, 0, said + errors)
        self.assertEqual(self.contents(), [])

    def test_a_signal_leaves_no_file(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.start("--size", "12M", "--rounds", "100000", "--only", "blocks",
                             "--dir", self.folder)
            while run.poll() is None and len(self.contents()) < 2:
                pass
            (self.own_folder() / "of-an-mpi").touch()  # an MPI has more files there for a moment
            run.send_signal(number)
            said, errors = patience.wait_for(run, 120)
            self.assertNotEqual(run.returncode, 0, said + errors)
            self.assertTrue(self.is_empty_soon(), self.contents())

    def test_a_folder_that_is_missing_is_one_clear_line(self):
        run = self.start("--dir", self.folder / "missing")
        said, errors = patience.wait_for(run, 120)
        self.assertEqual(run.returncode, 1, said + errors)
        self.assertEqual(errors.count("sluice bench ranks: "), 1, errors)
        self.assertIn("missing: no folder can be made there", errors)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
