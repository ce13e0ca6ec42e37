#!/usr/bin/env python3
"""`sluice trace --compare` of real traces, and `--merge` of kept records."""
import json

import both_ways

OVER_LIMIT = 3


class CompareTest(both_ways.BothWaysTest):

    def trace(self, name, words):
        """The JSON of a traced program, as from an idle machine."""
        path = self.root / name
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--", *words])
        self.assertIn(result.returncode, (0, 7), result.stderr)
        self.set_disturbance(path, 0)
        return path

    def set_disturbance(self, path, others):
        told = json.loads(path.read_text())
        told["disturbance"] = {"others": others, "host": 0}
        path.write_text(json.dumps(told, indent=2))

    def compare(self, *words):
        return self.execute([both_ways.COMMAND, "trace", "--compare", *words])

    def traces(self, before, after):
        """The traces of a command by one name, whose program is changed between the two."""
        program = self.root / "program"
        paths = []
        for name, script in (("before", before), ("after", after)):
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)
            paths.append(self.trace(name, [program]))
        return paths

    def lines(self, count, *more):
        return " ".join(map(str, [self.subject("written_lines"), "file", count, *more]))

    def mended(self):
        return self.traces(self.lines(200_000), self.lines(100))


class Comparisons(CompareTest):

    def test_say_what_became_of_the_advice(self):
        before, after = self.mended()
        report = self.root / "report"
        result = self.compare(before, after, "--json", report)
        self.assertEqual((0, b""), (result.returncode, result.stderr))
        text = result.stdout.decode()
        self.assertIn(" s of I/O time saved\n", text)
        self.assertRegex(text, r"\n1\. [\d.]+ (to [\d.]+ )?s predicted, "
                               r"\d+\.\d{3} s saved in calls: main.*"
                               r"\n   advice    tiny-writes\n   followed  yes: 200,000 calls "
                               r"before, 100 after\n")
        saved = json.loads(report.read_text())
        [advice] = saved["advice"]
        [predicted] = json.loads(before.read_text())["advice"]
        self.assertEqual(predicted["saved_s"], advice["predicted_s"])
        self.assertLessEqual(advice["saved_s"], saved["before"]["io_s"])
        self.assertAlmostEqual(saved["saved_s"], saved["before"]["io_s"] - saved["after"]["io_s"])
        self.assertEqual(0o600, report.stat().st_mode & 0o777)

    def test_show_new_costs(self):
        before, after = self.mended()
        result = self.compare(after, before)
        self.assertEqual(0, result.returncode)
        text = result.stdout.decode()
        self.assertIn(" s of I/O time more than before\n", text)
        self.assertIn("\nThere was no advice to follow.\n", text)
        self.assertRegex(text.partition("New or larger costs\n")[2],
                         r"\A.*\n +-.* 100 +200,000  write, ")

    def test_warn_of_other_commands_and_other_ends(self):
        same = self.trace("same", ["true"])
        other = self.trace("other", ["sh", "-c", "exit 7"])
        result = self.compare(same, other)
        self.assertEqual(0, result.returncode)
        commands, ends = result.stderr.decode().splitlines()
        self.assertIn("the commands differ, so the saving may come from the difference: 'true' in ",
                      commands)
        self.assertIn("the programs ended differently, so one program may have done less work: "
                      "exit code 0 in ", ends)

    def test_warn_of_a_disturbed_run_and_judge_all_the_same(self):
        before, after = self.mended()
        self.set_disturbance(after, 0.5)
        told = (f"sluice trace: other programs and the machine's host used 0 % of the processors' "
                f"time in {before}, 50 % in {after}, so the saving may come from this "
                "disturbance\n")
        result = self.compare(before, after, "--fail-over", "0")
        self.assertEqual((0, told), (result.returncode, result.stderr.decode()))
        self.set_disturbance(before, 0.5)
        result = self.compare(after, before, "--fail-over", "0")
        self.assertEqual(OVER_LIMIT, result.returncode)
        self.assertEqual(2, len(result.stderr.splitlines()), result.stderr)

    def test_find_nothing_between_a_trace_and_itself(self):
        before, _ = self.mended()
        result = self.compare(before, before)
        self.assertEqual((0, b""), (result.returncode, result.stderr))
        text = result.stdout.decode()
        self.assertIn(": 0.000 s of I/O time saved\n", text)
        self.assertIn("followed  no: 200,000 calls before, 200,000 after", text)
        self.assertNotIn("New or larger costs", text)


