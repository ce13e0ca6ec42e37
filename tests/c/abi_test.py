#!/usr/bin/env python3
"""Compares the binary form of sluice/c.h with the stored description, libsluice_c.abi.

usage: abi_test.py C_COMPILER INCLUDE_FOLDER
       abi_test.py C_COMPILER INCLUDE_FOLDER --store   (writes the description anew)

abidw describes a C file that has a pointer to each function of the header and a variable of each
enum. So the description has what a C program sees: functions, structs, enums and the window.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

COMPILER = sys.argv[1]
INCLUDES = pathlib.Path(sys.argv[2]).resolve()
STORED = pathlib.Path(__file__).with_name("libsluice_c.abi")
TOOLS = ["abidw", "abidiff"]
ADVICE = """The binary form of sluice/c.h has changed. Programs that were linked before break if a
function, a member or a number is gone or has another place. If this change only adds something,
store the description anew: abi_test.py C_COMPILER INCLUDE_FOLDER --store"""


def source_for(header):
    """A C file with a pointer to each function of the header, and a variable of each enum."""
    code = re.sub(r"//.*", "", header)
    inline = set(re.findall(r"static inline [^;(]*?(sluice_\w+)\(", code))
    declared = re.findall(r"SLUICE_C_(?:API|RESULT) [^;(]*?(sluice_\w+)\(", code)
    lines = ["#include <sluice/c.h>", "enum described_window { window = SLUICE_C_WINDOW };",
             "enum described_window described_window;"]
    for name in sorted(set(declared) - inline):
        lines.append(f"__typeof__({name})* described_{name} = {name};")
    for name in re.findall(r"^enum (sluice_\w+)", code, re.MULTILINE):
        lines.append(f"enum {name} described_{name};")
    for name in re.findall(r"\} (sluice_\w+);", code):
        lines.append(f"{name} described_{name};")
    return "\n".join(lines) + "\n"


def describe(includes, folder):
    """Writes the description of the header in `includes`, and returns its path."""
    folder = pathlib.Path(folder)
    header = "".join(pathlib.Path(includes, "sluice", name).read_text()
                     for name in ("c_types.h", "c.h"))
    (folder / "described.c").write_text(source_for(header))
    library = folder / "described.so"
    subprocess.run([COMPILER, "-std=gnu11", "-g", "-fPIC", "-shared", f"-I{includes}",
                    "described.c", "-o", library], cwd=folder, check=True)
    description = folder / "described.abi"
    with description.open("wb") as out:
        subprocess.run(["abidw", "--no-corpus-path", "--no-show-locs", "--no-comp-dir-path",
                        "--no-elf-needed", "--no-architecture", "--type-id-style", "hash",
                        library], stdout=out, check=True)
    return description


def difference(description):
    """What abidiff says about the stored description and this one; empty if they are the same."""
    done = subprocess.run(["abidiff", STORED, description], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr + "(there is a difference)"


class BinaryForm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_the_header_has_the_stored_binary_form(self):
        found = difference(describe(INCLUDES, self.folder))
        self.assertEqual(found, "", f"{found}\n{ADVICE}")

    def change(self, name, old, new):
        """The difference that a change of a header makes."""
        shutil.copytree(pathlib.Path(INCLUDES, "sluice"), self.folder / "sluice",
                        dirs_exist_ok=True)
        header = self.folder / "sluice" / name
        text = header.read_text()
        self.assertEqual(text.count(old), 1, old)
        header.write_text(text.replace(old, new))
        return difference(describe(self.folder, self.folder))

    def test_a_member_in_another_place_is_found(self):
        old = "  size_t blocks_in_flight;"
        new = "  size_t added;\n  size_t blocks_in_flight;"
        self.assertIn("blocks_in_flight", self.change("c_types.h", old, new))

    def test_a_pointer_of_the_window_in_another_place_is_found(self):
        old = "  sluice_byte* begin_;\n  sluice_byte* cursor_;\n"
        new = "  sluice_byte* cursor_;\n  sluice_byte* begin_;\n"
        self.assertIn("cursor_", self.change("window.h", old, new))

    def test_another_window_is_found(self):
        self.assertIn("window", self.change("window.h", "SLUICE_C_WINDOW 1u", "SLUICE_C_WINDOW 2u"))

    def test_another_number_of_a_choice_is_found(self):
        old = "  SLUICE_EXISTING "
        new = "  SLUICE_OTHER, SLUICE_EXISTING "
        self.assertIn("SLUICE_EXISTING", self.change("c_types.h", old, new))

    def test_another_parameter_is_found(self):
        self.assertIn("sluice_put_slow",
                      self.change("c.h", "sluice_put_slow(sluice_writer* writer, int byte);",
                                  "sluice_put_slow(sluice_writer* writer, long byte);"))

    def test_a_function_that_is_gone_is_found(self):
        self.assertIn("sluice_journal_free", self.change(
            "c.h", "SLUICE_C_API void sluice_journal_free(sluice_journal* journal);", ""))


if __name__ == "__main__":
    if sys.argv[3:] == ["--store"]:
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copy(describe(INCLUDES, scratch), STORED)
    elif not all(map(shutil.which, TOOLS)):
        print("SKIPPED: abidw and abidiff are not installed (Debian's package abigail-tools)",
              file=sys.stderr)
        sys.exit(77)
    else:
        unittest.main(argv=sys.argv[:1])
