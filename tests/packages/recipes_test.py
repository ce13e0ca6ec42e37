#!/usr/bin/env python3
"""The recipes of Conan and vcpkg use no library that happens to be installed on the machine."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = ("packages/conan/conanfile.py", "packages/vcpkg/portfile.cmake")


def text_of(*paths):
    return "".join((ROOT / path).read_text() for path in paths)


def optional_libraries():
    """The names by which CMake's files look for the libraries that sluice can do without."""
    return set(re.findall(r"^ *find_(?:package|path|library)\((\w+) (?!REQUIRED)",
                          text_of("CMakeLists.txt", "src/CMakeLists.txt"), re.MULTILINE))


def codecs():
    return set(re.findall(r"^ *sluice_codec\((\w+) ", text_of("src/CMakeLists.txt"), re.MULTILINE))


class Recipes(unittest.TestCase):
    def test_switch_off_each_optional_library(self):
        libraries = optional_libraries()
        self.assertLessEqual({"ISAL", "fmt", "XXHASH_INCLUDE_FOLDER"}, libraries)
        for recipe in RECIPES:
            words = set(re.findall(r"(?:CMAKE_DISABLE_FIND_PACKAGE_)?(\w+)", text_of(recipe)))
            words |= {word.removeprefix("DCMAKE_DISABLE_FIND_PACKAGE_").removeprefix("D")
                      for word in words}
            self.assertEqual(libraries - words, set(), recipe)

    def test_choose_each_codec_by_themselves(self):
        self.assertLessEqual({"zstd", "lz4", "gzip"}, codecs())
        conan, vcpkg = (text_of(recipe) for recipe in RECIPES)
        for codec in codecs():
            self.assertIn(f'"{codec}": ', conan)
            for found in ("INCLUDE_FOLDER", "LIBRARY"):
                self.assertIn(f"-D{codec.upper()}_{found}=\n", vcpkg.replace("=)", "=\n"))


if __name__ == "__main__":
    unittest.main()
