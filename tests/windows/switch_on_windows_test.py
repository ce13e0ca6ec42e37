#!/usr/bin/env python3
"""Programs for Windows that are switched to sluice/stdio.h do what they do with the C library.

usage: switch_on_windows_test.py COMPILER INCLUDE C_PROGRAM.EXE C++_PROGRAM.EXE [EMULATOR...]
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

COMPILER, INCLUDE, IN_C, IN_CXX = sys.argv[1:5]
EMULATOR = sys.argv[5:]
PATIENCE_S = 60
REFUSED = ["_wfopen(L\"a\", L\"r\")", "_wfreopen(L\"a\", L\"r\", stdin)", "_wfdopen(0, L\"r\")",
           "fopen_s(0, \"a\", \"r\")", "freopen_s(0, \"a\", \"r\", stdin)", "tmpfile_s(0)",
           "_fsopen(\"a\", \"r\", 0)", "_fcloseall()", "_flushall()", "fputwc(L'a', stdout)",
           "wprintf(L\"a\")", "scanf_s(\"%d\", 0)", "_putws(L\"a\")"]


class Switch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def outcome(self, *words, program=IN_C, text=b""):
        result = subprocess.run([*EMULATOR, program, *map(str, words)], input=text,
                                capture_output=True, cwd=self.folder, timeout=PATIENCE_S,
                                check=False)
        return result.returncode, result.stdout, result.stderr

    def put(self, name, content):
        (self.folder / name).write_bytes(content)

    def content(self, name):
        return (self.folder / name).read_bytes()

    def test_counts_what_a_pipe_gives_piece_by_piece(self):
        with subprocess.Popen([*EMULATOR, IN_C, "count"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as running:
            for piece in (b"one\r", b"\ntwo\r", b"\r", b"\n\r", b"x\r"):
                running.stdin.write(piece)
                running.stdin.flush()
                time.sleep(0.1)  # so that each piece is a read of its own
            output = running.communicate(timeout=PATIENCE_S)[0]
        self.assertEqual(output, b"12 bytes, 2 lines\r\n")

    def test_copies_text_and_bytes(self):
        content = b"one\r\ntwo\n\x1a\r\r\n" * 20_000
        self.put("from", content)
        self.assertEqual(self.outcome("copy", "from", "rb", "to", "wb"), (0, b"", b""))
        self.assertEqual(self.content("to"), content)
        self.assertEqual(self.outcome("copy", "from", "r", "to", "wb")[0], 0)
        self.assertEqual(self.content("to"), content.replace(b"\r\n", b"\n"))
        self.assertEqual(self.outcome("copy", "from", "rb", "to", "wt")[0], 0)
        self.assertEqual(self.content("to"), content.replace(b"\n", b"\r\n"))
        self.assertEqual(self.outcome("copy", "to", "rt", "to2", "w+")[0], 0)
        self.assertEqual(self.content("to2"), self.content("to"))

    def test_says_why_a_file_cannot_be_opened(self):
        self.assertEqual(self.outcome("copy", "none", "r", "to", "w"),
                         (1, b"", b"none: No such file or directory\r\n"))

    def test_scans_standard_input(self):
        self.assertEqual(self.outcome("add", text=b"one=1\r\ntwo=20\r\nlast=300\r\n"),
                         (0, b"last last, sum 321\r\n", b""))

    def test_the_end_of_the_program_writes_what_is_left(self):
        self.assertEqual(self.outcome("leave_open"),
                         (3, b"hello\r\ngoodbye\r\n", b"said 1099511627776 1\r\n"))

    def test_the_end_of_a_cxx_program_comes_after_its_destructors(self):
        self.put("text", b"one\r\ntwo\nthree\r\n")
        self.assertEqual(self.outcome("text", program=IN_CXX),
                         (0, b"3 lines, end 16\r\ncout\r\np\r\ngoodbye\r\n", b""))

    def test_files_are_larger_than_two_gibibytes(self):
        self.assertEqual(self.outcome("far_away", "far"), (0, b"far 0\r\n", b""))
        self.assertEqual((self.folder / "far").stat().st_size, (3 << 30) + 3)

    def test_standard_output_is_opened_again(self):
        self.assertEqual(self.outcome("reopen", "out"), (0, b"before\r\n", b""))
        self.assertEqual(self.content("out"), b"after\r\nchild\r\n")

    def test_reads_from_a_process(self):
        self.assertEqual(self.outcome("process", "cmd /c echo hi"), (0, b"[hi]\r\n", b""))
        self.assertEqual(self.outcome("process", "cmd /c exit 5")[0], 5)

    def test_a_program_makes_its_standard_output_binary(self):
        self.assertEqual(self.outcome("binary", "first")[:2], (0, b"binary\ntext\r\n"))
        self.assertEqual(self.outcome("binary", "later")[:2], (0, b"text\r\nbinary\ntext\r\n"))

    def test_a_temporary_file_is_not_translated(self):
        self.assertEqual(self.outcome("temporary")[:2], (0, b"4\r\n"))

    def test_a_call_without_a_counterpart_is_refused(self):
        for calls in REFUSED, ["gets(0)"]:  # gets() is refused later than the macros
            body = "".join(f"  {call};\n" for call in calls)
            for language in "c", "c++":
                result = subprocess.run(
                    [COMPILER, f"-I{INCLUDE}", "-include", "sluice/stdio.h", "-x", language, "-w",
                     "-S", "-", "-o", os.devnull], capture_output=True, text=True, check=False,
                    input=f"#include <wchar.h>\nvoid call(void) {{\n{body}}}\n")
                for call in calls:
                    self.assertIn(f"sluice/stdio.h has no {call.partition('(')[0]}()",
                                  result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
