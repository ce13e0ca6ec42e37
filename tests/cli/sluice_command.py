"""The command under test, and a folder for it that must be empty at the end."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

COMMAND = ""  # set by main()
TIMEOUT_S = 120
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # None: where tempfile likes


class CommandTest(unittest.TestCase):
    """Each test has `self.folder` for --dir, which it must leave empty, and `self.inputs`."""

    place = None  # of these folders

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="sluice-cli-", dir=self.place))
        self.addCleanup(shutil.rmtree, self.root)
        self.root.chmod(0o755)
        self.folder = self.root / "folder"
        self.folder.mkdir()
        self.inputs = self.root / "inputs"
        self.inputs.mkdir()

    def tearDown(self):
        self.expect_empty(self.folder)

    def input(self, name, content):
        path = self.inputs / name
        path.write_text(content)
        return path

    def run_command(self, *arguments, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.run([COMMAND, *map(str, arguments)], text=True, timeout=TIMEOUT_S,
                              stdin=subprocess.DEVNULL, check=False, **options)

    def bench(self, *arguments, **options):
        return self.run_command("bench", "--dir", self.folder, *arguments, **options)

    def expect_empty(self, folder):
        self.assertEqual([], sorted(os.listdir(folder)), "left behind")

    def expect_ok(self, result):
        self.assertEqual((0, ""), (result.returncode, result.stderr))

    def expect_line(self, result, line):
        """Exit code 1 and this one line on standard error, which may be a regular expression."""
        self.assertEqual(1, result.returncode, result.stderr)
        self.assertRegex(result.stderr, f"\\Asluice( bench| cat| get| put)?: {line}\n\\Z")

    def expect_refused(self, result, line):
        """Like expect_line; and nothing was measured."""
        self.expect_line(result, line)
        self.assertFalse(result.stdout)

    def expect_usage(self, result, *texts):
        """Exit code 2, and standard error contains the texts."""
        self.assertEqual(2, result.returncode, result.stderr)
        self.assertFalse(result.stdout)
        for text in texts:
            self.assertIn(text, result.stderr)


def copy_for_everyone(folder):
    """A copy of the command that another user may run, whatever folder the build is in."""
    copy = pathlib.Path(folder, "bin", "sluice")
    installed = pathlib.Path(COMMAND).parent.parent
    for part in [pathlib.Path(COMMAND), *installed.glob("lib*/**/sluice-*")]:
        target = pathlib.Path(folder, part.relative_to(installed))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(part, target)
        for path in [target, *target.relative_to(folder).parents]:
            pathlib.Path(folder, path).chmod(0o755)
    return copy


def main():
    """usage: SOME_test.py COMMAND [unittest's arguments]"""
    global COMMAND
    COMMAND = os.path.abspath(sys.argv.pop(1))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
