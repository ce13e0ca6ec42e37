#!/usr/bin/env python3
"""Runs every example that was built and compares what it prints and writes.

usage: examples_test.py FOLDER_OF_THE_PROGRAMS NAME...   (the names that were built)
"""
import contextlib
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(sys.argv[1])
BUILT = sys.argv[2:]


def run(name, *arguments, stdin=b"", code=0):
    done = subprocess.run([PROGRAMS / name, *arguments], input=stdin, capture_output=True)
    if done.returncode != code:
        raise AssertionError(f"{name} ended with {done.returncode}: {done.stderr.decode()}")
    return (done.stdout if code == 0 else done.stderr).decode()


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content=None):
        path = self.folder / name
        if content is not None:
            path.write_bytes(content)
        return path

    def test_write_values(self):
        path = self.file("values")
        self.assertEqual(run("write_values", path, "100000"), "800000 bytes accepted\n")
        values = struct.unpack("=100000d", path.read_bytes())
        self.assertEqual(list(values), [math.sqrt(i) for i in range(100000)])

    def test_read_lines(self):
        path = self.file("text", b"one\r\nthe longest line\r\n" + b"short\n" * 200000 + b"last")
        self.assertEqual(run("read_lines", path), "16: the longest line\n")

    def test_read_lines_names_a_missing_file(self):
        path = self.file("missing")
        self.assertEqual(run("read_lines", path, code=1),
                         f"open {path}: No such file or directory\n")

    def test_count_bytes(self):
        data = b"abca\0\xff" * 100000
        self.assertEqual(run("count_bytes", stdin=data),
                         "0x00 100000\n0x61 200000\n0x62 100000\n0x63 100000\n0xff 100000\n")

    def test_patch_header(self):
        path = self.file("squares")
        self.assertEqual(run("patch_header", path), "squares: 1000000, the last is 999998000001\n")
        header = struct.pack("=8sQ", b"squares", 1000000)
        self.assertEqual(path.read_bytes(),
                         header + struct.pack("=1000000Q", *(i * i for i in range(1000000))))

    def test_read_records(self):
        values = [i / 4 for i in range(100000)]
        path = self.file("values", struct.pack("=100000d", *values))
        self.assertEqual(run("read_records", path), f"{sum(values):.6f}\n")

    def test_read_records_refuses_a_partial_record(self):
        path = self.file("values", struct.pack("=3d", 1, 2, 3) + b"xyz")
        self.assertIn(f"read {path} at byte 24", run("read_records", path, code=1))

    def test_copy_file(self):
        content = bytes(range(256)) * 5000 + b"the end"
        copy = self.file("copy")
        run("copy_file", self.file("original", content), copy)
        self.assertEqual(copy.read_bytes(), content)

    def test_copy_file_reports_a_full_disk(self):
        path = self.file("original", b"x" * 300000)
        self.assertIn("/dev/full", run("copy_file", path, "/dev/full", code=1))

    def test_filter_lines(self):
        text = b"one\ntwo\nthree\n" * 100000 + b"and the one"
        self.assertEqual(run("filter_lines", "one", stdin=text), "one\n" * 100000 + "and the one\n")

    def test_filter_lines_ends_quietly_when_nobody_reads_on(self):
        with subprocess.Popen([PROGRAMS / "filter_lines", "y"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as filtering:
            filtering.stdout.close()
            with contextlib.suppress(BrokenPipeError):
                for _ in range(1000):
                    filtering.stdin.write(b"yes\n" * 10000)
            with contextlib.suppress(BrokenPipeError):
                filtering.stdin.close()
            self.assertEqual(filtering.stderr.read(), b"")
            self.assertEqual(filtering.wait(), 0)

    def test_filter_lines_without_standard_input(self):
        done = subprocess.run([PROGRAMS / "filter_lines", "x"], capture_output=True,
                              preexec_fn=lambda: os.close(0))
        self.assertEqual((done.returncode, done.stderr),
                         (1, b"open standard input: Bad file descriptor\n"))

    def test_replace_file(self):
        path = self.file("counter", b"41\nwith more lines\n")
        path.chmod(0o640)
        run("replace_file", path)
        self.assertEqual(path.read_bytes(), b"42\nwith more lines\n")
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertEqual(list(self.folder.iterdir()), [path])

    def test_whole_file(self):
        path = self.file("text", b"line\n" * 123456 + b"no newline")
        self.assertEqual(run("whole_file", path), "617290 bytes, 123456 newlines\n")

    def test_whole_file_of_no_size(self):
        self.assertRegex(run("whole_file", "/proc/self/status"), r"^[1-9]\d* bytes, [1-9]\d* n")

    def test_custom_sink(self):
        self.assertEqual(run("custom_sink", "foo", "bar"), "bf9cf968\n")  # FNV-1a of "foobar"

    def test_print_table(self):
        self.assertEqual(run("print_table"),
                         "Mercury      0.387\nVenus        0.723\nEarth        1.000\n")

    def test_number_lines(self):
        original = self.file("original", b"one\n\nthree")
        numbered = self.file("numbered", b"the old text")
        run("number_lines", original, numbered)
        self.assertEqual(numbered.read_bytes(), b"     1  one\n     2  \n     3  three\n")

    def test_number_lines_names_a_missing_file(self):
        path = self.file("missing")
        kept = self.file("kept", b"the old text")
        self.assertEqual(run("number_lines", path, kept, code=1),
                         f"open {path}: No such file or directory\n")
        self.assertEqual(kept.read_bytes(), b"the old text")

    def test_standard_streams(self):
        words, lengths = self.file("words", b"some words\nhere"), self.file("lengths")
        run("standard_streams", words, lengths)
        self.assertEqual(lengths.read_bytes(), b"some 4\nwords 5\nhere 4\n")
        done = subprocess.run([PROGRAMS / "standard_streams", self.file("none"), lengths],
                              capture_output=True)
        self.assertEqual((done.returncode, done.stdout),
                         (1, f"open {self.file('none')}: No such file or directory\n".encode()))

    def test_keep_journal(self):
        path = self.file("journal")
        self.assertEqual(run("keep_journal", path, "one", "two"), "one\ntwo\n")
        with path.open("ab") as journal:
            journal.write(b"torn")
        self.assertEqual(run("keep_journal", path, "three"), "one\ntwo\nthree\n")
        self.assertEqual(run("keep_journal", self.file("other", b"text"), "x", code=1),
                         f"open {self.file('other')}: the file is not a Journal with "
                         "framing=length_crc32c, and was left as it is: framing=raw appends to "
                         "such a file, and a Reader reads it\n")

    def test_every_program_has_a_test(self):
        for name in BUILT:
            self.assertTrue(hasattr(self, f"test_{name}"), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
