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
SKIPPED = 77

# The switch stands in the compiler's own name, so that no makefile has to be changed. Linking needs
# the library behind all other arguments. Programs are configured without the switch, because
# configure declares functions of the C library with types of its own.
COMPILER = f"""#!/bin/sh
for argument; do
  case $argument in
    -c | -E | -S | -M | -MM) exec {CC} -I{INCLUDE} -include sluice/stdio.h "$@" ;;
  esac
done
exec {CC} -I{INCLUDE} -include sluice/stdio.h "$@" {LIBRARY} -pthread
"""


class OwnTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.compiler = self.folder / "cc"
        self.compiler.write_text(COMPILER)
        self.compiler.chmod(0o755)

    def run_in(self, source, *command):
        result = subprocess.run(command, cwd=source, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace")
        self.assertEqual(result.returncode, 0, f"{command}:\n{result.stdout[-3000:]}")
        return result.stdout

    def expect_success(self, name, program, targets=(), check="check"):
        source = debian_sources.unpack(name, self.folder)
        if (source / "configure").exists():
            self.run_in(source, "./configure")
        self.run_in(source, "make", f"CC={self.compiler}", *targets)
        symbols = self.run_in(source, "nm", program)
        self.assertTrue("sluice_stdio_" in symbols, f"{program} is not switched")
        own = [call for call in ("fopen", "fwrite", "fputs", "fprintf", "printf", "putc", "getc")
               if f" U {call}@" in symbols]
        self.assertEqual(own, [], f"{program} uses streams of the C library")
        self.run_in(source, "make", f"CC={self.compiler}", check)

    def test_bzip2(self):
        self.expect_success("bzip2", "bzip2", ("bzip2", "bzip2recover", "libbz2.a"), "test")

    def test_diffstat(self):
        self.expect_success("diffstat", "diffstat")

    def test_ed(self):
        self.expect_success("ed", "ed")

    def test_figlet(self):
        self.expect_success("figlet", "figlet")


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    with tempfile.TemporaryDirectory() as lists:
        reason = debian_sources.prepare(pathlib.Path(lists))
        if reason:
            print(f"skipped: {reason}")
            sys.exit(SKIPPED)
        unittest.main(argv=sys.argv[:1])
