#!/usr/bin/env python3
"""Source that is switched to sluice/stdio.h is told of a disk's failures as by the C library.

usage: switched_stdio_test.py CC INCLUDE LIBRARY FILE_SYSTEM [unittest's arguments]

FILE_SYSTEM is crash_faulty_file_system or "none". Needs root and /dev/fuse.
"""
import errno
import pathlib
import subprocess
import sys
import tempfile
import unittest

import disk
import faulty_files

SOURCE = pathlib.Path(__file__).resolve().parent / "stdio_on_a_failing_disk.c"
MOST_CALLS = 300
ALL_BYTES = (b"abcdefghijklmnopqrstuvwxyz" * 12_000)[:300_000]

compiler = include = library = file_system = None  # set by main


class SwitchedStdio(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.programs = [pathlib.Path(cls.scratch.name, name) for name in ("plain", "switched")]
        switch = [f"-I{include}", "-include", "sluice/stdio.h"]
        for program, options in zip(cls.programs, ([], switch)):
            subprocess.run([compiler, "-O2", *options, SOURCE, library, "-pthread", "-o", program],
                           check=True)

    def setUp(self):
        self.files = faulty_files.FaultyFileSystem(file_system)
        self.addCleanup(self.files.remove)

    def run_one(self, program, how, order):
        """What the program was told, what the file holds, and whether the ordered call came."""
        file = self.files.folder / "file"
        self.files.empty()
        if how == "lines":
            file.write_text("one\ntwo\nthree\n")
        self.files.order(order)
        done = subprocess.run([program, how, file], capture_output=True, text=True, check=True,
                              timeout=disk.PATIENCE_S)
        has_come = self.files.has_come()
        self.files.order("end")
        return done.stdout, file.read_bytes() if file.exists() else None, has_come

    def each_failure(self, run, calls, errors):
        """Calls `run` with an order for each call of a kind in turn, until there are no more."""
        failures = 0
        for call in calls:
            for error in errors:
                for nth in range(1, MOST_CALLS):
                    if not run(f"{call} {nth} {error}"):
                        self.assertGreater(nth, 1, f"{call}: there is none")
                        break
                    failures += 1
                else:
                    self.fail(f"{call} goes round in circles")
        print(f"{failures} calls failed, each in a run of its own", file=sys.stderr)

    def test_is_told_of_each_failed_call_as_by_the_c_library(self):
        def run(order):
            plain, switched = (self.run_one(each, "records", order) for each in self.programs)
            self.assertEqual(plain, switched, order)
            return switched[2]
        self.each_failure(run, ("create", "write", "flush"),
                          (errno.EIO, errno.ENOSPC, errno.EINTR))

    def test_is_told_of_each_failed_read_as_by_the_c_library(self):
        def run(order):
            plain, switched = (self.run_one(each, "lines", order) for each in self.programs)
            self.assertEqual(plain, switched, order)
            return switched[2]
        self.each_failure(run, ("read",), (errno.EIO, errno.EINTR))

    def test_loses_no_byte_silently(self):
        def run(order):
            told, contents, has_come = self.run_one(self.programs[1], "bytes", order)
            is_told = " -1 " in told or "some" in told
            self.assertEqual(has_come, is_told, f"{order}: {told}")
            if not is_told:
                self.assertEqual(contents, ALL_BYTES, order)
            return has_come
        self.each_failure(run, ("create", "write", "flush"), (errno.EIO, errno.ENOSPC))

    def test_goes_on_after_short_writes(self):
        for how in ("records", "bytes"):
            plain, switched = (self.run_one(each, how, "short") for each in self.programs)
            self.assertEqual(plain, switched)
            self.assertTrue(switched[2])
        self.assertEqual(switched[1], ALL_BYTES)


if __name__ == "__main__":
    compiler, include, library, file_system = sys.argv[1:5]
    del sys.argv[1:5]
    faulty_files.expect_to_work(file_system)
    unittest.main()
