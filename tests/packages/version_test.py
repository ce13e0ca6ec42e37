#!/usr/bin/env python3
"""Each file that has to repeat the version of the root CMakeLists.txt has that version."""
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = ""  # set below


class Version(unittest.TestCase):

    def test_of_the_debian_packages(self):
        newest = (ROOT / "debian" / "changelog").read_text().splitlines()[0]
        self.assertEqual(VERSION, re.fullmatch(r"sluice \((.*)\) \S+; .*", newest)[1])

    def test_of_the_debian_library(self):
        """Its name has the number in libsluice.so.N, which is the major version."""
        control = (ROOT / "debian" / "control").read_text()
        self.assertEqual([VERSION.split(".", maxsplit=1)[0]],
                         re.findall(r"^Package: libsluice(\d.*)$", control, re.MULTILINE))

    def test_of_the_port_of_vcpkg(self):
        port = json.loads((ROOT / "packages" / "vcpkg" / "vcpkg.json").read_text())
        self.assertEqual(VERSION, port["version"])


if __name__ == "__main__":
    VERSION = sys.argv.pop(1)
    unittest.main()
