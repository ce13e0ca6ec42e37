#!/usr/bin/env python3
"""Breaks the code in one place at a time and requires that a test notices.

usage: mutate.py BUILD_FOLDER [--quick] [--only TEXT] [--jobs N]
       mutate.py --write-page | --check-page

BUILD_FOLDER has the programs of the tests built. Only the mutated sources are compiled and linked
with the other objects of the build; the sources themselves are never touched, nor is the build. A
mutation that makes the tests hang is ended after a while and counts as noticed, but is named.
--only tries the mutations whose name or file contains TEXT.
"""
import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import re
import sys
import tempfile
import time

from building import ROOT, Broken, mutated_text
from executable_tests import EXECUTABLES, ExecutableTests, has_parts
from mutations import GROUPS, MUTATIONS
from preload_tests import PreloadTests
from ranks_tests import PROGRAMS, RanksTests
from unit_tests import UnitTests
from windows_tests import WindowsTests, is_built

PAGE = ROOT / "docs/mutations.md"


@contextlib.contextmanager
def scratch_folder():
    """A folder that other users may enter, because some tests run programs as another user."""
    with tempfile.TemporaryDirectory(prefix="sluice-mutation-") as name:
        os.chmod(name, 0o755)
        yield pathlib.Path(name)


def try_one(tests, mutation):
    """Tries one mutation: the line of the report, and whether the result is right."""
    began = time.monotonic()
    try:
        with scratch_folder() as scratch:
            if not tests.build(mutation, mutated_text(mutation), scratch):
                raise Broken(f"nothing is compiled from {mutation.file}")
            outcome, what = tests.outcome(mutation, scratch)
    except Broken as problem:
        return False, f"BROKEN    {mutation.name}: {problem}"
    took = f"({time.monotonic() - began:.0f} s)"
    if outcome == "passed":
        return False, f"SURVIVED  {mutation.name}: {what} tests passed {took}"
    return True, f"noticed   {mutation.name}: {outcome}: {what} {took}"


def all_pass_unbroken(tests, mutations):
    with scratch_folder() as scratch:
        outcome, what = tests.outcome_unbroken(mutations, scratch)
    print(f"without a mutation: {outcome}: {what}", flush=True)
    return outcome == "passed" and what > 0


def tests_of(folder, program):
    kinds = {".py": PreloadTests, ".exe": WindowsTests}
    kind = kinds.get(pathlib.Path(program).suffix, UnitTests)
    if program in PROGRAMS:
        kind = RanksTests
    if program in EXECUTABLES:
        kind = ExecutableTests
    return kind(pathlib.Path(folder).resolve(), program)


def missing_for(mutation, folder):
    """Why the mutation cannot be tried, or an empty string."""
    if mutation.needs_root and os.geteuid() != 0:
        return "only root sees what it breaks"
    if mutation.program.endswith(".exe") and not is_built(folder.resolve(), mutation.program):
        return "./dev windows has not built its tests"
    if mutation.program in EXECUTABLES and not has_parts(folder, mutation.program):
        return "this build did not find Open MPI"
    if mutation.program.startswith("mpi_") and not (folder / "bin" / mutation.program).exists():
        return "this build did not find this MPI"
    has_program = (folder / "bin" / mutation.program).exists()
    if mutation.program == "sluice_object_tests" and not has_program:
        return "sluice was built without object stores"
    return ""


def run(folder, chosen, jobs):
    tests = {}
    for program in dict.fromkeys(mutation.program for mutation in chosen):
        tests[program] = tests_of(folder, program)
        if not all_pass_unbroken(tests[program],
                                 [mutation for mutation in chosen if mutation.program == program]):
            return 1
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for right, line in pool.map(lambda mutation: try_one(tests[mutation.program], mutation),
                                    chosen):
            print(line, flush=True)
            wrong += 0 if right else 1
    print(f"{len(chosen)} mutations, {len(chosen) - wrong} noticed")
    return 1 if wrong else 0


# ---- the page ----

def shown(text):
    """A text as code in one cell of a table."""
    words = re.sub(r"\s+", " ", text).strip()
    return "`` " + words.replace("|", "\\|") + " ``" if words else "nothing"


def page():
    lines = ["# Mutations", "",
             f"This page lists {len(MUTATIONS)} mutations. Each breaks the library, "
             "`sluice trace`, `sluice recommend`,",
             "`sluice bench ranks` or an object of `sluice run` on purpose in one place, and a "
             "test must fail. The name of a mutation",
             "says what the broken code does.",
             "",
             "`./dev nightly` tries all mutations. `ctest -R mutations` tries the mutations marked "
             "with *.",
             "`tests/mutations/mutate.py --write-page` writes this page.", ""]
    for title, group in GROUPS.items():
        lines += [f"## {title}", "",
                  "| mutation | file | text | replaced by |", "|---|---|---|---|"]
        for mutation in group:
            star = " *" if mutation.quick else ""
            lines.append(f"| {mutation.name}{star} | {mutation.file} | {shown(mutation.text)} "
                         f"| {shown(mutation.replacement)} |")
        lines.append("")
    return "\n".join(lines)


def check_list():
    """Checks the list and its page without building anything, and prints each problem."""
    problems = []
    names = [mutation.name for mutation in MUTATIONS]
    problems += [f"two mutations are named '{name}'" for name in sorted(set(names))
                 if names.count(name) > 1]
    for mutation in MUTATIONS:
        try:
            mutated_text(mutation)
        except Broken as problem:
            problems.append(f"{mutation.name}: {problem}")
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        problems.append("docs/mutations.md is not what mutate.py --write-page writes")
    print("\n".join(problems) or f"{len(MUTATIONS)} mutations, the page shows them")
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--write-page", action="store_true")
    parser.add_argument("--check-page", action="store_true")
    choice = parser.parse_args()
    if choice.write_page:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if choice.check_page:
        return check_list()
    chosen = [mutation for mutation in MUTATIONS
              if (choice.only in mutation.name or choice.only in mutation.file)
              and (mutation.quick or not choice.quick)]
    for mutation in list(chosen):
        missing = missing_for(mutation, pathlib.Path(choice.build))
        if missing:
            print(f"SKIPPED   {mutation.name}: {missing}")
            chosen.remove(mutation)
    return run(choice.build, chosen, choice.jobs)


if __name__ == "__main__":
    sys.exit(main())
