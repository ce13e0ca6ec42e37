#!/usr/bin/env python3
"""SIGKILL before each system call that the library makes, one after another.

usage: kill_test.py PROGRAM [unittest's arguments]
"""
import pathlib
import sys
import tempfile
import unittest

from workload import KILLED, Workload

STEPS = 3
MOST_CALLS = 2000  # in so many steps; a run that makes more goes round in circles

workload = None  # set by main


class Kill(unittest.TestCase):
    def kill_before_each_call(self, scenario):
        """The number of calls."""
        for nth in range(1, MOST_CALLS):
            with tempfile.TemporaryDirectory(prefix="sluice-crash-") as folder:
                code, told, complaint = workload.run(scenario, folder, seed=nth, steps=STEPS,
                                                     end="kill", at="call", nth=nth)
                broken, _ = workload.check(scenario, folder, told)
                self.assertEqual("", broken, f"{scenario}, killed before call {nth}")
            if "finished" in told:
                self.assertEqual(0, code, complaint)
                return nth - 1
            self.assertEqual((KILLED, ""), (code, complaint), f"{scenario}, call {nth}")
        self.fail(f"{scenario} never ends")

    def test_before_each_system_call_loses_nothing_that_was_acknowledged(self):
        for scenario in workload.scenarios():
            calls = self.kill_before_each_call(scenario)
            print(f"{scenario}: killed before each of {calls} system calls", file=sys.stderr)
            self.assertGreater(calls, 2 * STEPS)

    def test_right_after_an_acknowledgement_loses_nothing(self):
        for scenario in workload.scenarios():
            for nth in range(1, STEPS + 1):
                with tempfile.TemporaryDirectory(prefix="sluice-crash-") as folder:
                    code, told, complaint = workload.run(
                        scenario, pathlib.Path(folder), steps=STEPS, end="kill",
                        at="acknowledgement", nth=nth)
                    self.assertEqual((KILLED, ""), (code, complaint), scenario)
                    broken, _ = workload.check(scenario, folder, told)
                    self.assertEqual("", broken, f"{scenario}, after acknowledgement {nth}")


if __name__ == "__main__":
    workload = Workload(sys.argv.pop(1))
    unittest.main()
