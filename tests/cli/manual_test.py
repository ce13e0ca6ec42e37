#!/usr/bin/env python3
"""The manual pages describe every option, and no others."""
import pathlib
import re
import shutil
import subprocess
import unittest

import sluice_command

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "man"


def options_in_help(command):
    text = subprocess.run([sluice_command.COMMAND, command, "--help"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", text, re.MULTILINE))


def options_in_page(command):
    text = (PAGES / f"sluice-{command}.1").read_text().replace("\\-", "-")
    section = text.partition(".SH OPTIONS")[2].partition(".SH")[0]
    return set(re.findall(r"^\.(?:TP\n)?\.?B[IR]? .*?(--[a-z-]+)", section, re.MULTILINE))


class Manual(unittest.TestCase):

    def test_knows_every_option(self):
        for command in ("bench", "put", "run", "trace"):
            with self.subTest(command=command):
                self.assertEqual(options_in_help(command), options_in_page(command))

    def test_is_well_formed(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        for page in sorted(PAGES.glob("*.1")):
            with self.subTest(page=page.name):
                result = subprocess.run(["groff", "-man", "-ww", "-z", page],
                                        stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual((0, ""), (result.returncode, result.stderr))


if __name__ == "__main__":
    sluice_command.main()
