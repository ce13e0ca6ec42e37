#!/usr/bin/env python3
"""`sluice trace --fail-over`: an exit status for continuous integration."""
import json
import re

import both_ways

OVER_LIMIT = 3
LINE = (r"sluice trace: (\d+\.\d{3}) s could be saved in all, more than the (\d+\.\d{3}) s of "
        r"--fail-over: see the advice above\n\Z")


class Limits(both_ways.BothWaysTest):

    def trace(self, limit, words, *options):
        return self.execute([both_ways.COMMAND, "trace", "--fail-over", limit, *options, "--",
                             *words])

    def slow_words(self):
        return [self.subject("written_lines"), "file", 200_000]

    def test_fail_a_program_that_could_save_more(self):
        report = self.root / "report"
        result = self.trace("0", self.slow_words(), "--json", report)
        self.assertEqual(OVER_LIMIT, result.returncode)
        line = re.search(LINE, result.stderr.decode())
        self.assertIsNotNone(line, result.stderr)
        all_advice = json.loads(report.read_text())["advice"]
        promised = sum(advice["least_saved_s"] for advice in all_advice)
        self.assertGreater(promised, 0)
        self.assertAlmostEqual(promised, float(line[1]), delta=0.0006)
        self.assertEqual("0.000", line[2])

    def test_let_a_program_pass_that_could_save_less(self):
        for limit, words in (("1000.5", self.slow_words()), ("0", ["true"])):
            result = self.trace(limit, words)
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertNotIn(b"--fail-over", result.stderr)

    def test_leave_the_status_of_a_program_that_failed(self):
        lines = f"{self.subject('written_lines')} file 200000"
        result = self.trace("0", ["sh", "-c", f"{lines}; exit 7"])
        self.assertEqual(7, result.returncode)
        self.assertIn(b"could be saved: ", result.stderr)
        self.assertNotIn(b"--fail-over", result.stderr)
        self.assertEqual(-15, self.trace("0", ["sh", "-c", f"{lines}; kill $$"]).returncode)

    def test_refuse_a_run_of_which_nothing_was_seen(self):
        result = self.trace("1000", [self.subject("environment_static")])
        self.assertEqual(1, result.returncode)
        self.assertRegex(result.stderr.decode(), r"sluice trace: nothing was seen, so nobody knows "
                         r"whether more could be saved than the seconds of --fail-over: [^\n]*\n\Z")

    def test_are_numbers_of_seconds(self):
        for limit in ("", "-1", "-0", "1s", "0x1", "1e3", "nan", "inf", "0,5", "half", " 1"):
            with self.subTest(limit=limit):
                result = self.trace(limit, ["touch", "touched"])
                self.assertEqual((2, b""), (result.returncode, result.stdout))
                self.assertRegex(result.stderr.decode(),
                                 r"\Asluice trace: --fail-over: '.*' is not a number of seconds, "
                                 r"such as 0\.5 or 10\n\Z")
                self.assertEqual({}, self.files())


if __name__ == "__main__":
    both_ways.main()
