#!/usr/bin/env python3
"""Programs of Debian, built from their unchanged source with the switch, pass their own tests.

usage: debian_sources_test.py CC INCLUDE LIBRARY

The sources come from the mirror of Debian that this machine uses. Without a mirror the test is
skipped (exit status 77).
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import debian_sources

CC, INCLUDE, LIBRARY = sys.argv[1:4]
SWITCH = (f"-I{INCLUDE}", "-include", "sluice/stdio.h")
SKIPPED = 77


class OwnTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.compiler = self.folder / "cc"
        debian_sources.make_compiler(self.compiler, CC, SWITCH, LIBRARY)

    def expect_success(self, name, program, targets=(), check="check"):
        source = debian_sources.unpack(name, self.folder)
        debian_sources.build(source, self.compiler, targets)
        symbols = subprocess.run(["nm", program], cwd=source, check=True, capture_output=True,
                                 text=True).stdout
        self.assertTrue("sluice_stdio_" in symbols, f"{program} is not switched")
        own = [call for call in ("fopen", "fwrite", "fputs", "fprintf", "printf", "putc", "getc")
               if f" U {call}@" in symbols]
        self.assertEqual(own, [], f"{program} uses streams of the C library")
        debian_sources.build(source, self.compiler, (check,))

    def test_bzip2(self):
        self.expect_success("bzip2", "bzip2", ("bzip2", "bzip2recover", "libbz2.a"), "test")

    def test_diffstat(self):
        self.expect_success("diffstat", "diffstat")

    def test_dos2unix(self):
        self.expect_success("dos2unix", "dos2unix")

    def test_ed(self):
        self.expect_success("ed", "ed")

    def test_figlet(self):
        self.expect_success("figlet", "figlet")

    def test_patch(self):
        self.expect_success("patch", "src/patch")


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    with tempfile.TemporaryDirectory() as lists:
        reason = debian_sources.prepare(pathlib.Path(lists))
        if reason:
            print(f"skipped: {reason}")
            sys.exit(SKIPPED)
        unittest.main(argv=sys.argv[:1])
