#!/usr/bin/env python3
"""The command lines of README.md do what README.md says.

usage: commands_test.py SOURCE BUILD

A line that shows the form of a command (`[OPTIONS]`, CMD) is not run: tests/cli/manual_test.py
compares the options. A line of `./dev` is not run either: its command must be one that ./dev knows.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
README = (SOURCE / "README.md").read_text(encoding="utf-8")
OUTSIDE_OF_BLOCKS = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
COMMANDS = re.findall(r"(?<=\n) {4}(\S.*)", OUTSIDE_OF_BLOCKS)
SHOWS_A_FORM = re.compile(r"\[|\bCMD\b")


def first_program(language):
    return re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)[1]


class Commands(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "build").mkdir()
        (self.folder / "build" / "release").symlink_to(BUILD.resolve())
        (self.folder / "include").symlink_to(SOURCE.resolve() / "include")
        (self.folder / "mine.cc").write_text(first_program("cpp"))
        (self.folder / "mine.c").write_text(first_program("c"))

    def run_line(self, line):
        environment = dict(os.environ, PATH=f"{BUILD.resolve()}/bin:{os.environ['PATH']}")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=self.folder,
                              env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)

    def commands(self, wanted):
        found = [line for line in COMMANDS if re.match(wanted, line)]
        self.assertTrue(found, wanted)
        return found

    def test_each_line_is_of_a_kind_that_is_tested(self):
        kinds = re.compile(r"\./dev |cmake |g\+\+ |gcc |sort |source |sluice cat "
                           r"|printf |chmod |make ")
        self.assertEqual([line for line in COMMANDS
                          if not kinds.match(line) and not SHOWS_A_FORM.search(line)], [])

    def test_dev_knows_its_commands(self):
        known = subprocess.run([SOURCE / "dev", "help"], capture_output=True, text=True,
                               check=True).stdout
        for line in self.commands(r"\./dev "):
            self.assertRegex(known, rf"(?m)^  {line.split()[1]}\b")

    def test_a_program_is_built_and_runs(self):
        for line in self.commands("cmake ") + self.commands(r"g\+\+ ") + self.commands("gcc "):
            with self.subTest(line=line):
                self.run_line(line)
                if "-o mine" not in line:
                    continue
                self.run_line("./mine")
                (self.folder / "mine").unlink()
                (self.folder / ("halves.txt" if "mine.c " in line else "halves.bin")).unlink()

    def test_a_makefile_that_ignores_libs_builds_an_old_program_by_the_wrapper(self):
        (self.folder / "Makefile").write_text(
            "LIBS = -lm\nold: old.o\n\t$(CC) -o $@ old.o\nold.o: old.c\n\t$(CC) -c old.c\n")
        (self.folder / "old.c").write_text(
            '#include <stdio.h>\nint main(void) { puts("old"); return 0; }\n')
        lines = self.commands("printf ") + self.commands("chmod ") + self.commands("make ")
        paths = (f"export CPATH={SOURCE.resolve()}/include LIBRARY_PATH=build/release/src"
                 " LD_LIBRARY_PATH=build/release/src")
        checks = ('[ "$(./old)" = old ]', "nm old | grep sluice_ > /dev/null")
        self.run_line("\n".join([paths, *lines, *checks]))

    def test_put_replaces_the_file_that_it_sorts(self):
        (self.folder / "words").write_text("two\none\n")
        for line in self.commands("sort "):
            self.run_line(line)
        self.assertEqual((self.folder / "words").read_text(), "one\ntwo\n")

    def test_cat_reads_each_format(self):
        for name, text in (("log.1", "error one\n"), ("log.2", "error two\n"), ("log", "error\n")):
            (self.folder / name).write_text(text)
        self.run_line("gzip log.1; sluice put --compress log.2.zst < log.2")
        for line in self.commands("sluice cat "):
            self.run_line(f"test \"$({line} | wc -l)\" = 3")

    def test_bash_completes_the_command(self):
        for line in self.commands("source "):
            self.run_line(line + "\ncomplete -p sluice")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
