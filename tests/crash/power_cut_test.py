#!/usr/bin/env python3
"""Power cuts on real file systems: everything acknowledged as durable is there afterwards.

usage: power_cut_test.py PROGRAM ext4|xfs|btrfs stopped|FORGETFUL_DISK [unittest's arguments]

PROGRAM is crash_workload. A cut stops the file system, which then writes nothing more to an image
that loses nothing; or it cuts the power of a disk that loses, tears and reorders what was not
flushed: FORGETFUL_DISK is crash_forgetful_disk or "none".
SLUICE_CRASH_CYCLES=N makes at least N cuts at chosen and random moments, and then one before each
system call of each scenario, and in the middle of each write and flush of a disk that forgets;
without it there are QUICK_CYCLES.
SLUICE_CRASH_SEED=N makes the same choices again.
Needs root and loop devices, and for the second kind /dev/fuse; exits with 77 (skipped) elsewhere.
"""
import errno
import os
import random
import shutil
import sys
import time
import unittest

import disk
import forgetful_disk
from workload import FAILED, KILLED, Workload

MOUNT_OPTIONS = {"ext4": ["", "noauto_da_alloc"], "xfs": [""], "btrfs": [""]}
# The bytes that the kernel has to keep in order by itself, and keeps in other ways.
MORE_MOUNT_OPTIONS = {"ext4": ["data=journal", "data=writeback", "nodelalloc"]}
# Each scenario meets each kind of moment, with each of the mount options.
QUICK_CYCLES = {"stopped": {"ext4": 144, "xfs": 72, "btrfs": 72},
                "forgetful": {"ext4": 144, "xfs": 84, "btrfs": 84}}
CYCLES = int(os.environ.get("SLUICE_CRASH_CYCLES", "0"))
LONGEST_DELAY_S = 0.02  # before a cut from outside
MANY_STEPS = 300        # more than there is time for before such a cut
FEW_STEPS = 4           # when a cut comes before each of their system calls
LATEST = {"call": 60, "acknowledgement": 6, "write": 40, "flush": 18}  # moments of a cut
THREADS = [4, 16, 64] if CYCLES else [4]  # of a Journal
SEED = int(os.environ.get("SLUICE_CRASH_SEED", time.time_ns() % 1_000_000))

workload = kind = make_disk = quick_cycles = None  # set by main


