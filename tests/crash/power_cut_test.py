#!/usr/bin/env python3
"""What is left after a power cut.

usage: power_cut_test.py CRASH_WRITER [unittest's arguments]

Needs root and a loop device; exits with 77 (skipped) elsewhere.
"""
import fcntl
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
SHUTDOWN = 0x8004587d  # EXT4_IOC_SHUTDOWN
NO_LOG_FLUSH = 2
IMAGE_BYTES = 64 << 20

CRASH_WRITER = ""  # set by main()

OLD = b"o" * 200_000
NEW = b"n" * 300_000


class PowerCut(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="sluice-crash-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.image = self.root / "image"
        with open(self.image, "wb") as image:
            image.truncate(IMAGE_BYTES)
        run("mkfs.ext4", "-q", self.image)
        self.disk = self.root / "disk"
        self.disk.mkdir()
        self.file = self.disk / "file"
        self.mount()
        self.addCleanup(run, "umount", self.disk)

    def mount(self):
        run("mount", "-o", "loop", self.image, self.disk)

    def cut_the_power(self):
        disk = os.open(self.disk, os.O_RDONLY)
        fcntl.ioctl(disk, SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        os.close(disk)
        run("umount", self.disk)
        self.mount()

    def left_after(self, promise, old):
        """The bytes of the file when the power is cut right after the promise was kept."""
        self.file.unlink(missing_ok=True)
        if old is not None:
            self.file.write_bytes(old)
        os.sync()
        run(CRASH_WRITER, promise, self.file)
        self.assertEqual(NEW, self.file.read_bytes())
        self.cut_the_power()
        names = {path.name for path in self.disk.iterdir()} - {"lost+found"}
        self.assertLessEqual(names, {"file"}, "left behind")
        return self.file.read_bytes() if self.file.exists() else None

    def test_takes_what_nobody_promised_to_keep(self):
        """Else the rig cuts nothing, and the other tests prove nothing."""
        self.assertIsNone(self.left_after("none", None))
        self.assertNotEqual(NEW, self.left_after("none", OLD))

    def test_takes_nothing_that_was_promised(self):
        for promise in ("on_close", "flush_to_storage", "every_flush", "every_write", "replace"):
            for old in (None, OLD):
                with self.subTest(promise=promise, file="new" if old is None else "old"):
                    self.assertEqual(NEW, self.left_after(promise, old))


def run(*command):
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


def can_mount():
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        return False
    found = subprocess.run(["losetup", "-f"], capture_output=True, check=False)
    return found.returncode == 0


def main():
    global CRASH_WRITER
    CRASH_WRITER = os.path.abspath(sys.argv.pop(1))
    if not can_mount():
        print("skipped: needs root, mkfs.ext4 and a loop device", file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
