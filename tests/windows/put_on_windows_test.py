#!/usr/bin/env python3
"""Tests of `sluice put` for Windows.

usage: put_on_windows_test.py [EMULATOR...] SLUICE.EXE
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMAND = []


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
