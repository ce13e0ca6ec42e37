#!/usr/bin/env python3
"""Which Arrow a build finds: the one of SLUICE_PYARROW, an installed one, or one of python3.

usage: find_arrow_test.py CMAKE [unittest's arguments]

The Arrows of the test have the files that the search looks at, and nothing in them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE = ""  # set by main()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(finding NONE)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
find_package(ArrowFileSystem 26 QUIET)
message(STATUS "found: ${ArrowFileSystem_INCLUDE_DIR}")
if(ArrowFileSystem_FOUND AND NOT TARGET ArrowFileSystem::ArrowFileSystem)
  message(FATAL_ERROR "no target")
endif()
"""


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


class FindArrow(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-find-arrow-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.prefix = self.folder / "prefix"
        write(self.folder / "CMakeLists.txt", PROJECT)
        name = "FindArrowFileSystem.cmake"  # a copy, because the original finds build/object
        (self.folder / "cmake").mkdir()
        shutil.copy(ROOT / "cmake" / name, self.folder / "cmake" / name)
        self.set_python("exit 1")

    def set_python(self, command):
        program = self.folder / "bin" / "python3"
        write(program, f"#!/bin/sh\n{command}\n")
        program.chmod(0o755)

    def headers(self, include, version, s3):
        write(include / "arrow" / "filesystem" / "filesystem.h")
        write(include / "arrow" / "util" / "config.h",
              f'#define ARROW_VERSION_STRING "{version}.0.1"\n'
              f'#define ARROW_SO_VERSION "{version}00"\n' + ("#define ARROW_S3\n" if s3 else ""))

    def pyarrow(self, name, version=26, s3=True):
        place = self.folder / name
        self.headers(place / "include", version, s3)
        write(place / f"libarrow.so.{version}00")
        return place

    def install(self, version=26, s3=True):
        self.headers(self.prefix / "include", version, s3)
        write(self.prefix / "lib" / "cmake" / "Arrow" / "ArrowConfig.cmake",
              "add_library(Arrow::arrow_shared INTERFACE IMPORTED)\n"
              "set_target_properties(Arrow::arrow_shared PROPERTIES\n"
              f'  INTERFACE_INCLUDE_DIRECTORIES "{self.prefix}/include")\n')

    def found(self, pyarrow=None, problem=""):
        """The folder of the headers that a configuration finds. The build folder stays."""
        words = [] if pyarrow is None else [f"-DSLUICE_PYARROW={pyarrow}"]
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        result = subprocess.run(
            [CMAKE, "-S", self.folder, "-B", self.folder / "build",
             f"-DCMAKE_PREFIX_PATH={self.prefix}", *words], env=environment,
            capture_output=True, text=True, check=False)
        self.assertEqual(0, result.returncode, result.stderr)
        if problem:
            self.assertRegex(re.sub(r"\s+", " ", result.stderr),
                             f"SLUICE_PYARROW cannot be used: .*{problem}")
        else:
            self.assertEqual("", result.stderr)
        return re.search(r"^-- found: (.*)$", result.stdout, re.MULTILINE)[1]

    def test_the_folder_that_the_user_names_comes_first(self):
        self.install()
        self.assertEqual(f"{self.prefix}/include", self.found())
        one, other = self.pyarrow("one"), self.pyarrow("other")
        for place in (one, other):  # in a build folder that has found an Arrow before
            self.assertEqual(f"{place}/include", self.found(place))
        self.assertEqual(f"{self.prefix}/include", self.found(""))

    def test_a_folder_of_the_user_without_a_usable_arrow_is_named(self):
        self.install()
        for place, problem in ((self.folder / "none", "has no headers of Arrow"),
                               (self.pyarrow("old", version=25), "has the version 25.0.1"),
                               (self.pyarrow("plain", s3=False), "was built without S3")):
            self.assertEqual("", self.found(place, problem))

    def test_an_installed_arrow_that_cannot_be_used_hides_no_other(self):
        place = self.pyarrow("pyarrow")
        for version, s3 in ((25, True), (26, False)):
            self.install(version, s3)
            self.set_python("exit 1")
            self.assertEqual("", self.found())
            self.set_python(f"echo {place}")
            self.assertEqual(f"{place}/include", self.found())

    def test_an_arrow_of_python_without_s3_is_not_taken(self):
        self.set_python(f"echo {self.pyarrow('pyarrow', s3=False)}")
        self.assertEqual("", self.found())


def main():
    global CMAKE
    CMAKE = sys.argv.pop(1)
    unittest.main()


if __name__ == "__main__":
    main()
