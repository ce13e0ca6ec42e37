#!/usr/bin/env python3
"""Disks that take the bytes and fail at the sync, then heal: the failure has to stay.

usage: late_errors_test.py PROGRAM full|bad [unittest's arguments]

PROGRAM is crash_disk_errors. Needs root and loop devices, and for the bad disk nbdkit and nbdfuse.
"""
import os
import shutil
import subprocess
import sys
import unittest

import disk

HOWS = ["truncate", "append", "exclusive", "replace", "journal"]

program = make_disk = None  # set by main


class FullDisk:
    """A disk whose image may be larger than its memory: only a sync finds that it is full."""

    written_bytes = 40 << 20
    needs = []

    def __init__(self):
        self.disk = disk.Disk("ext4", memory="24m", image_bytes=96 << 20)
        self.folder = self.disk.files.folder

    def fail(self):
        pass

    def heal(self):
        self.disk.memory.resize("200m")

    def cut_and_power_up(self):
        self.disk.files.cut()
        self.disk.files.power_up()

    def remove(self):
        self.disk.remove()


class BadDisk:
    """nbdkit answers each write with EIO while the file `broken` is there."""

    written_bytes = 1 << 20
    needs = ["nbdkit", "nbdfuse"]

    def __init__(self):
        self.memory = disk.MemoryFolder("200m")
        socket, mounted = self.memory.path / "socket", self.memory.path / "nbd"
        self.broken = self.memory.path / "broken"
        self.server = disk.start(
            socket, "nbdkit", "--foreground", "--exit-with-parent", "--unix", socket,
            "--filter=error", "memory", "64M", "error-pwrite=EIO", "error-pwrite-rate=100%",
            f"error-pwrite-file={self.broken}")
        disk.wait_until_it_listens(socket)
        mounted.mkdir()
        self.image = mounted / "nbd"
        self.client = disk.start(self.image, "nbdfuse", mounted, f"nbd+unix:///?socket={socket}")
        self.device = disk.LoopDevice(self.image)
        self.files = disk.FileSystem(self.device.path, self.memory.path / "mounted", "ext4")
        self.folder = self.files.folder

    def fail(self):
        self.broken.touch()

    def heal(self):
        self.broken.unlink()

    def cut_and_power_up(self):
        self.files.cut()
        self.files.power_up()

    def remove(self):
        self.broken.unlink(missing_ok=True)
        self.files.unmount()
        self.device.close()
        disk.unmount_when_idle(self.image.parent)
        self.client.wait(disk.PATIENCE_S)
        self.server.terminate()
        self.server.wait(disk.PATIENCE_S)
        self.memory.remove()


class LateErrors(unittest.TestCase):
    def setUp(self):
        self.disk = make_disk()
        self.addCleanup(self.disk.remove)

    def expect_kept(self, how):
        """The failure that the program sees stays when the disk is whole again."""
        process = subprocess.Popen(
            [program, "late", how, self.disk.folder / "file", str(self.disk.written_bytes)],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with process:
            self.assertEqual("written\n", process.stdout.readline())
            self.disk.fail()
            process.stdin.write("failing\n")
            process.stdin.flush()
            first = process.stdout.readline()
            self.disk.heal()
            _, complaint = process.communicate("healed\n", timeout=disk.PATIENCE_S)
        self.assertEqual((0, ""), (process.returncode, complaint))
        self.assertRegex(first, "^failed: sync .*: (Input/output error|No space left on device)$")

    def test_stay_in_a_writer_that_truncates(self):
        self.expect_kept("truncate")

    def test_stay_in_a_writer_that_appends(self):
        self.expect_kept("append")

    def test_stay_in_a_writer_that_creates(self):
        self.expect_kept("exclusive")

    def test_keep_the_old_file_if_it_is_replaced(self):
        self.expect_kept("replace")

    def test_stay_in_a_journal(self):
        self.expect_kept("journal")

    def test_do_not_outlive_a_journal_that_is_opened_again(self):
        """The kernel still shows the bytes that it could not write, and will never write them: no
        record may be committed behind them."""
        self.expect_kept("journal")
        path = self.disk.folder / "file"
        committed = self.ask("again", path)
        self.disk.cut_and_power_up()
        self.ask("holds", path, committed.strip())

    def ask(self, *words):
        done = subprocess.run([program, *words], text=True, capture_output=True, check=False,
                              timeout=disk.PATIENCE_S)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return done.stdout

    def test_are_forgotten_by_the_kernel(self):
        """Without this test the others would pass with a library that asks again."""
        with open(self.disk.folder / "file", "wb", buffering=0) as file:
            file.write(bytes(self.disk.written_bytes))
            self.disk.fail()
            with self.assertRaises(OSError):
                os.fdatasync(file.fileno())
            self.disk.heal()
            os.fdatasync(file.fileno())


if __name__ == "__main__":
    program = sys.argv.pop(1)
    make_disk = {"full": FullDisk, "bad": BadDisk}[sys.argv.pop(1)]
    for name in make_disk.needs:
        if not shutil.which(name):
            disk.skip(f"there is no {name}")
    disk.enter_own_namespace()
    disk.require("ext4")
    unittest.main()
