"""Runs a program as it is, by `sluice run` and by `sluice trace`: nothing may differ."""
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

COMMAND = ""   # the sluice command; set by main()
SUBJECTS = ""  # the folder of the compiled subjects
TIMEOUT_S = 120

# Set by ./dev nightly, and taken away here: programs must see no variable of sluice.
THOROUGH = os.environ.pop("SLUICE_THOROUGH", None) is not None


def parts_folder():
    """The folder of the command's objects and executables, seen from the installation's folder."""
    installed = pathlib.Path(COMMAND).parent.parent
    [part] = installed.glob("lib*/**/sluice-trace")
    return part.parent.relative_to(installed)


def report_at(path):
    """The JSON of a report. Each call site of a trace has its stack, not the stack's index."""
    report = json.loads(path.read_text())
    for site in report.get("call_sites", []):
        site["stack"] = report["stacks"][site["stack"]]
    return report


def problems_of(report):
    """The problems, but not the kernel's work outside of the calls: on a machine that is slow
    because others use it, page faults and starts take longer than the command allows for."""
    return [problem for problem in report["problems"]
            if not problem.startswith("The kernel worked for about")]


def without_address_shuffling():
    """The sanitizers of gcc 12 fail at random where the kernel shuffles addresses far."""
    addresses_not_random = 0x0040000
    ctypes.CDLL(None).personality(addresses_not_random)


class BothWaysTest(unittest.TestCase):
    """Programs run in `self.folder`, which is empty before each."""
    traced = False  # True: compared programs run by `sluice trace` as well

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="sluice-preload-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = self.root / "folder"
        self.folder.mkdir()

    def subject(self, name):
        return str(pathlib.Path(SUBJECTS) / name)

    def execute(self, words, **options):
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        options = {"stdin": subprocess.DEVNULL, "env": os.environ, **options}
        return subprocess.run([str(word) for word in words], cwd=self.folder, timeout=TIMEOUT_S,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              **options)

    def run_fast(self, words, *options, **how):
        return self.execute([COMMAND, "run", *options, "--", *words], **how)

    def run_traced(self, words, **how):
        """Runs by `sluice trace`, whose own report is taken off the end of standard error."""
        result = self.execute([COMMAND, "trace", "--", *words], **how)
        heading = rb"sluice trace: [^\n]*: \d+\.\d{3} s; (?:I/O time|nothing was seen)"
        reports = list(re.finditer(heading, result.stderr))
        self.assertNotEqual([], reports, result.stderr[-500:])
        return subprocess.CompletedProcess(words, result.returncode, result.stdout,
                                           result.stderr[:reports[-1].start()])

    def input_options(self, text):
        """Standard input from a file, opened anew: its position is not shared between the ways."""
        if text is None:
            return {}
        path = self.root / "input"
        path.write_bytes(text)
        file = open(path, "rb")  # pylint: disable=consider-using-with
        self.addCleanup(file.close)
        return {"stdin": file}

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes()
                for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def expect_same(self, words, *options, text=None, **how):
        """Output, exit code or signal, and the files left behind are the same both ways."""
        return self.expect_same_in_each(words, [options], text=text, **how)

    def expect_same_in_each(self, words, modes, text=None, **how):
        """The same for several lists of options, each compared with the one plain run."""
        plain = self.execute(words, **self.input_options(text), **how)
        plain_files = self.files()
        for options in modes:
            with self.subTest(words=words[1:], options=options):
                fast = self.run_fast(words, *options, **self.input_options(text), **how)
                self.expect_same_result(plain, plain_files, fast)
        if self.traced:
            with self.subTest(words=words[1:], traced=True):
                traced = self.run_traced(words, **self.input_options(text), **how)
                self.expect_same_result(plain, plain_files, traced)
        return plain

    def expect_same_result(self, plain, plain_files, fast):
        self.assertEqual(plain.returncode, fast.returncode, fast.stderr[-500:])
        self.assertEqual(plain.stderr, fast.stderr)
        self.expect_same_bytes("standard output", plain.stdout, fast.stdout)
        fast_files = self.files()
        self.assertEqual(sorted(plain_files), sorted(fast_files))
        for name, content in plain_files.items():
            self.expect_same_bytes(name, content, fast_files[name])

    def expect_same_bytes(self, name, plain, fast):
        if plain == fast:
            return
        at = next((i for i, (a, b) in enumerate(zip(plain, fast)) if a != b),
                  min(len(plain), len(fast)))
        self.fail(f"{name}: {len(plain)} bytes and {len(fast)}, they differ from byte {at}: "
                  f"{plain[max(0, at - 60):at + 60]!r} and {fast[max(0, at - 60):at + 60]!r}")


def main():
    global COMMAND, SUBJECTS  # pylint: disable=global-statement
    COMMAND, SUBJECTS = map(os.path.abspath, sys.argv[1:3])
    del sys.argv[1:3]
    unittest.main()
