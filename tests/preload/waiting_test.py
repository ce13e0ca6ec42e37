#!/usr/bin/env python3
"""The report of `sluice trace` says for how long the calls of a program waited."""
import json
import pathlib

import both_ways


class Waiting(both_ways.BothWaysTest):

    def expect_to_be_most_of_the_time(self, script, call):
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", "sh", "-c", script])
        [use] = [use for use in json.loads(path.read_text())["call_sites"] if use["call"] == call]
        time = use["time"]
        self.assertGreater(time["sleep_s"], time["system_s"] + time["copying_s"])

    def test_of_a_scan_for_a_pipe_is_no_work(self):
        script = f"(sleep 0.5; echo 7) | {self.subject('scan_numbers')}"
        self.expect_to_be_most_of_the_time(script, "fscanf")

    def test_of_a_print_for_a_pipe_is_no_work(self):
        # The pipe is full before the first print.
        script = (f"(head -c 65536 /dev/zero; exec {self.subject('prints')} 20000) | "
                  "(sleep 0.5; cat > /dev/null)")
        self.expect_to_be_most_of_the_time(script, "fprintf")

    def test_of_a_few_long_calls_among_many_short_ones_is_no_work(self):
        # A write waits for the reader whenever the pipe is full: after some 1,000 others.
        writer = "import os\nfor _ in range(20000): os.write(1, bytes(64))"
        reader = ("import os, time\nwhile os.read(0, 65536): time.sleep(0.03)")
        script = f"/usr/bin/python3 -c '{writer}' | /usr/bin/python3 -c '{reader}'"
        self.expect_to_be_most_of_the_time(script, "write")


class CountsThatJump(both_ways.BothWaysTest):
    """The processor's count of time jumps when a virtual machine is suspended or moved."""

    def report_of(self, when, jumps):
        program = pathlib.Path(self.subject("jumping_count"))
        if not program.exists():
            self.skipTest("only a program for x86-64 can see a count that jumps")
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--", program, when,
                               "file", jumps])
        if result.returncode == 77:
            self.skipTest("the kernel lets no process see another count")
        self.assertEqual(0, result.returncode, result.stderr)
        report = json.loads(path.read_text())
        [problem] = report["problems"]
        self.assertIn(problem.encode(), result.stderr)
        self.assertIn(f"count of time jumped {jumps} time{'s' if jumps > 1 else ''},", problem)
        return report

    def seconds_of(self, report, call):
        return sum(sum(use["time"].values()) for use in report["call_sites"]
                   if use["call"] == call)

    def test_make_no_call_longer_than_the_clock_says(self):
        report = self.report_of("often", 5)
        [process] = report["processes"]
        all_s = sum(sum(use["time"].values()) for use in report["call_sites"])
        self.assertLess(0, all_s)
        self.assertLess(all_s, process["wall_s"])

    def test_before_the_first_call_make_no_later_call_shorter(self):
        report = self.report_of("before", 1)
        self.assertGreater(self.seconds_of(report, "write"), 0.0002)

    def test_in_calls_leave_out_the_time_of_these_calls(self):
        [problem] = self.report_of("inside", 3)["problems"]
        self.assertIn("the times of 3 calls are not known", problem)

    def test_after_the_last_call_make_no_call_shorter(self):
        report = self.report_of("after", 1)
        self.assertGreater(self.seconds_of(report, "fwrite"), 0.0001)


if __name__ == "__main__":
    both_ways.main()
