#!/usr/bin/env python3
"""--html FILE: a problem with the file is reported in one line, before anything runs."""
import os
import stat
import unittest

import html_command
from html_command import HtmlTest

NO_CHARTS = (b"this build has no charts: uPlot was missing when it was configured; ./dev build "
             b"fetches it\n")
TINY = ("write-lines", "--size", "64K", "--rounds", "1")


class Refusals(HtmlTest):

    def expect_refused(self, result, line):
        self.assertEqual((1, b""), (result.returncode, result.stdout), result.stderr)
        self.assertEqual([], os.listdir(self.folder), "something ran")
        self.assertFalse(self.html.exists())
        if html_command.has_charts():
            self.assertEqual(line, result.stderr.split(b": ", 1)[1])
        else:
            self.assertEqual(NO_CHARTS, result.stderr.split(b": ", 1)[1])

    def test_missing_folder(self):
        line = b"open /no/such/page.html: No such file or directory\n"
        self.expect_refused(self.trace("touch", "ran", html="/no/such/page.html"), line)
        self.expect_refused(self.bench(*TINY, html="/no/such/page.html"), line)

    def test_folder(self):
        line = f"open {self.root}: Is a directory\n".encode()
        self.expect_refused(self.trace("touch", "ran", html=self.root), line)
        self.expect_refused(self.bench(*TINY, html=self.root), line)

    def test_empty_name(self):
        for result in (self.trace("touch", "ran", html=""), self.bench(*TINY, html="")):
            self.assertEqual(2, result.returncode)
            self.assertIn(b"--html: the name is empty", result.stderr)
            self.assertEqual([], os.listdir(self.folder))

    def test_program_that_cannot_be_started(self):
        result = self.trace("no-such-program")
        self.assertEqual(127, result.returncode)
        self.assertFalse(self.html.exists())


class Files(HtmlTest):

    def setUp(self):
        super().setUp()
        if not html_command.has_charts():
            self.skipTest("this build has no charts")

    def test_of_a_trace_are_the_owners_alone(self):
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        result = self.trace("sh", "-c", "exit 3")
        self.assertEqual(3, result.returncode, "the program's own exit code")
        self.assertEqual(0o600, stat.S_IMODE(self.html.stat().st_mode))

    def test_on_a_full_device_are_an_error(self):
        for result in (self.trace("true", html="/dev/full"), self.bench(*TINY, html="/dev/full")):
            self.assertEqual(1, result.returncode)
            self.assertRegex(result.stderr.decode().splitlines()[-1],
                             r"\Asluice \w+: write /dev/full.*: No space left on device\Z")

    def test_can_be_asked_for_beside_json(self):
        json = self.root / "report.json"
        result = self.execute("trace", "--json", json, "--html", self.html, "--", "true")
        self.assertEqual(0, result.returncode)
        self.assertTrue(json.exists() and self.html.exists())


if __name__ == "__main__":
    html_command.take_arguments()
    unittest.main()
