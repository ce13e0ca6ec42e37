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
        for part in ("libsluice_run.so", "libsluice_coalesce.so", "libsluice_trace.so",
                     "sluice-trace"):
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
                                 rf"(?m)^{programs} programs? left no log\. ")
                self.assertNotIn(b"No noticeable time could be saved.", result.stderr)
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

    def test_in_a_sandbox(self):
        words = [self.subject("sandboxed"), "/bin/echo", "seen"]
        if self.execute(words).returncode == 77:
            self.skipTest("this kernel has no Landlock")
        plain = self.expect_out_of_reach(words)
        self.assertEqual((0, b"seen\n", b""), (plain.returncode, plain.stdout, plain.stderr))

    def test_without_a_free_descriptor(self):
        for script in ("ulimit -n 3; exec env", "ulimit -n 3; env; exit 4"):
            plain = self.expect_out_of_reach(["sh", "-c", script])
            self.assertEqual(1, len(plain.stderr.splitlines()), plain.stderr)

    def report_without_any(self, words, code):
        """The report of a program that ends with `code` and has no program out of reach."""
        report = self.root / "report"
        result = self.run_fast(words, "--json", report)
        self.assertEqual((code, b""), (result.returncode, result.stderr))
        told = json.loads(report.read_text())
        self.assertEqual(0, told["total"]["programs_out_of_reach"])
        return told

    def test_is_read_by_a_descriptor_that_closes_before(self):
        # The descriptor that stays open below the limit is marked to be closed.
        script = ("import fcntl, os, resource, sys\n"
                  "resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))\n"
                  "file = os.open('/dev/null', os.O_RDONLY | os.O_CLOEXEC)\n"
                  "assert file == 3\n"
                  "os.execv('/bin/sh', ['sh', '-c', 'exit 0'])\n")
        told = self.report_without_any(["python3", "-c", script], 0)
        self.assertEqual(["python3", "sh"], sorted({it["program"] for it in told["processes"]}))

    def test_is_not_counted_if_exec_fails(self):
        script = ("import os, resource\n"
                  "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
                  "try:\n  os.execv('/no/such/program', ['it'])\n"
                  "except FileNotFoundError:\n  os._exit(5)\n")
        self.report_without_any(["python3", "-c", script], 5)


class AProgramThatLeavesNoRecord(LoaderTest):

    def test_because_it_cannot_have_the_object(self):
        for name in ("environment_static", "environment_musl"):
            program = self.subject(name)
            if not os.path.exists(program):
                continue
            self.expect_out_of_reach(["sh", "-c", f"{program} && exit 3"])
            self.expect_out_of_reach(["sh", "-c", f"exec {program}"])

    @needs_root
    def test_because_it_gains_rights(self):
        program = self.root / "env"
        shutil.copy("/usr/bin/env", program)
        os.chown(program, NOBODY, NOBODY)
        program.chmod(0o4755)
        self.expect_out_of_reach(["sh", "-c", f"{program} && exit 3"])

    def test_because_popen_starts_it_from_a_program_with_several_threads(self):
        script = ("import ctypes, threading\n"
                  "threading.Thread(target=print).start()\n"
                  "library = ctypes.CDLL(None)\n"
                  "library.popen.restype = ctypes.c_void_p\n"
                  "stream = ctypes.c_void_p(library.popen(b'exit 3', b'r'))\n"
                  "assert library.pclose(stream) == 3 << 8\n")
        self.expect_out_of_reach(["python3", "-c", script])

    @needs_root
    def test_because_its_user_may_not_write_to_the_folder_of_the_logs(self):
        self.root.chmod(0o755)
        self.copy_of_sluice(self.root / "sluice")
        words = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", "sh", "-c", "id -u; id -u"]
        plain = self.expect_out_of_reach(words)
        self.assertEqual((b"65534\n65534\n", b""), (plain.stdout, plain.stderr))


    @needs_root
    def test_because_it_is_forked_after_a_change_of_the_user(self):
        script = ("import os\n"
                  f"os.setuid({NOBODY})\n"
                  "if os.fork() == 0: os._exit(0)\n"
                  "os.wait()\n")
        report = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", report, "--",
                               "/usr/bin/python3", "-c", script])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertRegex("\n".join(json.loads(report.read_text())["problems"]),
                         "^1 program left no log")


