#!/usr/bin/env python3
"""A file system whose calls fail, one after another: the report agrees with the file.

usage: faulty_calls_test.py PROGRAM FILE_SYSTEM [unittest's arguments]

PROGRAM is crash_disk_errors, FILE_SYSTEM crash_faulty_file_system or "none". Needs root and
/dev/fuse.
"""
import errno
import os
import subprocess
import sys
import unittest

import disk
import faulty_files

PATIENCE_S = 60  # for work that takes moments
MOST_CALLS = 200
# Ways to write, and the calls that each makes to the file system when none is left out.
WRITER = {"write", "flush"}
DURABLE = WRITER | {"fsync", "fsyncdir"}
EXPECTED_CALLS = {
    ("truncate", "none"): WRITER, ("append", "none"): WRITER,
    ("exclusive", "none"): WRITER | {"create"},
    ("truncate", "on_close"): DURABLE, ("append", "on_close"): DURABLE,
    ("exclusive", "on_close"): DURABLE | {"create"}, ("truncate", "every_flush"): DURABLE,
    ("append", "every_write"): DURABLE, ("exclusive", "every_write"): DURABLE | {"create"},
    ("replace", "none"): DURABLE | {"create", "rename"},
    ("replace", "every_flush"): DURABLE | {"create", "rename"},
    ("journal", "-"): DURABLE | {"create"},
}

program = file_system = None  # set by main


class FaultyCalls(unittest.TestCase):
    def setUp(self):
        self.files = faulty_files.FaultyFileSystem(file_system)
        self.addCleanup(self.files.remove)

    def write(self, how, durability, order):
        """The result that the program got ("ok" or a failure), compared with the file."""
        self.files.empty()
        done = subprocess.run(
            [program, "honest", how, durability, self.files.folder / "file"], text=True,
            env={**os.environ, "ORDER": order}, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=PATIENCE_S, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr), f"{how}, {durability}: {order}")
        return done.stdout.strip()

    def times_a_call_fails(self, how, durability, call, error, expected):
        """Fails each call of a kind in turn, and counts them."""
        for nth in range(1, MOST_CALLS):
            order = f"{call} {nth} {error}"
            told = self.write(how, durability, order)
            if not self.files.has_come():
                self.assertEqual("ok", told)
                return nth - 1
            # The second descriptor of a new file is closed when it is synced and in place.
            in_place = how == "replace" and call == "flush" and nth == 2
            self.assertRegex(told, "^ok$" if in_place else expected,
                             f"{how}, {durability}: {order}")
        self.fail(f"{how}, {durability}: {call} goes round in circles")

    def test_that_fail_are_reported_and_nothing_is_lost_silently(self):
        runs = 0
        for (how, durability), calls in EXPECTED_CALLS.items():
            for call in sorted(calls):
                for error in [errno.EIO, errno.ENOSPC]:
                    times = self.times_a_call_fails(how, durability, call, error, "^failed: ")
                    self.assertGreater(times, 0, f"{how}, {durability}: {call}")
                    runs += times
        print(f"{runs} calls failed, each in a run of its own", file=sys.stderr)

    def test_that_are_interrupted_are_made_again(self):
        for how, durability in EXPECTED_CALLS:
            for call in ["write", "fsync"]:
                self.times_a_call_fails(how, durability, call, errno.EINTR, "^ok$")

    def test_that_write_less_than_asked_are_continued(self):
        for how, durability in EXPECTED_CALLS:
            self.assertEqual("ok", self.write(how, durability, "short"))
            self.assertTrue(self.files.has_come())


if __name__ == "__main__":
    program, file_system = sys.argv.pop(1), sys.argv.pop(1)
    faulty_files.expect_to_work(file_system)
    unittest.main()
