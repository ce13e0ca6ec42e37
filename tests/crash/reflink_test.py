#!/usr/bin/env python3
"""A copied file shares its bytes with the original where the file system can.

usage: reflink_test.py PROGRAM KIND [unittest's arguments]

PROGRAM is crash_reflink. Needs root, loop devices and a file system of that KIND.
"""
import os
import subprocess
import sys
import unittest

import disk

program = None  # set by main
kind = None


class Reflink(unittest.TestCase):
    def setUp(self):
        self.disk = disk.Disk(kind)
        self.addCleanup(self.disk.remove)
        self.original = self.disk.files.folder / "from"
        self.copy = self.disk.files.folder / "to"
        with self.original.open("wb") as file:
            file.write(os.urandom(1 << 20))
            file.seek(3 << 20)
            file.write(os.urandom(1 << 20))
            file.truncate(6 << 20)

    def place_of_copy(self, *arguments):
        """Returns the place of the copy. Checks its bytes, also after either file is changed."""
        done = subprocess.run([program, self.original, self.copy, *arguments], text=True,
                              capture_output=True, check=False)
        self.assertEqual(("", 0), (done.stderr, done.returncode))
        content = self.original.read_bytes()
        self.assertTrue(self.copy.read_bytes() == content)
        with self.copy.open("r+b") as file:
            file.write(b"changed")
        self.assertTrue(self.original.read_bytes() == content)
        return done.stdout.strip()

    def test_shares_the_bytes_of_the_original(self):
        self.assertEqual(self.place_of_copy(), "shared" if kind != "ext4" else "apart")

    def test_shares_them_when_it_replaces_a_file(self):
        self.copy.write_bytes(b"old")
        self.assertEqual(self.place_of_copy("replace"), "shared" if kind != "ext4" else "apart")


if __name__ == "__main__":
    program, kind = sys.argv.pop(1), sys.argv.pop(1)
    disk.enter_own_namespace()
    disk.require(kind)
    unittest.main()
