#!/usr/bin/env python3
"""Power cuts on real file systems: what was acknowledged as durable is there afterwards.

usage: power_cut_test.py PROGRAM ext4|xfs|btrfs [unittest's arguments]

PROGRAM is crash_workload. SLUICE_CRASH_CYCLES=N makes at least N cuts at chosen and random moments,
and then one before each system call of each scenario; without it there are QUICK_CYCLES.
SLUICE_CRASH_SEED=N makes the same choices again.
Needs root and loop devices; exits with 77 (skipped) elsewhere.
"""
import errno
import os
import random
import shutil
import sys
import time
import unittest

import disk
from workload import FAILED, KILLED, Workload

MOUNT_OPTIONS = {"ext4": ["", "noauto_da_alloc"], "xfs": [""],
                 "btrfs": [""]}
QUICK_CYCLES = {"ext4": 240, "xfs": 120, "btrfs": 120}  # these take longer to mount
CYCLES = int(os.environ.get("SLUICE_CRASH_CYCLES", "0"))
LONGEST_DELAY_S = 0.02  # before a cut from outside
MANY_STEPS = 300        # more than there is time for before such a cut
FEW_STEPS = 4           # when a cut comes before each of their system calls
SEED = int(os.environ.get("SLUICE_CRASH_SEED", time.time_ns() % 1_000_000))

workload = kind = None  # set by main


class Cuts(unittest.TestCase):
    """One disk at a time; each cycle has a folder of its own, whose name is durable."""

    def setUp(self):
        self.cycles = 0
        self.torn = 0
        self.unreadable = 0
        self.random = random.Random(SEED)

    def each_disk(self):
        for options in MOUNT_OPTIONS[kind]:
            one = disk.Disk(kind, options)
            try:
                yield one.files
            finally:
                one.remove()

    def cycle(self, files, scenario, run):
        """What is broken after `run` (a function of a folder that cuts the power)."""
        self.cycles += 1
        folder = files.make_durable_folder(f"cycle-{self.cycles}")
        told = run(files, scenario, folder)
        try:
            files.power_up()
        except OSError as error:
            self.make_anew(files, error)
            return self.cycle(files, scenario, run)
        broken, found = workload.check(scenario, folder, told)
        self.torn += any(line.startswith("torn") and line != "torn 0"
                         for line in found.splitlines())
        shutil.rmtree(folder)
        return broken, told

    def make_anew(self, files, error):
        """Now and then (once in thousands of cuts) the kernel itself has stopped in the middle of
        writing its log, and cannot read it. That says nothing about the library."""
        if error.errno not in (errno.EBADMSG, errno.EUCLEAN):
            raise error
        print(f"{files}: made anew after cut {self.cycles}: {error}; the kernel says:\n"
              f"{disk.last_kernel_messages()}", file=sys.stderr)
        self.unreadable += 1
        self.assertLessEqual(self.unreadable, 1 + self.cycles // 500, "that is more than chance")
        files.make()

    def expect_kept(self, files, scenario, run, what):
        broken, told = self.cycle(files, scenario, run)
        self.assertEqual("", broken, f"{files}: {scenario}, {what}, SLUICE_CRASH_SEED={SEED}")
        return told

    def cut_by_itself(self, **options):
        """A run that cuts the power at a moment of its own, or dies then and has it cut."""
        def run(files, scenario, folder):
            end, code_of_end = ("cut", 0) if files.shuts_down else ("kill", KILLED)
            code, told, complaint = workload.run(scenario, folder, end=end, **options)
            finished = "finished" in told
            self.assertEqual((0 if finished else code_of_end, ""), (code, complaint),
                             f"{files}: {scenario} {options}")
            if finished or not files.shuts_down:
                files.cut()
            return told
        return run

    def cut_from_outside(self, seed):
        """A cut of which the run knows nothing: it has to notice that the library fails."""
        def run(files, scenario, folder):
            def cut(process):
                if not files.shuts_down:
                    process.kill()
                    process.wait()
                files.cut()

            delay = self.random.uniform(0, LONGEST_DELAY_S)
            code, told, complaint = workload.run_until(
                lambda: time.sleep(delay), cut, scenario, folder, seed=seed, steps=MANY_STEPS)
            expected = [0, FAILED if files.shuts_down else KILLED]
            self.assertIn(code, expected, f"{files}: {scenario}: {complaint}")
            return told
        return run


class PowerCut(Cuts):
    def any_moment(self, turn):
        """A run, and what to call it: half of them end right after an acknowledgement."""
        seed = self.random.randrange(1 << 32)
        if turn % 4 == 0:
            return self.cut_from_outside(seed), f"cut from outside, seed {seed}"
        at, nth = ("call", self.random.randint(1, 60)) if turn % 4 == 1 else (
            "acknowledgement", self.random.randint(1, 6))
        options = {"at": at, "nth": nth, "seed": seed, "steps": 8}
        return self.cut_by_itself(**options), f"{options}"

    def test_at_any_moment_loses_nothing_that_was_acknowledged(self):
        scenarios = workload.scenarios()
        pairs = len(MOUNT_OPTIONS[kind]) * len(scenarios)
        turns = -(-(CYCLES or QUICK_CYCLES[kind]) // pairs)
        for files in self.each_disk():
            for scenario in scenarios:
                for turn in range(turns):
                    self.expect_kept(files, scenario, *self.any_moment(turn))
        print(f"{kind}: {self.cycles} power cuts; {self.torn} left a torn Journal", file=sys.stderr)

    @unittest.skipUnless(CYCLES, "the long form: SLUICE_CRASH_CYCLES is not set")
    def test_before_each_system_call_loses_nothing_that_was_acknowledged(self):
        for files in self.each_disk():
            for scenario in workload.scenarios():
                nth, told = 0, ""
                while "finished" not in told:
                    nth += 1
                    run = self.cut_by_itself(at="call", nth=nth, seed=SEED, steps=FEW_STEPS)
                    told = self.expect_kept(files, scenario, run, f"before call {nth}")
        print(f"{kind}: {self.cycles} power cuts before a system call", file=sys.stderr)


# What has to be lost when the library leaves a sync out, without knowing.
BITES = {
    "file_sync": ["append_on_close", "every_flush", "flush_to_storage", "new_files", "replace",
                  "journal", "journal_threads", "journal_raw"],
    "directory_sync": ["new_names", "replace", "replace_nothing", "journal_names"],
    "write_through": ["every_write"],
}
# ext4 writes what takes another file's place by itself, unless it is told not to; on xfs and btrfs
# the sync of a renamed file makes its name durable.
KEPT_ALL_THE_SAME = [("ext4", "file_sync", "replace"),
                     *((kind, "directory_sync", scenario) for kind in ("xfs", "btrfs")
                       for scenario in ("new_names", "journal_names"))]


class TheRig(Cuts):
    def test_notices_every_sync_that_is_left_out(self):
        for files in self.each_disk():
            for without, scenario in ((w, s) for w, some in BITES.items() for s in some):
                run = self.cut_by_itself(at="acknowledgement", nth=3, steps=8, without=without)
                broken, _ = self.cycle(files, scenario, run)
                if (str(files), without, scenario) not in KEPT_ALL_THE_SAME:
                    self.assertIn("not so: ", broken, f"{files}: {scenario} without {without}")


if __name__ == "__main__":
    workload = Workload(sys.argv.pop(1))
    kind = sys.argv.pop(1)
    disk.enter_own_namespace()
    disk.require(kind)
    unittest.main()
