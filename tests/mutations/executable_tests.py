"""Mutations of executables beside the command, which the Python tests of tests/mpi and some of
tests/preload notice. The mutated executable is put into a copy of the installation, which the tests
run."""
import dataclasses
import pathlib
import re
import shlex
import shutil
import sys

from building import HANGING_S, ROOT, Target, run_tests
from unit_tests import UnitTests

FAILED_TEST = re.compile(r"^(?:FAIL|ERROR): (\w+) ", re.MULTILINE)
MPIRUN = "mpirun.openmpi"


@dataclasses.dataclass(frozen=True)
class Tested:
    executable: str
    test_file: str
    needs_cases: bool = False  # the tests also start the program of tests/mpi
    has_subjects: bool = False  # the tests start the programs of tests/preload, and no mpirun


TRACE_BY_NAMES_TEST = "sluice-trace by preload/names_test.py"
EXECUTABLES = {
    "mpi/bench_test.py": Tested("sluice-ranks-openmpi", "mpi/bench_test.py"),
    "mpi/bench_files_test.py": Tested("sluice-ranks-openmpi", "mpi/bench_files_test.py"),
    "mpi/trace_test.py": Tested("sluice-trace", "mpi/trace_test.py", needs_cases=True),
    TRACE_BY_NAMES_TEST: Tested("sluice-trace", "preload/names_test.py", has_subjects=True),
}
CASES = "mpi_cases_openmpi"
SUBJECTS = "tests/preload/subjects"


def has_parts(folder, program):
    """True if the build in `folder` has what these tests start."""
    tested = EXECUTABLES[program]
    others = SUBJECTS if tested.has_subjects else f"bin/{CASES}"
    names = [f"lib*/sluice/{tested.executable}", others]
    return all(any(folder.glob(name)) for name in names)


class ExecutableTests(UnitTests):
    """A file of Python tests, which run the command in the build of `folder`."""

    def __init__(self, folder, program):  # pylint: disable=super-init-not-called
        self.tested = EXECUTABLES[program]
        self.test_file = ROOT / "tests" / self.tested.test_file
        self.folder = folder
        [self.executable] = folder.glob(f"lib*/sluice/{self.tested.executable}")
        self.parts = self.executable.parent.relative_to(folder)
        self.target = Target(folder, self.parts / self.tested.executable)

    def sources_of(self, mutation):
        return [source for source in self.target.compiling if source == str(ROOT / mutation.file)]

    def link(self, objects, test_file, program):
        """An executable finds the others beside itself, so the command is copied, not linked. A
        mutated object takes the place of the executable's own one, or comes before an archive."""
        for folder in ("bin", self.parts):
            (program.parent / folder).mkdir(parents=True)
        shutil.copy(self.folder / "bin/sluice", program.parent / "bin")
        for part in (self.folder / self.parts).iterdir():
            (program.parent / self.parts / part.name).symlink_to(part)
        mutated = program.parent / self.target.name
        mutated.unlink()
        own = tuple(f"/{pathlib.Path(each).stem}.cc.o" for each in objects)
        words = shlex.split(self.target.linking.replace(
            f"-o {self.target.name}", f"{shlex.join(objects)} -o {mutated}", 1))
        self.target.run([word for word in words if not word.endswith(own)])

    def outcome(self, mutation, scratch):
        return self.outcome_of(scratch / "bin/sluice", [mutation.tests], scratch, HANGING_S)

    def outcome_unbroken(self, mutations, scratch):
        tests = list(dict.fromkeys(mutation.tests for mutation in mutations))
        return self.outcome_of(self.folder / "bin/sluice", tests, scratch, HANGING_S * len(tests))

    def outcome_of(self, command, tests, scratch, limit_s):
        """('failed', test), ('hung', ...), ('died', ...) or ('passed', number of tests)."""
        names = dict.fromkeys(name for several in tests for name in several.split())
        cases = [str(self.folder / "bin" / CASES)] if self.tested.needs_cases else []
        started = [MPIRUN, *cases, str(command)]
        if self.tested.has_subjects:
            started = [str(command), str(self.folder / SUBJECTS)]
        words = [sys.executable, "-B", str(self.test_file), *started, "--failfast", *names]
        code, text = run_tests(words, scratch, limit_s)
        failed = FAILED_TEST.search(text)
        if failed:
            return "failed", failed[1]
        if code is None:
            return "hung", " ".join(names)
        return ("passed", len(names)) if code == 0 else ("died", f"exit code {code}")
