"""Mutations of src/mpi that tests on several ranks notice: tests/mpi/mpi_test.py."""
import re
import sys

from building import HANGING_S, ROOT, run_tests
from unit_tests import UnitTests

FAILED_TEST = re.compile(r"^(?:FAIL|ERROR): (\w+) ", re.MULTILINE)
PROGRAMS = {"mpi_cases_openmpi": ("mpirun.openmpi", "ompio"),
            "mpi_cases_mpich": ("mpirun.mpich", "-")}


class RanksTests(UnitTests):
    """The program of the cases in the build of `folder`, under the mpirun of its MPI."""

    def outcome(self, mutation, scratch):
        return self.outcome_of(scratch / self.built_name, [mutation.tests], scratch, HANGING_S)

    def outcome_unbroken(self, mutations, scratch):
        tests = list(dict.fromkeys(mutation.tests for mutation in mutations))
        return self.outcome_of(self.program, tests, scratch, HANGING_S * len(tests))

    def outcome_of(self, program, tests, scratch, limit_s):
        """('failed', test), ('hung', ...), ('died', ...) or ('passed', number of tests)."""
        names = dict.fromkeys(name for several in tests for name in several.split())
        mpirun, io = PROGRAMS[self.program.name]
        words = [sys.executable, "-B", str(ROOT / "tests/mpi/mpi_test.py"), mpirun, str(program),
                 io, "--once", *(f"Mpi.{name}" for name in names)]
        code, text = run_tests(words, scratch, limit_s)
        failed = FAILED_TEST.search(text)
        if failed:
            return "failed", failed[1]
        if code is None:
            return "hung", " ".join(names)
        return ("passed", len(names)) if code == 0 else ("died", f"exit code {code}")
