#!/usr/bin/env python3
"""The recipes of Conan and vcpkg use no library that happens to be installed on the machine."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = ("packages/conan/conanfile.py", "packages/vcpkg/portfile.cmake")


def optional_libraries():
    """The names by which CMake's files look for the libraries that sluice can do without."""
    text = "".join((ROOT / path).read_text() for path in ("CMakeLists.txt", "src/CMakeLists.txt"))
    return set(re.findall(r"^ *find_(?:package|path|library)\((\w+) (?!REQUIRED)", text,
                          re.MULTILINE))


class Recipes(unittest.TestCase):
    def test_switch_off_each_optional_library(self):
        libraries = optional_libraries()
        self.assertLessEqual({"ISAL", "fmt", "XXHASH_INCLUDE_FOLDER", "ZSTD_LIBRARY"}, libraries)
        for recipe in RECIPES:
            words = set(re.findall(r"(?:CMAKE_DISABLE_FIND_PACKAGE_)?(\w+)",
                                   (ROOT / recipe).read_text()))
            words |= {word.removeprefix("DCMAKE_DISABLE_FIND_PACKAGE_").removeprefix("D")
                      for word in words}
            self.assertEqual(libraries - words, set(), recipe)


if __name__ == "__main__":
    unittest.main()
