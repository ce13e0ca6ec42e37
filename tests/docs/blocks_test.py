#!/usr/bin/env python3
"""The code on the pages and in the headers is code of a program, and the programs do what they say.

usage: blocks_test.py ROOT FOLDER_OF_THE_PROGRAMS NAME... [--not-built NAME...]

The first names are those of the programs that were built. The programs behind --not-built are not
run.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
PROGRAMS = pathlib.Path(sys.argv[2]).resolve()
NAMES = sys.argv[3:]
BUILT = NAMES[:NAMES.index("--not-built")] if "--not-built" in NAMES else NAMES
NOT_BUILT = NAMES[len(BUILT) + 1:]
SOURCES = sorted([*ROOT.glob("docs/examples/*.cc"), *ROOT.glob("docs/examples/*.c")])
# README's programs are built and run by tests/install/install_test.sh.
PAGES = sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("*.md")])
PAGES.remove(ROOT / "README.md")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

sys.path.insert(0, str(ROOT / "docs" / "site"))
sys.dont_write_bytecode = True
import header_comments  # pylint: disable=wrong-import-position


def blocks_of_page(path):
    return [code for language, code in FENCE.findall(path.read_text()) if language in ("c", "cpp")]


def blocks_of_header(path):
    """The code in the comments, as the site shows it. A command of a shell begins with its name."""
    text = "\n".join(header_comments.Header(path.name, path.read_text().splitlines()).converted())
    blocks = re.findall(r"/// @code{\.cc}\n(.*?)/// @endcode", text, re.DOTALL)
    return [re.sub("^/// ?", "", block, flags=re.MULTILINE) for block in blocks
            if not block.startswith("/// cc ")]


def programs_of_manual():
    """The programs in sluice(3), without troff's escapes. A command of a shell has one line."""
    text = (ROOT / "docs" / "man" / "sluice.3").read_text()
    blocks = re.findall(r"^\.EX\n(.*?)^\.EE$", text, re.MULTILINE | re.DOTALL)
    return [block.replace("\\\\", "\\") for block in blocks if block.count("\n") > 1]


def lines_of(text):
    """The lines without their indents, and without the spaces that align their comments."""
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def contains(lines, block):
    return any(lines[at:at + len(block)] == block for at in range(len(lines) - len(block) + 1))


class Blocks(unittest.TestCase):
    def expect_in_a_program(self, path, blocks):
        programs = [lines_of(source.read_text()) for source in SOURCES]
        for block in blocks:
            with self.subTest(path=path.name, block=block[:60]):
                self.assertTrue(any(contains(lines, lines_of(block)) for lines in programs),
                                "no program in docs/examples has these lines:\n" + block)

    def test_on_pages_are_code_of_programs(self):
        found = 0
        for page in PAGES:
            blocks = blocks_of_page(page)
            found += len(blocks)
            self.expect_in_a_program(page, blocks)
        self.assertGreater(found, 40)

    def test_in_headers_are_code_of_programs(self):
        found = 0
        for header in sorted(ROOT.glob("include/sluice/*.h")):
            blocks = blocks_of_header(header)
            found += len(blocks)
            self.expect_in_a_program(header, blocks)
        self.assertGreater(found, 10)

    def test_in_the_manual_are_whole_programs(self):
        programs = {source.read_text().partition("\n")[2] for source in SOURCES
                    if source.stem.startswith("manual")}
        self.assertEqual(set(programs_of_manual()), programs)

    def test_every_program_is_built(self):
        self.assertEqual({source.stem for source in SOURCES}, {*BUILT, *NOT_BUILT})


class Figures(unittest.TestCase):
    def test_are_measured(self):
        """Each figure with a decimal point also stands where the measurements are described."""
        measured = "".join((ROOT / "docs" / name).read_text()
                           for name in ("measurements.md", "programs.md"))
        known = set(re.findall(r"\d+\.\d+", measured))
        for page in ("performance.md", "choosing.md", "questions.md"):
            quoted = re.findall(r"\d+\.\d+", (ROOT / "docs" / page).read_text())
            self.assertEqual([figure for figure in quoted if figure not in known], [], page)


class Programs(unittest.TestCase):
    def run_program(self, name, text="", written=None):
        """Standard output. `written` has a file that the program writes, and the file's text."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([PROGRAMS / name], cwd=folder, input=text, capture_output=True,
                                  text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            if written:
                self.assertEqual(pathlib.Path(folder, written[0]).read_text(), written[1], name)
        return done.stdout

    def test_succeed(self):
        for name in BUILT:
            if name not in ("header_blocks", "choosing"):
                self.assertEqual(self.run_program(name), "", name)

    def test_of_the_manual_write_the_same_file(self):
        numbers = "".join(f"{i}\n" for i in range(1000))
        for name in ("manual", "manual_in_c", "manual_switched"):
            self.run_program(name, written=("numbers", numbers))
        self.assertIn(b"sluice_stdio_fclose", (PROGRAMS / "manual_switched").read_bytes())

    def test_choosing_reports_a_missing_file(self):
        self.assertEqual(self.run_program("choosing"), "open missing: No such file or directory\n")

    def test_header_blocks_filters_lines(self):
        self.assertEqual(self.run_program("header_blocks", "no\nyes, this one\nyes"),
                         "yes, this one\nyes\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
