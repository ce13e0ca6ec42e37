#!/usr/bin/env python3
"""Rare events that the objects and the command must get right as well."""
import json
import os
import pathlib
import select
import shutil
import subprocess

import both_ways


class EdgesTest(both_ways.BothWaysTest):

    def report_of(self, command, words, *options, **how):
        path = self.root / "report"
        path.unlink(missing_ok=True)
        result = self.execute([both_ways.COMMAND, command, *options, "--json", path, "--", *words],
                              **how)
        return json.loads(path.read_text()), result

    def bytes_written(self, report, name):
        return sum(use["bytes"] for use in report["call_sites"]
                   if use["call"] == "write" and pathlib.Path(use["file"]).name == name)


class FunctionsThatTheCLibraryLacks(EdgesTest):

    def test_are_found_in_a_library_that_only_another_library_sees(self):
        plain = self.expect_same_in_each(
            [self.subject("loads_later"), self.subject("requests.so"), "here", 3],
            [(), ("--coalesce",)])
        self.assertEqual(b"here: 4\n", plain.stdout)

    def test_that_start_a_process_let_it_see_all_bytes(self):
        words = [self.subject("spawns_by_pidfd")]
        plain = self.expect_same_in_each(words, [(), ("--coalesce",)])
        self.assertEqual(b"7\n14\n1\n", plain.stdout)

    def test_that_start_a_process_cover_it(self):
        for command in ("run", "trace"):
            report, result = self.report_of(command, [self.subject("spawns_by_pidfd")])
            self.assertEqual(0, result.returncode, result.stderr)
            programs = [process["program"] for process in report["processes"]]
            self.assertEqual(2, programs.count("wc") or programs.count("sh"), programs)


class ChildrenOfVfork(EdgesTest):

    def test_leave_the_descriptors_of_the_parent(self):
        report, result = self.report_of("trace", [self.subject("vforks"), "writes"])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(len("before\nafter\n"), self.bytes_written(report, "parents"))

    def test_leave_no_bytes_to_the_parent(self):
        for how in ("writes", "crashes"):
            self.expect_same([self.subject("vforks"), how], "--coalesce")


class Forks(EdgesTest):
    traced = True

    def test_need_nothing_of_the_loader(self):
        self.expect_same([self.subject("forks_in_loader")])


class FilesClosedByOneCall(EdgesTest):

    def test_are_forgotten(self):
        for how in ("close_range", "closefrom"):
            with self.subTest(how=how):
                words = [self.subject("closed_together"), how]
                report, result = self.report_of("run", words, "--coalesce")
                self.assertEqual(0, result.returncode, result.stderr)
                self.assertEqual(100, report["total"]["held_writes"])


class TheCommand(EdgesTest):

    def test_signals_no_process_that_has_gone(self):
        how = {"env": {**os.environ, "LD_PRELOAD": self.subject("late_signal.so")}}
        for command in (["run", "--summary"], ["trace"]):
            result = self.execute([both_ways.COMMAND, *command, "--", "true"], **how)
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertNotIn(b"reaped", result.stderr)

    def test_removes_the_link_of_a_command_that_was_killed(self):
        odd = self.root / "a folder"
        shutil.copytree(pathlib.Path(both_ways.COMMAND).parent, odd / "bin")
        parts = both_ways.parts_folder()
        shutil.copytree(pathlib.Path(both_ways.COMMAND).parent.parent / parts, odd / parts)
        temporary = self.root / "temporary"
        temporary.mkdir()
        env = {**os.environ, "TMPDIR": str(temporary)}
        command = [odd / "bin" / "sluice", "run", "--"]
        with subprocess.Popen([*command, "sh", "-c", "echo ready; exec cat"], env=env,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            self.assertEqual(b"ready\n", process.stdout.readline())
            [folder] = temporary.iterdir()
            os.utime(folder, (0, 0))
            self.execute([*command, "true"], env=env)
            self.assertTrue(folder.exists(), "its command still runs")
            process.kill()
            ended, _, _ = select.select([process.stdout], [], [], 20)
            self.assertEqual([process.stdout], ended, "the program still runs")
        os.utime(folder, (0, 0))
        self.execute([*command, "true"], env=env)
        self.assertEqual([], list(temporary.iterdir()))


if __name__ == "__main__":
    both_ways.main()