class APathThatTheLoaderWouldSplit(LoaderTest):

    def setUp(self):
        super().setUp()
        self.parts = self.copy_of_sluice(self.root / "a folder: with $ORIGIN")
        self.temporary = self.root / "temporary"
        self.temporary.mkdir()
        self.runtime = self.root / "runtime"
        self.runtime.mkdir()

    def with_temporary(self, folder):
        return {"env": {**os.environ, "TMPDIR": str(folder),
                        "XDG_RUNTIME_DIR": str(self.runtime)}}

    def preloaded(self, command, folder):
        """The object's path, as the loader was told."""
        words = ["sh", "-c", "tr '\\0' '\\n' < /proc/$$/environ; stat -Lc %a:%u $(dirname $("
                 "tr '\\0' '\\n' < /proc/$$/environ | sed -n 's/^LD_PRELOAD=//p'))"]
        result = self.execute([both_ways.COMMAND, command, "--", *words],
                              **self.with_temporary(folder))
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn(f"755:{os.geteuid()}".encode(), result.stdout)
        [path] = re.findall(rb"(?m)^LD_PRELOAD=(.*)$", result.stdout)
        return pathlib.Path(os.fsdecode(path))

    def test_reaches_the_program_and_its_children(self):
        how = self.with_temporary(self.temporary)
        for words in (["sh", "-c", "env; exit 3"], ["sh", "-c", "kill -TERM $$"],
                      [self.subject("one_byte"), "file", 100_000]):
            self.expect_same(words, **how)
            self.assertEqual([], list(self.temporary.iterdir()))
        report = self.root / "report"
        for command in ("run", "trace"):
            self.execute([both_ways.COMMAND, command, "--json", report, "--",
                          "sh", "-c", f"{self.subject('one_byte')} file 1000; true"], **how)
            told = json.loads(report.read_text())
            self.assertEqual({"sh", "one_byte"}, {pathlib.Path(it["program"]).name
                                                  for it in told["processes"]})
        self.assertEqual([], list(self.temporary.iterdir()))

    def test_is_replaced_by_a_link_that_is_removed(self):
        for command in ("run", "trace"):
            path = self.preloaded(command, self.temporary)
            self.assertEqual(self.temporary, path.parent.parent)
            self.assertEqual([], list(self.temporary.iterdir()))

    def test_is_replaced_only_where_nobody_else_can_change_the_link(self):
        below = self.temporary / "below"
        below.mkdir()
        self.temporary.chmod(0o777)  # anybody may rename a file of the folder
        for folder in (self.temporary, below):
            for command in ("run", "trace"):
                self.assertEqual(self.runtime, self.preloaded(command, folder).parent.parent)
        self.temporary.chmod(0o1777)  # anybody may take the link's name when the link is gone
        self.assertEqual(self.runtime, self.preloaded("run", self.temporary).parent.parent)
        self.assertEqual(below, self.preloaded("run", below).parent.parent)

    @needs_root
    def test_is_not_replaced_in_the_folder_of_another_user(self):
        os.chown(self.temporary, NOBODY, NOBODY)
        self.assertEqual(self.runtime, self.preloaded("run", self.temporary).parent.parent)

    def test_is_replaced_elsewhere_if_tmpdir_has_such_a_path(self):
        folder = self.temporary / "with a space"
        folder.mkdir()
        self.assertEqual(self.runtime, self.preloaded("run", folder).parent.parent)

    def test_of_a_program_that_outlives_the_link(self):
        """Its own children then run without the object, and without a complaint."""
        script = "exec 3<&0; (read line; env | grep -c -e LD_PRELOAD -e SLUICE; echo end) <&3 &"
        read, write = os.pipe()
        process = subprocess.Popen([both_ways.COMMAND, "run", "--", "sh", "-c", script],
                                   stdin=read, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   **self.with_temporary(self.temporary))
        os.close(read)
        self.assertEqual(0, process.wait(both_ways.TIMEOUT_S))
        self.assertEqual([], list(self.temporary.iterdir()))
        os.write(write, b"line\n")
        os.close(write)
        self.assertEqual((b"0\nend\n", b""), process.communicate(timeout=both_ways.TIMEOUT_S))


if __name__ == "__main__":
    both_ways.main()
