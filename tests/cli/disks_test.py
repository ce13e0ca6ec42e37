#!/usr/bin/env python3
"""Full and read-only file systems. Needs root, to mount them; exits with 77 (skipped) elsewhere."""
import os
import subprocess
import sys

import sluice_command
from sluice_command import CommandTest

SKIPPED = 77
TINY = ["write-lines", "--size", "64K", "--rounds", "1"]


class Disk(CommandTest):
    def mount(self, options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.folder], check=True)
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)

    def test_of_one_mebibyte_is_refused_before_starting(self):
        self.mount("size=1m")
        self.expect_refused(
            self.bench(*TINY),
            rf"{self.folder} \(tmpfs\) has 1 MiB available but experiment write-lines needs .*")

    def test_that_is_too_small_for_a_trial_names_options_that_there_are(self):
        self.mount("size=1m")
        room = rf"{self.folder} \(tmpfs\) has 1 MiB available but a trial needs "
        result = self.run_command("recommend", "--dir", self.folder)
        self.assertEqual((1, ""), (result.returncode, result.stdout))
        self.assertRegex(result.stderr, rf"\Asluice recommend: {room}256 MiB and 8 MiB to spare: "
                         r"choose another --dir, or --quick, which needs 16 MiB\n\Z")
        result = self.run_command("recommend", "--quick", "--dir", self.folder)
        self.assertRegex(result.stderr, rf"{room}16 MiB and 8 MiB to spare: "
                         r"choose another --dir\n\Z")

    def test_that_is_read_only(self):
        self.mount("ro")
        self.expect_refused(self.bench(*TINY),
                            f"create a scratch folder in {self.folder}: Read-only file system")

    def test_json_on_a_full_disk(self):
        self.mount("size=64k")
        with open(self.folder / "filler", "wb") as filler:
            try:
                filler.write(bytes(1 << 20))
                filler.flush()
            except OSError:
                pass
        result = self.run_command("bench", *TINY, "--dir", self.inputs, "--json",
                                  self.folder / "x.json")
        self.expect_line(result, f"write {self.folder}/x.json.*: No space left on device")
        self.expect_empty(self.inputs)
        (self.folder / "filler").unlink()
        (self.folder / "x.json").unlink(missing_ok=True)

    def test_that_fills_up_meanwhile_gives_no_results(self):
        # The disk has enough bytes, so this is not refused; but it has room for only a few names.
        self.mount("size=64m,nr_inodes=40")
        result = self.bench("small-files", "write-lines", "--size", "256K", "--rounds", "1")
        self.assertEqual(1, result.returncode)
        self.assertRegex(result.stderr, "(?m)^sluice bench: small-files: sluice Writer: "
                                        ".*: No space left on device$")
        self.assertRegex(result.stdout, "(?m)^  sluice Writer +sluice +FAILED: .*No space left")
        self.assertIn("\nwrite-lines: ", result.stdout, "the other experiment is measured")


def can_mount(folder):
    try:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True,
                                 check=False).returncode == 0
    except OSError:
        return False
    if mounted:
        subprocess.run(["umount", folder], check=True)
    return mounted


if __name__ == "__main__":
    probe = CommandTest()
    probe.setUp()
    able = os.geteuid() == 0 and can_mount(probe.folder)
    probe.doCleanups()
    if not able:
        print("SKIPPED: file systems can be mounted by root alone", file=sys.stderr)
        sys.exit(SKIPPED)
    sluice_command.main()
