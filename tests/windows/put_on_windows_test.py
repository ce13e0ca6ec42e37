#!/usr/bin/env python3
"""Tests of `sluice put` for Windows.

usage: put_on_windows_test.py [EMULATOR...] SLUICE.EXE
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

COMMAND = []
PATIENCE_S = 60


def innermost(process):
    """The process that the emulator's commands have started in the end."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return innermost(int(children[0])) if children else process


class Put(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def put(self, *arguments, text):
        return subprocess.run([*COMMAND, "put", *map(str, arguments)], input=text,
                              capture_output=True, check=False)

    def test_writes_the_bytes_of_standard_input(self):
        text = b"one\r\ntwo\n\x1a\0three" * 100_000
        self.assertEqual(self.put(self.folder / "file", text=text).returncode, 0)
        self.assertEqual((self.folder / "file").read_bytes(), text)

    def test_replaces_a_file_in_one_step(self):
        file = self.folder / "file"
        file.write_bytes(b"a long old file")
        self.assertEqual(self.put("--atomic", file, text=b"new").returncode, 0)
        self.assertEqual(file.read_bytes(), b"new")
        self.assertEqual(list(self.folder.iterdir()), [file])

    def test_an_interrupted_replacement_leaves_the_old_file_alone(self):
        file = self.folder / "file"
        file.write_bytes(b"a long old file")
        with subprocess.Popen([*COMMAND, "put", "--atomic", str(file)], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE) as running:
            running.stdin.write(b"new" * 1_000_000)
            running.stdin.flush()
            deadline = time.monotonic() + PATIENCE_S
            while len(list(self.folder.iterdir())) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.2)  # until the command waits for more input
            os.kill(innermost(running.pid), signal.SIGINT)  # Wine makes Ctrl-C of it
            self.assertNotEqual(running.wait(PATIENCE_S), 0)
            self.assertEqual(running.stderr.read(), b"")
        self.assertEqual(file.read_bytes(), b"a long old file")
        self.assertEqual(list(self.folder.iterdir()), [file])

    def test_says_what_failed(self):
        result = self.put("--durable", self.folder / "missing" / "file", text=b"")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"missing/file: ", result.stderr)
        self.assertEqual(result.stderr.count(b"No such file or directory"), 1, result.stderr)

    def test_needs_a_file(self):
        self.assertNotEqual(self.put(text=b"").returncode, 0)


if __name__ == "__main__":
    COMMAND = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
