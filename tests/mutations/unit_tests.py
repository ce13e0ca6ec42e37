"""Mutations of the library and of the command, which tests of GoogleTest notice."""
import pathlib
import re
import shlex

from building import HANGING_S, ROOT, Target, run_tests

FAILED_TEST = re.compile(r"^\[  FAILED  \] ([\w/.]+)", re.MULTILINE)


class UnitTests:
    """A program of tests in the build of `folder`."""

    built_name = "tests"
    before = []  # the words of a command that stand before the program

    def __init__(self, folder, program):
        self.program = folder / "bin" / program
        self.target = Target(folder, f"bin/{program}")

    def sources_of(self, mutation):
        """The sources to compile after a change of its file: the code's, or a file of tests."""
        file = mutation.file
        if mutation.test_file:
            return [str(ROOT / mutation.test_file)]
        ours = [source for source in self.target.compiling
                if source.startswith((f"{ROOT}/src/", f"{ROOT}/tools/"))
                and not source.endswith("_test.cc") and "/src/testing/" not in source]
        if file.endswith(".cc"):
            return [source for source in ours if source == str(ROOT / file)]
        include = f'#include "{pathlib.PurePosixPath(file).relative_to("src")}"'
        return [source for source in ours
                if include in pathlib.Path(source).read_text(encoding="utf-8")]

    def compile(self, source, overlay):
        """The object of `source` where files below `overlay` come before the tree's."""
        compiler, flags = self.target.compiler_and_flags(source)
        relative = pathlib.Path(source).relative_to(ROOT)
        there = overlay / relative
        object_file = overlay / f"{relative.stem}.o"
        self.target.run([compiler, f"-I{overlay}/src", f"-I{overlay}/include",
                         f"-I{overlay}/tools", *flags, "-O0", "-w", "-o", str(object_file), "-c",
                         str(there if there.exists() else source)])
        return str(object_file)

    def link(self, objects, test_file, program):
        """Links with `objects` before the archive, which replaces its members of the same names.
        The object of a file of tests is in no archive and is left out."""
        words = self.target.linking.replace(f"-o {self.target.name}",
                                            f"{shlex.join(objects)} -o {program}", 1)
        left_out = (f"/{test_file}.o", f"/{test_file}.obj") if test_file else ()
        self.target.run([word for word in shlex.split(words) if not word.endswith(left_out)])

    def build(self, mutation, text, scratch):
        """Builds the program with the mutated `text`: True if something is compiled from it."""
        file = scratch / mutation.file
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        objects = [self.compile(source, scratch) for source in self.sources_of(mutation)]
        if objects:
            self.link(objects, mutation.test_file, scratch / self.built_name)
        return bool(objects)

    def outcome(self, mutation, scratch):
        command = [*self.before, scratch / self.built_name]
        return outcome_of(command, mutation.tests, scratch, HANGING_S)

    def outcome_unbroken(self, mutations, scratch):
        tests = ":".join(dict.fromkeys(mutation.tests for mutation in mutations))
        return outcome_of([*self.before, self.program], tests, scratch, 10 * HANGING_S)


def outcome_of(program, tests, scratch, limit_s):
    """('failed', test), ('hung', ...), ('died', ...) or ('passed', number of tests)."""
    command = [*map(str, program), f"--gtest_filter={tests}", "--gtest_fail_fast"]
    code, text = run_tests(command, scratch, limit_s)
    failed = FAILED_TEST.search(text)
    if failed:
        return "failed", failed[1]
    started = re.findall(r"^\[ RUN +\] (\S+)", text, re.MULTILINE)
    last = started[-1] if started else "(no test)"
    if code is None:
        return "hung", last
    return ("passed", len(started)) if code == 0 else ("died", f"{last}, exit code {code}")
