#!/usr/bin/env python3
"""A file system is frozen while a Writer writes to it: no other Writer waits for the thaw.

usage: frozen_file_system_test.py PROGRAM [unittest's arguments]

PROGRAM is crash_frozen_file_system. Needs root and loop devices.
"""
import contextlib
import fcntl
import os
import subprocess
import sys
import unittest

import disk

PATIENCE_S = 120  # more than the program has
THAW = 0xC0045878  # FITHAW

program = None  # set by main


def thaw(folder):
    """Thaws a file system that an ended program has left frozen: it could not be unmounted."""
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    with contextlib.suppress(OSError):  # it is not frozen
        fcntl.ioctl(directory, THAW, 0)
    os.close(directory)


class FrozenFileSystem(unittest.TestCase):
    def setUp(self):
        self.disk = disk.Disk("ext4")
        self.addCleanup(self.disk.remove)
        self.frozen = self.disk.files.folder
        self.addCleanup(thaw, self.frozen)
        self.elsewhere = self.disk.memory.path / "elsewhere"
        self.elsewhere.mkdir()

    def expect_nobody_waits(self, case):
        process = subprocess.Popen([program, case, self.frozen, self.elsewhere], text=True,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with process:
            try:
                _, complaint = process.communicate(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                thaw(self.frozen)  # a thread that waits for it cannot even be killed
                raise
        self.assertEqual((0, ""), (process.returncode, complaint))

    def test_does_not_stop_a_writer_elsewhere(self):
        self.expect_nobody_waits("blocks_in_flight")

    def test_does_not_stop_a_writer_elsewhere_that_writes_behind(self):
        self.expect_nobody_waits("blocks_in_flight_of_both")

    def test_does_not_stop_other_writers_while_its_own_writer_is_destroyed(self):
        self.expect_nobody_waits("destructor")

    def test_does_not_stop_other_writers_by_two_of_its_own(self):
        self.expect_nobody_waits("two_frozen")

    def test_does_not_stop_the_reading_of_a_large_file(self):
        self.expect_nobody_waits("read_whole_file")


if __name__ == "__main__":
    program = sys.argv.pop(1)
    disk.enter_own_namespace()
    disk.require("ext4")
    unittest.main()