class Cuts(unittest.TestCase):
    """One disk at a time; each cycle has a folder of its own, whose name is durable."""

    def setUp(self):
        self.cycles = 0
        self.torn = 0
        self.unreadable = 0
        self.cuts_by_the_disk = 0
        self.random = random.Random(SEED)

    def mount_options(self):
        return MOUNT_OPTIONS[kind]

    def each_disk(self):
        for options in self.mount_options():
            one = make_disk(kind, options)
            try:
                yield one.files
            finally:
                one.remove()

    def cycle(self, files, scenario, run):
        """The promises broken after `run` (a function of a folder that cuts the power)."""
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
        """A run that cuts the power at a moment of its own, or dies so that the power is cut."""
        def run(files, scenario, folder):
            code_of_end = 0 if files.shuts_down else KILLED
            code, told, complaint = workload.run(scenario, folder, **files.ending(), **options)
            finished = "finished" in told
            self.assertEqual((0 if finished else code_of_end, ""), (code, complaint),
                             f"{files}: {scenario} {options}")
            if finished or not files.shuts_down:
                files.cut()
            return told
        return run

    def cut_by_the_disk(self, **options):
        """A run that learns of the cut from a failure."""
        def run(files, scenario, folder):
            code, told, complaint = workload.run(scenario, folder, **files.ending(), **options)
            self.assertIn(code, [0, FAILED], f"{files}: {scenario} {options}: {complaint}")
            self.cuts_by_the_disk += code == FAILED
            files.cut()
            return told
        return run

    def cut_from_outside(self, seed):
        """A cut from outside: the run has to notice that the library fails."""
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
    def mount_options(self):
        more = CYCLES and make_disk is forgetful_disk.ForgetfulDisk
        return [*MOUNT_OPTIONS[kind], *(MORE_MOUNT_OPTIONS.get(kind, []) if more else [])]

    def cut_at(self, at, **options):
        disks_own = at in ("write", "flush")
        return (self.cut_by_the_disk if disks_own else self.cut_by_itself)(at=at, **options)

    def any_moment(self, files, turn):
        """Returns a run and its name. Some runs end right after an acknowledgement."""
        seed = self.random.randrange(1 << 32)
        at = files.moments[turn % len(files.moments)]
        left = files.choose(self.random)
        if at == "outside":
            return self.cut_from_outside(seed), f"cut from outside, seed {seed}, {left}"
        options = {"at": at, "nth": self.random.randint(1, LATEST[at]), "seed": seed, "steps": 8,
                   "threads": self.random.choice(THREADS), "early_every": self.random.randint(0, 3)}
        return self.cut_at(**options), f"{options}, {left}"

    def test_at_any_moment_loses_nothing_that_was_acknowledged(self):
        scenarios = workload.scenarios()
        pairs = len(self.mount_options()) * len(scenarios)
        turns = -(-(CYCLES or quick_cycles) // pairs)
        for files in self.each_disk():
            for scenario in scenarios:
                for turn in range(turns):
                    self.expect_kept(files, scenario, *self.any_moment(files, turn))
            print(f"{files}: {self.cycles} power cuts by now; {self.torn} left a torn Journal; "
                  f"{self.cuts_by_the_disk} came by the disk; {files.what_was_lost()}",
                  file=sys.stderr)

    @unittest.skipUnless(CYCLES, "the long form: SLUICE_CRASH_CYCLES is not set")
    def test_at_each_moment_loses_nothing_that_was_acknowledged(self):
        """Before each system call, and in the middle of each write and flush of the disk."""
        for files in self.each_disk():
            for scenario in workload.scenarios():
                for at in ["call", "write", "flush"]:
                    if at in files.moments:
                        self.cut_at_each(files, scenario, at)
        print(f"{kind}: {self.cycles} power cuts, one moment after another", file=sys.stderr)

    def cut_at_each(self, files, scenario, at):
        nth, told = 0, ""
        while "finished" not in told:
            nth += 1
            left = files.choose(self.random)
            run = self.cut_at(at, nth=nth, seed=SEED, steps=FEW_STEPS)
            told = self.expect_kept(files, scenario, run, f"{at} {nth}, {left}")


# The bytes that must be lost when a sync is left out without the library's knowledge.
BITES = {
    "file_sync": ["append_on_close", "every_flush", "flush_to_storage", "flush_direct",
                  "flush_series", "new_files", "patched_header", "overwrite_flush", "replace",
                  "journal", "journal_threads", "journal_raw"],
    "directory_sync": ["new_names", "replace", "replace_nothing", "journal_names"],
    "write_through": ["every_write", "overwrite_each"],
}
# By default ext4 writes a file that replaces another one, even without a sync. On xfs and btrfs the
# sync of a renamed file makes its name durable.
KEPT_ALL_THE_SAME = [("ext4", "file_sync", "replace"),
                     *((kind, "directory_sync", scenario) for kind in ("xfs", "btrfs")
                       for scenario in ("new_names", "journal_names"))]
LOST_WITHOUT_FLUSHES = ["append_on_close", "new_names", "replace", "journal_threads"]


class TheRig(Cuts):
    def what_is_lost(self, files, scenario, before_run=lambda: None, **options):
        """The promises broken when a cut takes everything that it may take."""
        def run(*arguments):
            before_run()
            return cut(*arguments)

        cut = self.cut_by_itself(at="acknowledgement", nth=3, steps=8, **options)
        files.choose(self.random, percent=0)
        return self.cycle(files, scenario, run)[0]

    def test_notices_every_sync_that_is_left_out(self):
        there = workload.scenarios()  # without zstd there are no compressed files
        for files in self.each_disk():
            for without, scenario in ((w, s) for w, some in BITES.items() for s in some
                                      if s in there):
                broken = self.what_is_lost(files, scenario, without=without)
                if (files.mounted_as, without, scenario) not in KEPT_ALL_THE_SAME:
                    self.assertIn("not so: ", broken, f"{files}: {scenario} without {without}")

    def test_notices_a_disk_that_does_not_flush(self):
        if make_disk is not forgetful_disk.ForgetfulDisk:
            self.skipTest("only a forgetful disk is ever told to flush")
        for files in self.each_disk():
            for scenario in LOST_WITHOUT_FLUSHES:
                broken = self.what_is_lost(files, scenario, files.ignore_flushes)
                self.assertIn("not so: ", broken, f"{files}: {scenario}")


if __name__ == "__main__":
    workload = Workload(sys.argv.pop(1))
    kind, forgetful = sys.argv.pop(1), sys.argv.pop(1)
    disk.enter_own_namespace()
    make_disk, quick_cycles = disk.Disk, QUICK_CYCLES["stopped"][kind]
    if forgetful != "stopped":
        forgetful_disk.require(forgetful)
        make_disk, quick_cycles = forgetful_disk.ForgetfulDisk, QUICK_CYCLES["forgetful"][kind]
    disk.require(kind, make_disk)
    unittest.main()
