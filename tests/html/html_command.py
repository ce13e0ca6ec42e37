"""The command under test with --html, and a folder for its files."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

COMMAND = ""   # set by main()
SUBJECTS = ""  # the folder of the compiled programs that are traced
TIMEOUT_S = 120


class HtmlTest(unittest.TestCase):
    """Programs run in `self.folder`, which nothing else writes to; pages go to `self.root`."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="sluice-html-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = self.root / "folder"
        self.folder.mkdir()
        self.html = self.root / "page.html"

    def execute(self, *words):
        return execute(self.folder, *words)

    def trace(self, *words, html=None):
        html = self.html if html is None else html
        return self.execute("trace", "--html", html, "--", *words)

    def bench(self, *words, folder=None, html=None):
        html = self.html if html is None else html
        return self.execute("bench", "--dir", folder or self.folder, "--html", html, *words)


def subject(name):
    return pathlib.Path(SUBJECTS) / name


def execute(folder, *words):
    """The command's result; words may be bytes, for names that are no UTF-8."""
    words = [word if isinstance(word, bytes) else str(word) for word in words]
    return subprocess.run([COMMAND, *words], cwd=folder, timeout=TIMEOUT_S, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def has_charts():
    """True if this build has charts: without them it refuses --html before it looks at the file."""
    result = execute("/", "trace", "--html", "/no/such/file", "--", "true")
    return b"this build has no charts" not in result.stderr


def take_arguments():
    """COMMAND SUBJECTS, the first two words of the command line."""
    global COMMAND, SUBJECTS  # pylint: disable=global-statement
    COMMAND, SUBJECTS = map(os.path.abspath, sys.argv[1:3])
    del sys.argv[1:3]


def skip_all(why):
    """Skips all tests, in the form that ctest knows, and says why."""
    print(f"SKIPPED, all of it: {why}", file=sys.stderr)
    sys.exit(77)
