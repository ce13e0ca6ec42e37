#!/usr/bin/env python3
"""Every public header compiles without a warning: by gcc and clang, in each standard, in C and C++.

usage: headers_test.py CXX CC INCLUDE [--thorough]

The compilers are CXX and CC, and clang where it is installed. With --thorough each C++ header and
each example is compiled alone in each standard, also without exceptions and RTTI. Otherwise one
source includes all C++ headers, and one example is compiled: the build compiles each header alone,
and each example, in its own standard.
"""
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
from concurrent import futures

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tidy"))
from tidy import C_HEADERS  # noqa: E402, below its folder

THOROUGH = "--thorough" in sys.argv
CXX, CC, INCLUDE = sys.argv[1:4]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
CXX_WARNINGS = [*WARNINGS, "-Wold-style-cast"]
CXX_STANDARDS = ["c++20", "c++2b"]
C_STANDARDS = ["c11", "c17"]
WITHOUT = ["-fno-exceptions", "-fno-rtti"]
# Some inline functions exist only if the compiler optimizes.
OPTIMIZED = ["-O2"]
# {fmt} itself is no business of these tests.
HAS_FMT = pathlib.Path("/usr/include/fmt/format.h").exists()
# The header of MPI is no business of these tests either. src/mpi is compiled with each MPI.
NEEDS_MPI = "mpi.h"

HEADERS = sorted(path.name for path in pathlib.Path(INCLUDE, "sluice").glob("*.h")
                 if (HAS_FMT or path.name != "print.h") and path.name != NEEDS_MPI)
# These give the names of stdio another meaning, so no other header follows them.
SWITCH_HEADERS = [name for name in HEADERS if name.startswith("stdio")]


def with_clang(compiler, clang):
    found = shutil.which(clang) or shutil.which(clang + "-14")
    return [compiler] if found is None or "clang" in compiler else [compiler, found]


def including(*headers):
    return "".join(f"#include <sluice/{name}>\n" for name in headers)


def complaint(compiler, language, standard, options, source):
    """What the compiler says about a source, or an empty text."""
    command = [compiler, f"-std={standard}", "-fsyntax-only", f"-I{INCLUDE}", *options,
               "-x", language, "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 and not result.stderr else (
        f"{' '.join(command)}\n{source[:200]}\n{result.stderr}")


class Headers(unittest.TestCase):
    def expect_silence(self, compilers, language, standards, option_sets, sources):
        jobs = list(itertools.product(compilers, [language], standards, option_sets, sources))
        self.assertTrue(jobs)
        with futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            found = [text for text in pool.map(lambda job: complaint(*job), jobs) if text]
        self.assertEqual(found, [], "\n".join(found))

    def test_in_cpp(self):
        others = [name for name in HEADERS if name not in SWITCH_HEADERS]
        alone = [including(name) for name in HEADERS]
        together = [including(*others), *(including(name) for name in SWITCH_HEADERS)]
        compilers = with_clang(CXX, "clang++")
        options = [CXX_WARNINGS, [*CXX_WARNINGS, *OPTIMIZED, *WITHOUT]]
        if THOROUGH:
            self.expect_silence(compilers, "c++", CXX_STANDARDS, options, alone)
            return
        for standard, chosen in zip(CXX_STANDARDS, options):  # each compiler meets each of them
            self.expect_silence(compilers, "c++", [standard], [chosen], together)

    def test_in_c(self):
        self.assertLessEqual(set(C_HEADERS), set(HEADERS))
        self.expect_silence(with_clang(CC, "clang"), "c", C_STANDARDS,
                            [WARNINGS, [*WARNINGS, *OPTIMIZED]],
                            [including(name) for name in C_HEADERS])

    def test_what_users_instantiate(self):
        """Templates and macros warn where a program uses them: the examples use them."""
        examples = ROOT / "examples"
        compilers = with_clang(CXX, "clang++")
        for suffix, language, standards, warnings, compilers in (
                (".cc", "c++", CXX_STANDARDS, CXX_WARNINGS, with_clang(CXX, "clang++")),
                (".c", "c", C_STANDARDS, WARNINGS, with_clang(CC, "clang"))):
            sources = [path.read_text() for path in sorted(examples.glob("*" + suffix))
                       if HAS_FMT or path.stem != "print_table"]
            if not THOROUGH and suffix == ".cc":
                # The build compiles all of them, and clang-tidy shows clang's warnings.
                compilers, standards, sources = compilers[-1:], standards[-1:], sources[-1:]
            self.expect_silence(compilers, language, standards, [warnings], sources)

    def test_a_warning_is_found(self):
        careless = including("writer.h") + "int cut(long n) { return (int)n; }\n"
        self.assertIn("old-style-cast",
                      complaint(CXX, "c++", "c++20", CXX_WARNINGS, careless))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
