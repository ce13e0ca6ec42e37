#!/usr/bin/env python3
"""Breaks the code in one place at a time and requires that a unit test notices.

usage: mutate.py BUILD_FOLDER [--quick] [--only TEXT] [--jobs N]
       mutate.py --write-page | --check-page

BUILD_FOLDER has the programs of the tests built. Only the mutated sources are compiled, without
optimization, and linked before the other objects of their library; the sources themselves are
never touched. A mutation that makes the tests hang is ended after a while and counts as noticed,
but is named.
"""
import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from mutations import GROUPS, MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/mutations.md"
HANGING_S = 60
FAILED_TEST = re.compile(r"^\[  FAILED  \] ([\w/.]+)", re.MULTILINE)


class Broken(Exception):
    """The mutation itself is wrong: its text is gone, or it does not compile."""


def mutated_text(mutation):
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    times = text.count(mutation.text)
    if times != 1:
        raise Broken(f"the text to be replaced stands {times} times in {mutation.file}")
    return text.replace(mutation.text, mutation.replacement)


class Build:
    """How the build in `folder` compiles and links a program of tests."""

    def __init__(self, folder, program):
        self.folder = pathlib.Path(folder).resolve()
        self.program = f"bin/{program}"
        commands = subprocess.run(["ninja", "-t", "commands", self.program], check=True,
                                  cwd=self.folder, capture_output=True, text=True).stdout
        self.compiling = {}
        for line in commands.splitlines():
            source = re.search(r" -c (\S+)$", line)
            if source:
                self.compiling[source[1]] = line
            elif f"-o {self.program} " in line:
                self.linking = line

    def sources_of(self, mutation):
        """The sources to compile after a change of its file: the code's, or a file of tests."""
        file = mutation.file
        if mutation.test_file:
            return [str(ROOT / mutation.test_file)]
        ours = [source for source in self.compiling
                if source.startswith((f"{ROOT}/src/", f"{ROOT}/tools/"))
                and not source.endswith("_test.cc") and "/src/testing/" not in source]
        if file.endswith(".cc"):
            return [source for source in ours if source == str(ROOT / file)]
        include = f'#include "{pathlib.PurePosixPath(file).relative_to("src")}"'
        return [source for source in ours
                if include in pathlib.Path(source).read_text(encoding="utf-8")]

    def compile(self, source, overlay):
        """The object of `source` where files below `overlay` come before the tree's."""
        words = shlex.split(self.compiling[source])
        start = next(i for i, word in enumerate(words) if word.endswith(("c++", "g++", "clang++")))
        flags = [word for word in words[start:] if word.startswith(("-I", "-D", "-std", "-f"))]
        relative = pathlib.Path(source).relative_to(ROOT)
        there = overlay / relative
        object_file = overlay / f"{relative.stem}.o"
        self.run([words[start], f"-I{overlay}/src", f"-I{overlay}/include",
                  f"-I{overlay}/tools", *flags, "-O0", "-w", "-o", str(object_file), "-c",
                  str(there if there.exists() else source)])
        return str(object_file)

    def link(self, objects, test_file, program):
        """Links with `objects` before the archive, which replaces its members of the same names.
        The object of a file of tests is in no archive and is left out."""
        words = self.linking.removeprefix(": && ").split(" && ")[0]  # then the tests are listed
        words = words.replace(f"-o {self.program}", f"{shlex.join(objects)} -o {program}", 1)
        left_out = f"/{test_file}.o" if test_file else "(none)"
        self.run([word for word in shlex.split(words) if not word.endswith(left_out)])

    def run(self, words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Broken(f"it does not build: {done.stderr.strip()[:2000]}")


def outcome_of(program, tests, scratch):
    """('failed', test), ('hung', ...), ('died', ...) or ('passed', number of tests)."""
    command = [str(program), f"--gtest_filter={tests}", "--gtest_fail_fast"]
    with open(scratch / "output", "w+", encoding="utf-8", errors="replace") as output:
        running = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            code = running.wait(HANGING_S)
        except subprocess.TimeoutExpired:
            code = None
        finally:  # kills a hanging process, and children that it has left
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        output.seek(0)
        text = output.read()
    failed = FAILED_TEST.search(text)
    if failed:
        return "failed", failed[1]
    started = re.findall(r"^\[ RUN +\] (\S+)", text, re.MULTILINE)
    last = started[-1] if started else "(no test)"
    if code is None:
        return "hung", last
    return ("passed", len(started)) if code == 0 else ("died", f"{last}, exit code {code}")


def try_one(build, mutation):
    """Tries one mutation: the line of the report, and whether the result is right."""
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="sluice-mutation-") as name:
            scratch = pathlib.Path(name)
            file = scratch / mutation.file
            file.parent.mkdir(parents=True)
            file.write_text(mutated_text(mutation), encoding="utf-8")
            objects = [build.compile(source, scratch) for source in build.sources_of(mutation)]
            if not objects:
                raise Broken(f"nothing is compiled from {mutation.file}")
            build.link(objects, mutation.test_file, scratch / "tests")
            outcome, what = outcome_of(scratch / "tests", mutation.tests, scratch)
    except Broken as problem:
        return False, f"BROKEN    {mutation.name}: {problem}"
    took = f"({time.monotonic() - began:.0f} s)"
    if outcome == "passed":
        return False, f"SURVIVED  {mutation.name}: {what} tests passed {took}"
    return True, f"noticed   {mutation.name}: {outcome}: {what} {took}"


def all_pass_unbroken(build, mutations):
    tests = ":".join(dict.fromkeys(mutation.tests for mutation in mutations))
    with tempfile.TemporaryDirectory(prefix="sluice-mutation-") as name:
        outcome, what = outcome_of(build.folder / build.program, tests, pathlib.Path(name))
    print(f"without a mutation: {outcome}: {what}", flush=True)
    return outcome == "passed" and what > 0


def run(folder, chosen, jobs):
    builds = {}
    for program in dict.fromkeys(mutation.program for mutation in chosen):
        builds[program] = Build(folder, program)
        if not all_pass_unbroken(builds[program],
                                 [mutation for mutation in chosen if mutation.program == program]):
            return 1
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for right, line in pool.map(lambda mutation: try_one(builds[mutation.program], mutation),
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
             f"This page lists {len(MUTATIONS)} mutations. Each breaks the library or "
             "`sluice trace` on purpose in one place, and a unit test must",
             "fail. The name of a mutation says what the broken code does.", "",
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
              if choice.only in mutation.name and (mutation.quick or not choice.quick)]
    if os.geteuid() != 0:
        for mutation in [mutation for mutation in chosen if mutation.needs_root]:
            print(f"SKIPPED   {mutation.name}: only root sees what it breaks")
            chosen.remove(mutation)
    return run(choice.build, chosen, choice.jobs)


if __name__ == "__main__":
    sys.exit(main())
