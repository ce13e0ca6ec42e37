"""Mutations of the objects that sluice puts into programs, which the Python tests of
tests/preload notice. The mutated objects are put into a copy of the installation, which the tests
run."""
import pathlib
import re
import shlex
import shutil
import sys

from building import HANGING_S, ROOT, Target, run_tests

OBJECTS = ("libsluice_run.so", "libsluice_coalesce.so", "libsluice_trace.so")
FAILED_TEST = re.compile(r"^(?:FAIL|ERROR): (\w+) ", re.MULTILINE)


class PreloadTests:
    """A file of Python tests, which run the command in the build of `folder`."""

    def __init__(self, folder, test_file):
        self.test_file = ROOT / "tests" / test_file
        self.folder = folder
        self.subjects = folder / "tests/preload/subjects"
        [part] = folder.glob(f"lib*/sluice/{OBJECTS[0]}")
        self.parts = part.parent.relative_to(folder)
        self.objects = [Target(folder, self.parts / name) for name in OBJECTS]

    def build(self, mutation, text, scratch):
        """Builds the objects with the mutated `text`: True if something is compiled from it."""
        shutil.copytree(ROOT / "preload", scratch / "preload")
        (scratch / mutation.file).write_text(text, encoding="utf-8")
        self.copy_installation(scratch)
        built = [self.build_object(target, mutation.file, scratch) for target in self.objects]
        return any(built)

    def copy_installation(self, scratch):
        """Executables find the objects beside themselves, so they are copied, not linked."""
        (scratch / "bin").mkdir()
        shutil.copy(self.folder / "bin/sluice", scratch / "bin")
        (scratch / self.parts).mkdir(parents=True)
        for part in (self.folder / self.parts).iterdir():
            (scratch / self.parts / part.name).symlink_to(part)
        (scratch / self.parts / "sluice-trace").unlink()
        shutil.copy(self.folder / self.parts / "sluice-trace", scratch / self.parts)

    def build_object(self, target, file, scratch):
        """A changed header changes every source. Optimized, because the hooks of hot paths must
        not use the stack more than they do in an installation."""
        changed = [source for source in target.compiling
                   if source.startswith(f"{ROOT}/preload/")
                   and (file.endswith(".h") or source == str(ROOT / file))]
        linking = f" {target.linking} "
        for source in changed:
            compiler, flags = target.compiler_and_flags(source)
            flags = [flag.replace(f"{ROOT}/preload", f"{scratch}/preload") for flag in flags]
            relative = pathlib.Path(source).relative_to(ROOT / "preload")
            object_file = scratch / "preload" / f"{relative}.o"
            target.run([compiler, *flags, "-O2", "-w", "-o", str(object_file), "-c",
                        str(scratch / "preload" / relative)])
            linking = re.sub(rf" \S+/{re.escape(str(relative))}\.o ", f" {object_file} ", linking)
        if changed:
            (scratch / target.name).unlink()
            words = linking.replace(f"-o {target.name} ", f"-o {scratch / target.name} ", 1)
            target.run(shlex.split(words))
        return bool(changed)

    def outcome(self, mutation, scratch):
        return self.outcome_of(scratch / "bin/sluice", [mutation.tests], scratch, HANGING_S)

    def outcome_unbroken(self, mutations, scratch):
        tests = list(dict.fromkeys(mutation.tests for mutation in mutations))
        return self.outcome_of(self.folder / "bin/sluice", tests, scratch,
                               HANGING_S * len(tests))

    def outcome_of(self, command, tests, scratch, limit_s):
        """('failed', test), ('hung', ...), ('died', ...) or ('passed', number of tests)."""
        names = dict.fromkeys(name for several in tests for name in several.split())
        words = [sys.executable, "-B", str(self.test_file), str(command), str(self.subjects),
                 "--failfast", *names]
        code, text = run_tests(words, scratch, limit_s)
        failed = FAILED_TEST.search(text)
        if failed:
            return "failed", failed[1]
        if code is None:
            return "hung", " ".join(names)
        if code != 0:
            return "died", f"exit code {code}"
        skipped = re.search(r"skipped=(\d+)", text)
        return "passed", len(names) - (int(skipped[1]) if skipped else 0)