class Limits(CompareTest):

    def test_fail_for_more_time_than_before(self):
        before, after = self.mended()
        result = self.compare(after, before, "--fail-over", "0")
        self.assertEqual(OVER_LIMIT, result.returncode)
        self.assertRegex(result.stderr.decode(),
                         r"\Asluice trace: /\S*/before has \d+\.\d{3} s more I/O time than "
                         r"/\S*/after, more than the 0\.000 s of --fail-over: see the new or "
                         r"larger costs above\n\Z")
        self.assertIn(b"New or larger costs", result.stdout)

    def test_let_less_time_and_a_little_more_time_pass(self):
        before, after = self.mended()
        for words in ((before, after, "--fail-over", "0"), (after, before, "--fail-over", "1000")):
            result = self.compare(*words)
            self.assertEqual((0, b""), (result.returncode, result.stderr))


class Refusals(CompareTest):

    def expect_refusal(self, code, line, *words):
        result = self.compare(*words)
        self.assertRegex(result.stderr.decode(), f"\\Asluice trace: {line}\n\\Z")
        self.assertEqual((code, b""), (result.returncode, result.stdout))

    def test_of_other_numbers_of_files(self):
        trace = self.trace("trace", ["true"])
        line = "--compare takes two results of --json: sluice trace --compare BEFORE AFTER"
        for words in ([], [trace], [trace] * 3, ["--", trace], [trace, ""]):
            self.expect_refusal(2, line, *words)
        self.expect_refusal(2, "unexpected 'touch': .*", trace, trace, "--", "touch", "touched")
        self.assertEqual({}, self.files())

    def test_of_options_of_a_program(self):
        trace = self.trace("trace", ["true"])
        for option in (["--no-children"], ["--html", "page"], ["--sizes", "sizes"],
                       ["--stacks", "stacks"], ["--for", "1"]):
            self.expect_refusal(2, "--compare runs no program: leave out --for, --no-children, "
                                   "--html, --merge, --sizes and --stacks", trace, trace, *option)
        self.assertEqual({}, self.files())

    def test_of_files_that_are_no_traces(self):
        trace = self.trace("trace", ["true"])
        run = self.root / "run"
        self.run_fast(["true"], "--json", run)
        comparison = self.root / "comparison"
        self.compare(trace, trace, "--json", comparison)
        newer = self.root / "newer"
        newer.write_text(trace.read_text().replace('"schema": 4', '"schema": 5'))
        text = self.root / "text"
        text.write_text("text")
        for path, why in ((run, 'it has no "timeline"'),
                          (comparison, 'it has no "timeline"'),
                          (newer, "it has schema 5, and this sluice reads schema 4"),
                          (text, "it is not valid JSON at byte 2")):
            line = (f"{path}: cannot be compared, because {why}. Make a result with: "
                    "sluice trace --json FILE -- CMD")
            self.expect_refusal(1, line, path, trace)
            self.expect_refusal(1, line, trace, path)

    def test_of_a_report_that_would_overwrite_an_input(self):
        before, after = (self.trace(name, ["true"]) for name in ("before", "after"))
        text = before.read_text()
        self.expect_refusal(2, f"{before}: --json would overwrite this input of --compare: .*",
                            before, after, "--json", before)
        self.assertEqual(text, before.read_text())

    def test_of_files_that_cannot_be_read(self):
        trace = self.trace("trace", ["true"])
        self.expect_refusal(1, "open nothing: No such file or directory", trace, "nothing")
        self.expect_refusal(1, "open nothing: No such file or directory", "nothing", "other")
        self.expect_refusal(1, f"open {self.root}: Is a directory", self.root, trace)

    def test_of_a_report_that_cannot_be_written(self):
        trace = self.trace("trace", ["true"])
        report = self.root / "nothing" / "report"
        self.expect_refusal(1, f"open {report}: No such file or directory", trace, trace,
                            "--json", report)

    def test_of_a_program_that_was_not_seen(self):
        trace = self.trace("trace", ["true"])
        static = self.trace("static", [self.subject("environment_static")])
        self.expect_refusal(1, f"{static}: cannot be compared, because nothing was seen in that "
                               "run: .*", trace, static)


class KeptRecords(both_ways.BothWaysTest):

    def test_have_the_sizes_of_the_writes(self):
        records, merged, direct = self.root / "records", self.root / "merged", self.root / "direct"
        program = ["dd", "if=/dev/zero", "of=file", "bs=100", "count=5"]
        for words in (["--merge", records, "--", *program], ["--merge", records, "--sizes", merged],
                      ["--sizes", direct, "--", *program]):
            self.execute([both_ways.COMMAND, "trace", *words])
        self.assertTrue(merged.read_text().endswith("\n100 5\n"), merged.read_text())
        self.assertEqual(direct.read_text(), merged.read_text())


if __name__ == "__main__":
    both_ways.main()
