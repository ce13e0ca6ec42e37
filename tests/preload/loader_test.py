#!/usr/bin/env python3
"""Programs that the loader cannot put the object into run as if there was none.

Most tests change the root folder, the mounts or the user, and are skipped unless root runs them."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import both_ways

NOBODY = 65534
needs_root = unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can run this test")


class LoaderTest(both_ways.BothWaysTest):
    traced = True

    def copy_of_sluice(self, folder):
        """Copies the command and its parts into `folder`, and makes the test use the copy."""
        built = pathlib.Path(both_ways.COMMAND).parent.parent
        parts = both_ways.parts_folder()
        (folder / parts).mkdir(parents=True)
        (folder / "bin").mkdir()
        shutil.copy(both_ways.COMMAND, folder / "bin")
        for part in ("libsluice_run.so", "libsluice_trace.so", "sluice-trace"):
            shutil.copy(built / parts / part, folder / parts)
        self.addCleanup(setattr, both_ways, "COMMAND", both_ways.COMMAND)
        both_ways.COMMAND = str(folder / "bin" / "sluice")
        return folder / parts

    def expect_out_of_reach(self, words, programs=1):
        """Nothing differs from a plain run, and the reports say how many programs are missing."""
        plain = self.expect_same_in_each(words, [(), ("--coalesce",)])
        report = self.root / "report"
        for command in ("run", "trace"):
            result = self.execute([both_ways.COMMAND, command, "--json", report, "--", *words])
            self.assertEqual(plain.returncode, result.returncode, result.stderr)
            told = json.loads(report.read_text())
            if command == "run":
                self.assertEqual(programs, told["total"]["programs_out_of_reach"])
            else:
                self.assertRegex("\n".join(told["problems"]),
                                 rf"(?m)^{programs} programs? left no record, because ")
        return plain


class AnObjectThatCannotBeRead(LoaderTest):

    def folder_with_programs(self, *programs):
        """A root folder that has the programs, their libraries, and nothing else."""
        root = self.root / "another root"
        for program in programs:
            text = subprocess.run(["ldd", program], stdout=subprocess.PIPE, check=True,
                                  text=True).stdout
            for file in (program, *re.findall(r"(/\S+) \(0x", text)):
                copy = root / file.lstrip("/")
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, copy)
        return root

    @needs_root
    def test_in_another_root_folder(self):
        root = self.folder_with_programs("/bin/sh", "/bin/echo")
        plain = self.expect_out_of_reach(["chroot", root, "/bin/echo", "seen"])
        self.assertEqual((0, b"seen\n", b""), (plain.returncode, plain.stdout, plain.stderr))
        script = "/bin/echo one; /bin/echo two; echo three"
        plain = self.expect_out_of_reach(["chroot", root, "/bin/sh", "-c", script])
        self.assertEqual(b"one\ntwo\nthree\n", plain.stdout)

    @needs_root
    def test_that_is_another_file_in_another_root_folder(self):
        root = self.folder_with_programs("/bin/echo")
        parts = self.copy_of_sluice(self.root / "sluice")
        for name in ("libsluice_run.so", "libsluice_trace.so"):
            other = root / str(parts / name).lstrip("/")
            other.parent.mkdir(parents=True, exist_ok=True)
            other.write_text("not this object")
        plain = self.expect_out_of_reach(["chroot", root, "/bin/echo", "seen"])
        self.assertEqual((0, b"seen\n", b""), (plain.returncode, plain.stdout, plain.stderr))

    @needs_root
    def test_under_another_mount(self):
        folder = self.root / "sluice"
        self.copy_of_sluice(folder)
        script = f"mount -t tmpfs none '{folder}' && exec /bin/echo seen"
        plain = self.expect_out_of_reach(["unshare", "--mount", "sh", "-c", script])
        self.assertEqual((0, b"seen\n", b""), (plain.returncode, plain.stdout, plain.stderr))

    @needs_root
    def test_by_another_user(self):
        folder = self.root / "sluice"
        self.copy_of_sluice(folder)
        folder.chmod(0o700)
        words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "id", "-u"]
        plain = self.expect_out_of_reach(words)
        self.assertEqual((b"65534\n", b""), (plain.stdout, plain.stderr))

    @needs_root
    def test_because_the_loader_ignores_it_in_a_program_with_other_rights(self):
        plain = self.expect_out_of_reach(["setpriv", f"--euid={NOBODY}", "env"])
        self.assertNotIn(b"SLUICE", plain.stdout)

    def test_without_a_free_descriptor(self):
        for script in ("ulimit -n 3; exec env", "ulimit -n 3; env; exit 4"):
            plain = self.expect_out_of_reach(["sh", "-c", script])
            self.assertEqual(1, len(plain.stderr.splitlines()), plain.stderr)

    def test_is_read_by_a_descriptor_that_closes_before(self):
        # The descriptor that stays open below the limit is marked to be closed.
        script = ("import fcntl, os, resource, sys\n"
                  "resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))\n"
                  "file = os.open('/dev/null', os.O_RDONLY | os.O_CLOEXEC)\n"
                  "assert file == 3\n"
                  "os.execv('/bin/sh', ['sh', '-c', 'exit 0'])\n")
        report = self.root / "report"
        result = self.run_fast(["python3", "-c", script], "--json", report)
        self.assertEqual((0, b""), (result.returncode, result.stderr))
        told = json.loads(report.read_text())
        self.assertEqual(0, told["total"]["programs_out_of_reach"])
        self.assertEqual(["python3", "sh"], sorted({it["program"] for it in told["processes"]}))

    def test_is_not_counted_if_exec_fails(self):
        script = ("import os, resource\n"
                  "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
                  "try:\n  os.execv('/no/such/program', ['it'])\n"
                  "except FileNotFoundError:\n  os._exit(5)\n")
        report = self.root / "report"
        result = self.run_fast(["python3", "-c", script], "--json", report)
        self.assertEqual((5, b""), (result.returncode, result.stderr))
        told = json.loads(report.read_text())
        self.assertEqual(0, told["total"]["programs_out_of_reach"])


if __name__ == "__main__":
    both_ways.main()
