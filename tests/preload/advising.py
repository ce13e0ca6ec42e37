"""What the tests of the advice of `sluice trace` share."""

import both_ways

PARTS = ("seen", "why", "fix", "check")
FILE_BYTES = 128 << 20


class AdviceTest(both_ways.BothWaysTest):

    def trace(self, words, *options):
        """(report, result) of a traced program."""
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, *options, "--",
                               *words])
        if result.returncode == 77:
            self.skipTest("a file cannot be had out of memory here")
        self.assertEqual(0, result.returncode, result.stderr)
        return both_ways.report_at(path), result

    def advice(self, kind, words):
        """The advice of one kind, and the report."""
        report, _ = self.trace(words)
        return [advice for advice in report["advice"] if advice["id"] == kind], report

    def subject_words(self, words):
        return [self.subject(words[0]), *words[1:]]

    def uses(self, report, call):
        return [use for use in report["call_sites"] if use["call"] == call]

    def expect(self, kind, *words):
        """The advice is given, whole, and promises no more than there is."""
        found, report = self.advice(kind, self.subject_words(words))
        self.assertNotEqual([], found, f"{kind}: {[each['id'] for each in report['advice']]}")
        for part in PARTS:
            self.assertNotEqual("", found[0][part], part)
        self.assertGreater(found[0]["saved_s"], 0)
        self.assertLessEqual(found[0]["saved_s"], report["wall_s"])
        return found[0], report

    def expect_once(self, kind, *words):
        """The advice is given in one of five tries."""
        for _ in range(4):
            found, report = self.advice(kind, self.subject_words(words))
            if found:
                return found[0], report
        return self.expect(kind, *words)

    def expect_none_once(self, kind, *words):
        """The advice is left out in one of three tries."""
        for _ in range(2):
            found, report = self.advice(kind, self.subject_words(words))
            if not found:
                return report
        return self.expect_none(kind, *words)

    def expect_none(self, kind, *words):
        found, report = self.advice(kind, self.subject_words(words))
        self.assertEqual([], found)
        return report

    def seconds_of(self, use):
        return sum(use["time"].values())

    def input_file(self, size=FILE_BYTES):
        """A file that takes no room, and reads like any other."""
        path = self.root / "input"
        with open(path, "wb") as file:
            file.truncate(size)
        return path
