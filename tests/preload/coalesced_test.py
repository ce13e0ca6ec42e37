#!/usr/bin/env python3
"""The reasons that `sluice run --coalesce` gives for writes that it does not coalesce."""
import json
import resource
import shutil

import both_ways


class Reasons(both_ways.BothWaysTest):

    def report_of(self, *words, options=("--coalesce",)):
        """The totals of the JSON and the text of the summary."""
        path = self.root / "report"
        result = self.run_fast([self.subject(words[0]), *words[1:]], "--summary", "--json", path,
                               *options)
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(path.read_text())["total"], result.stderr.decode()

    def expect(self, not_coalesced, ends, text, *words):
        total, summary = self.report_of(*words)
        self.assertEqual((not_coalesced, ends),
                         (total["not_coalesced"], total["ends_of_coalescing"]))
        self.assertIn(text, " ".join(summary.split()))
        return total["coalesced_writes"]

    def test_of_a_file_that_is_never_coalesced(self):
        for how, reason, text in (
                ("append", "append", "opened with O_APPEND"),
                ("synchronous", "synchronous", "opened with O_SYNC, O_DSYNC or O_DIRECT"),
                ("readable", "readable", "opened for reading too")):
            with self.subTest(how=how):
                self.assertEqual(0, self.expect(
                    {reason: 1}, {}, f"not coalesced 1 time a file was {text}",
                    "written_lines", "file", 10, how))
        self.expect({"shared": 1}, {}, "not coalesced 1 time a file was shared with another",
                    "written_lines", "file", 10, "has_mapped")
        self.expect({"special": 1}, {},
                    "not coalesced 1 time a file was not a regular file with one name, or in a",
                    "written_lines", "/dev/null", 10)

    def test_of_a_file_that_is_coalesced_no_longer(self):
        """Only the first of ten lines is coalesced."""
        shared = "shared with another descriptor, a stream or a mapping"
        process = "open when another process may have got it"
        for how, reason, text in (
                ("appends", "flags", "given other flags by fcntl"), ("copied", "shared", shared),
                ("mapped", "shared", shared), ("forked", "process", process),
                ("called", "process", process)):
            with self.subTest(how=how):
                self.assertEqual(1, self.expect(
                    {reason: 1}, {}, f"not coalesced 1 time a file was {text}",
                    "written_lines", "file", 10, how))

    def test_of_a_file_whose_writes_cannot_be_joined(self):
        text = "not coalesced 1 time a file was written by single writes"
        self.assertEqual(256, self.expect({"lone": 1}, {}, text, "written_lines", "file", 1_000,
                                          "look"))
        for lines in (255, 256):
            total, _ = self.report_of("written_lines", "file", lines, "look")
            self.assertEqual(lines, total["coalesced_writes"])

    def test_are_only_of_files_that_were_coalesced(self):
        """A process that the program starts says nothing of other files."""
        total, _ = self.report_of("written_lines", "/dev/null", 10, "forked")
        self.assertEqual({"special": 1}, total["not_coalesced"])
        for how in ("", "started"):
            self.expect({}, {}, "coalesced 10 calls of write", "written_lines", "file", 10, how)
        total, _ = self.report_of("written_lines", "file", 10, "append", options=())
        self.assertEqual(({}, {}), (total["not_coalesced"], total["ends_of_coalescing"]))

    def test_of_a_process_that_coalesces_nothing_any_more(self):
        for words, reason, text in (
                (("written_lines", "file", 10, "handled"), "handler", "installed a signal handler"),
                (("written_lines", "file", 10, "alarmed"), "timer", "set a timer"),
                (("written_lines", "file", 10, "requested"), "request",
                 "made an asynchronous request"),
                (("written_lines", "file", 10, "shared"), "memory",
                 "shared memory with another process"),
                (("written_lines", "file", 10, "secured"), "own_call",
                 "made a system call that may end the process or start a thread"),
                (("written_lines", "file", 10, "secured_early"), "own_call",
                 "made a system call that may end the process or start a thread"),
                (("written_lines", "file", 10, "watched"), "watch",
                 "watched files or folders (inotify, fanotify)"),
                (("many_files", "file", 1_100), "descriptor", "opened a descriptor above 1,023"),
                (("maps_files", 65), "mappings", "mapped more than 64 files")):
            with self.subTest(words=words):
                total, summary = self.report_of(*words)
                self.assertEqual(({reason: 1}, 0),
                                 (total["ends_of_coalescing"], total["coalesced_writes"]))
                self.assertIn(f"coalescing ended early: 1 process {text}",
                              " ".join(summary.split()))


class HeldBytes(both_ways.BothWaysTest):

    def test_are_followed_by_no_others_once_there_are_threads(self):
        report = self.root / "report"
        self.run_fast([self.subject("written_lines"), "file", 10, "threaded"], "--coalesce",
                      "--json", report)
        self.assertEqual(1, json.loads(report.read_text())["total"]["coalesced_writes"])

    def test_are_written_whenever_64_kib_are_held(self):
        report = self.root / "report"
        self.run_fast([self.subject("flushed_lines"), "file", 100_000], "--coalesce", "--json",
                      report)
        total = json.loads(report.read_text())["total"]
        file_bytes = (self.folder / "file").stat().st_size
        self.assertEqual(100_000, total["coalesced_writes"])
        self.assertEqual(100_000 - total["saved_system_calls"], -(-file_bytes // 65_536))


class OpenedStreams(both_ways.BothWaysTest):

    def test_leave_errno_alone_behind_a_descriptor_that_is_gone(self):
        self.expect_same([self.subject("failed_reopening"), "file"], "--coalesce")

    def test_of_code_in_a_folder_with_the_name_of_a_library(self):
        """Its streams are no C++ streams."""
        folder = self.root / "libstdc++.so.6"
        folder.mkdir()
        program = shutil.copy(self.subject("one_byte"), folder)
        library = shutil.copy(self.subject("prints_lines.so"), folder)
        report = self.root / "report"
        for words in ([program, "file", 100], [self.subject("loads_later"), library, "file", 100]):
            self.run_fast(words, "--coalesce", "--json", report)
            total = json.loads(report.read_text())["total"]
            self.assertEqual({"stream": 1}, total["not_coalesced"])

    def test_are_told_from_others_without_a_search(self):
        """dladdr() for each of them made the program's own work 13 times as long."""
        most = 5
        path = self.root / "lines"
        path.write_text("a line\n")
        words = [self.subject("opened_streams"), path, 20_000]

        def worked_s(*command):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            result = self.execute([*command, *words])
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertEqual(b"120000\n", result.stdout, result.stderr)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        ratios = []
        for _ in range(5):
            plain_s = worked_s()
            ratios.append(worked_s(both_ways.COMMAND, "run", "--coalesce", "--") / plain_s)
            if ratios[-1] < most:
                return
        self.fail(f"{ratios}, all of them {most} or more")


if __name__ == "__main__":
    both_ways.main()
