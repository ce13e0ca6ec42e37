#!/usr/bin/env python3
"""The advice of `sluice trace`: each kind is given to a program that needs it, with a saving that
is not more than what its calls took, and not to the same program mended."""
import os
import shutil
import sys

import both_ways
from advising import FILE_BYTES, PARTS, AdviceTest


class OfCalls(AdviceTest):

    def test_tiny_writes_to_a_stream(self):
        advice, report = self.expect("tiny-stdio-writes", "one_byte", "file", 20_000_000)
        [use] = self.uses(report, "fwrite")
        self.assertLess(advice["computed"]["saved_s"], self.seconds_of(use))
        self.expect_none("tiny-stdio-writes", "pieces", "fwrite", "file", 8_000)

    def test_calls_without_a_lock_beside_a_thread(self):
        words = ("unlocked_calls", "write", "file", 16_000_000)
        advice, _ = self.expect("tiny-stdio-writes", *words)
        self.assertNotIn("_unlocked", advice["fix"])
        self.assertNotIn("--unlocked", advice["fix"] + advice["check"] + advice["by"])
        advice, _ = self.expect("tiny-stdio-writes", "unlocked_calls", "locked", *words[2:])
        self.assertEqual("run --unlocked", advice["by"])

    def test_tiny_reads_of_a_stream(self):
        path = self.input_file()
        self.expect("tiny-stdio-reads", "small_calls", "fread", path, 10_000_000)
        self.expect_none("tiny-stdio-reads", "whole_file", "blocks", path)

    def test_a_character_at_a_time(self):
        path = self.input_file()
        self.expect("char-at-a-time", "look_ups", "getc", path, 40_000_000)
        self.expect_none("char-at-a-time", "look_ups", "getline", path, 10_000_000)

    def test_tiny_writes(self):
        self.expect("tiny-writes", "written_lines", "file", 200_000)
        self.expect_none("tiny-writes", "pieces", "write", "file", 4_096)

    def test_tiny_writes_that_nobody_may_coalesce(self):
        for how in ("append", "appends"):
            with self.subTest(how=how):
                advice, _ = self.expect("tiny-writes", "written_lines", "file", 200_000, how)
                self.assertEqual("", advice["by"])

    def by(self, kind, words):
        """The ways that the advice of one kind names; "": only a change of the program helps."""
        found, _ = self.advice(kind, words)
        self.assertNotEqual([], found)
        for advice in found:
            self.assertEqual(advice["by"] != "", "sluice run" in advice["fix"] + advice["check"])
        return {advice["by"] for advice in found}

    def test_lines_that_run_coalesces(self):
        lines = self.subject("flushed_lines")
        self.assertEqual({"run --coalesce"}, self.by("tiny-writes", [lines, "file", 200_000]))

    def test_lines_to_standard_output_that_nobody_coalesces(self):
        loop = 'i=0; while [ $i -lt 100000 ]; do echo "line $i"; i=$((i + 1)); done > file'
        self.assertEqual({""}, self.by("tiny-writes", ["dash", "-c", loop]))
        lines = f"exec {self.subject('records')} standard file 200000 > file"
        self.assertEqual({""}, self.by("tiny-writes", ["sh", "-c", lines]))

    def test_lines_at_the_end_of_a_file_that_nobody_coalesces(self):
        lines = self.subject("flushed_lines")
        self.assertEqual({""}, self.by("tiny-writes", [lines, "file", 200_000, "append"]))

    def test_lines_while_there_is_a_handler_that_nobody_coalesces(self):
        lines = self.subject("written_lines")
        self.assertEqual({"run --coalesce"}, self.by("tiny-writes", [lines, "file", 200_000]))
        for when in ("handled", "printed"):
            with self.subTest(when=when):
                self.assertEqual({""}, self.by("tiny-writes", [lines, "file", 200_000, when]))

    def test_lines_to_a_file_that_others_may_have_that_nobody_coalesces(self):
        lines = self.subject("written_lines")
        for how in ("forked", "copied", "called", "mapped", "has_mapped", "twice", "stream",
                    "alarmed", "shared", "requested", "secured_early", "high"):
            with self.subTest(how=how):
                self.assertEqual({""}, self.by("tiny-writes", [lines, "file", 200_000, how]))
        for how in ("started", "unclosed"):
            with self.subTest(how=how):
                self.assertEqual({"run --coalesce"},
                                 self.by("tiny-writes", [lines, "file", 200_000, how]))
        inherited = f"exec {lines} file 200000 inherited 3> file"
        self.assertEqual({""}, self.by("tiny-writes", ["sh", "-c", inherited]))
        lines = self.subject("flushed_lines")
        self.assertEqual({""}, self.by("tiny-writes", [lines, "file", 200_000, "process"]))

    def test_lines_between_reads_that_nobody_coalesces(self):
        lines = self.subject("written_lines")
        self.assertEqual({""}, self.by("tiny-writes", [lines, "file", 200_000, "read"]))

    def test_lines_of_threads_that_nobody_coalesces(self):
        self.assertEqual({""}, self.by("tiny-writes", [self.subject("flushed_by_threads")]))

    def test_lines_beside_a_handler_that_nobody_coalesces(self):
        lines = self.subject("flushed_lines")
        self.assertEqual({""}, self.by("tiny-writes", [lines, "file", 200_000, "handler"]))

    def in_a_shell(self, *words, **streams):
        """The words that run a subject whose streams are files."""
        command = " ".join(map(str, [self.subject(words[0]), *words[1:]]))
        names = {"stdin": "<", "stdout": ">", "stderr": "2>"}
        return ["sh", "-c", f"exec {command}" +
                "".join(f" {names[name]} {path}" for name, path in streams.items())]

    def test_lines_that_scanf_reads(self):
        numbers = self.root / "numbers"
        numbers.write_text("".join(f"{i}\n" for i in range(600_000)))
        words = self.in_a_shell("scan_numbers", stdin=numbers)
        [advice], report = self.advice("scanned-lines", words)
        self.assertEqual("fscanf", advice["call"])
        self.assertIn("fgets", advice["fix"])
        [use] = self.uses(report, "fscanf")
        self.assertLess(advice["computed"]["saved_s"], self.seconds_of(use))
        # A text that has no number ends at once.
        numbers.write_text("none\n")
        self.assertEqual([], self.advice("scanned-lines", words)[0])

    def test_messages_without_a_buffer(self):
        for how, given in (("unbuffered", 1), ("buffered", 0)):
            words = self.in_a_shell("messages", 300_000, how, stderr="/dev/null")
            found, report = self.advice("unbuffered-messages", words)
            self.assertEqual(given, len(found), report["advice"])
        words = self.in_a_shell("messages", 300_000, "unbuffered", stderr="file")
        self.assertEqual([], self.advice("unbuffered-messages", words)[0])

    def test_tiny_reads(self):
        path = self.input_file()
        self.expect("tiny-reads", "pieces", "read", path, 64)
        self.expect_none("tiny-reads", "pieces", "read", path, 4_096)

    def test_a_flush_after_each(self):
        self.expect("flush-after-each", "records", "flushed", "file", 200_000)
        self.expect_none("flush-after-each", "records", "buffered", "file", 200_000)

    def test_unbuffered_and_line_buffered_streams(self):
        self.expect("unbuffered-stream", "records", "unbuffered", "file", 200_000)
        self.expect("unbuffered-stream", "records", "line-buffered", "file", 200_000)
        self.expect_none("unbuffered-stream", "records", "buffered", "file", 200_000)

    def test_small_buffers(self):
        advice, report = self.expect("small-buffer", "small_calls", "fprintf", "file", 3_000_000)
        use = self.uses(report, "fprintf")[0]
        self.assertLess(advice["computed"]["saved_s"], self.seconds_of(use) / 2)
        records, report = self.expect("tiny-stdio-writes", "records", "buffered", "file", 5_000_000)
        self.assertIn("The kernel is called for each 4 KiB", records["why"])
        self.assertNotIn("small-buffer", [each["id"] for each in report["advice"]])
        path = self.input_file(4 * FILE_BYTES)
        self.expect("small-buffer", "pieces", "read", path, 4_096)
        self.expect_none("small-buffer", "pieces", "read", path, 65_536)

    def test_small_buffers_that_run_leaves(self):
        calls = self.subject("small_calls")
        self.assertEqual({""}, self.by("small-buffer", [calls, "fprintf", "file", 3_000_000]))

    def test_an_array_that_is_written_in_pieces(self):
        for call, size in (("write", 4_096), ("fwrite", 1_000)):
            with self.subTest(call=call):
                advice, report = self.expect("small-buffer", "pieces", call, "file", size)
                [use] = self.uses(report, call)
                self.assertLess(advice["computed"]["saved_s"], self.seconds_of(use))
                self.expect_none("small-buffer", "pieces", call, "file", 64 << 20)


class OfFiles(AdviceTest):

    def test_seeks_before_each_read(self):
        path = self.input_file(3_000_000)
        self.expect("seek-before-read", "seek_and_read", path, 500_000)
        self.expect("seek-before-read", "look_ups", "lseek", path, 500_000)
        self.expect_none("seek-before-read", "look_ups", "pread", path, 500_000)

    def test_a_header_that_is_written_after_each_record(self):
        self.expect("rewritten-part", "records", "counted", "file", 50_000)
        self.expect_none("rewritten-part", "records", "sought", "file", 50_000)

    def test_users_that_are_asked_for_again(self):
        for how, kind in (("numbers", "users-again"), ("names", "users-again"),
                          ("services", "services-again")):
            self.expect(kind, "user_names", how, 20_000, 2)
            self.expect_none(kind, "user_names", how, 1_000, 1_000)

    def test_hosts_that_are_asked_for_again(self):
        advice, _ = self.expect("hosts-again", "user_names", "hosts", 20_000, 2)
        self.assertEqual(2, advice["places"])
        self.expect_none("hosts-again", "user_names", "addresses", 20_000, 2)

    def test_local_times_without_a_time_zone(self):
        advice, _ = self.expect("time-zone", "local_times", 100_000)
        self.assertIn("200,000 calls", advice["seen"])
        self.expect_none("time-zone", "local_times", 100_000, "UTC")

    def test_far_places_and_places_in_a_row(self):
        path = self.input_file(3_000_000)
        self.expect("scattered-reads", "look_ups", "pread", path, 150_000)
        self.expect("tiny-reads", "look_ups", "in-order", path, 150_000)
        self.expect("tiny-reads", "look_ups", "standing", path, 150_000)
        self.expect("tiny-writes", "look_ups", "records", self.root / "records", 40_000)

    def test_reading_again(self):
        path = self.input_file(16 << 20)
        advice, report = self.expect("read-again", "whole_file", "again", path)
        self.assertIn("9.0 times its size", advice["seen"])
        [use] = self.uses(report, "read")
        share = advice["computed"]["saved_s"] / self.seconds_of(use)
        self.assertLess(share, 0.89)
        if sum(report["disturbance"].values()) < 0.1:  # no call waited for a processor
            self.assertAlmostEqual(8 / 9, share, places=2)
        self.expect_none("read-again", "whole_file", "blocks", path)
        # New memory for a large file costs more than a second reading.
        self.expect_none("read-again", "whole_file", "again", self.input_file())

    def test_work_on_bytes_that_are_read_again(self):
        program = ("import gzip, os\n"
                   "with gzip.open('file', 'wb') as file: file.write(os.urandom(200000).hex()"
                   ".encode())\n"
                   "with gzip.open('file') as file:\n"
                   "  for _ in range(%d): file.seek(399999); file.seek(0)\n")
        [advice], report = self.advice("read-again", [sys.executable, "-c", program % 60])
        calls_s = sum(self.seconds_of(use) for use in self.uses(report, "read"))
        self.assertGreater(advice["computed"]["least_saved_s"], calls_s)
        self.assertIn("`gzip`", advice["fix"])
        self.assertEqual([], self.advice("read-again", [sys.executable, "-c", program % 4])[0])

    def test_not_reading_once_in_each_process(self):
        path = self.input_file()
        one = f"{self.subject('whole_file')} blocks {path}"
        found, _ = self.advice("read-again", ["sh", "-c", f"{one}; {one}; {one}; true"])
        self.assertEqual([], found)

    def test_syncs_after_each(self):
        self.expect("sync-after-each", "records", "synced", "file", 1_000)
        self.expect_none("sync-after-each", "records", "synced-once", "file", 1_000)
        self.expect_none("sync-after-each", "records", "gathered-synced", "file", 700_000)

    def test_synchronous_writes(self):
        _, report = self.expect("synchronous-writes", "records", "synchronous", "file", 2_000)
        self.assertEqual(["synchronous-writes"], [each["id"] for each in report["advice"]])
        self.expect_none("synchronous-writes", "records", "gathered", "file", 700_000)

    def test_mapping_in_pieces(self):
        path = self.input_file()
        advice, report = self.expect("mapped-pieces", "maps_pieces", path, 4096, 3)
        self.assertEqual("mmap", advice["call"])
        [use] = self.uses(report, "mmap")
        self.assertEqual(3 * FILE_BYTES // 4096, use["calls"])
        self.expect_none("mapped-pieces", "maps_pieces", path, 1 << 20, 300)

    def test_opening_for_each_record(self):
        self.expect("reopened", "records", "reopened", "file", 20_000)
        self.expect_none("reopened", "records", "buffered", "file", 20_000)

    def test_writing_a_file_anew_for_each_change(self):
        program = ("for i in range(1500):\n"
                   "    with open('settings', %s) as file: file.write('key=%%d\\n' %% i * 500)")
        [advice], report = self.advice("written-anew", [sys.executable, "-c", program % "'w'"])
        self.assertEqual("Python", advice["runtime"])
        self.assertIn("after the last change", advice["fix"])
        self.assertNotIn("reopened", [each["id"] for each in report["advice"]])
        self.assertEqual([], self.advice("written-anew",
                                         [sys.executable, "-c", program % "'a'"])[0])

    def test_writing_a_file_that_stays_open_anew_for_each_change(self):
        program = ("with open('settings', 'w') as file:\n"
                   "    for i in range(20000):\n"
                   "        %s; file.write('key=%%d\\n' %% i * 50); file.flush()")
        anew = [sys.executable, "-c", program % "file.seek(0); file.truncate()"]
        [advice], report = self.advice("written-anew", anew)
        self.assertIn("after the last change", advice["fix"])
        self.assertEqual(["written-anew"], [each["id"] for each in report["advice"]])
        appended = [sys.executable, "-c", program % "pass"]
        self.assertEqual([], self.advice("written-anew", appended)[0])

    def test_seeking_to_the_end_before_each_record(self):
        advice, report = self.expect("seek-before-write", "records", "sought", "file", 200_000)
        [use] = self.uses(report, "fseek")
        self.assertLessEqual(advice["computed"]["saved_s"], self.seconds_of(use))
        self.expect_none("seek-before-write", "records", "buffered", "file", 200_000)


class OfRuns(AdviceTest):

    LOOP = "i=0; while [ $i -lt 100 ]; do %s; i=$((i + 1)); done > file"

    def test_starting_a_program_for_each_record(self):
        [advice], report = self.advice("started-programs",
                                       ["dash", "-c", self.LOOP % "basename /a/$i"])
        self.assertEqual("programs that dash starts", advice["place"])
        # On a busy machine the start of one may take so long that it is not what costs.
        self.assertRegex(advice["seen"], "^(100|9[0-9]) starts of basename")
        self.assertIn("`${path##*/}`", advice["fix"])
        self.assertEqual([], advice["call_sites"])
        self.assertLess(0, advice["least_saved_s"])
        self.assertLess(advice["least_saved_s"], advice["saved_s"])
        self.assertLessEqual(advice["saved_s"], report["wall_s"])

    def test_starting_programs_that_compute(self):
        busy = self.subject("busy")
        loop = self.LOOP.replace("100", "60") % f"{busy} 20"
        at_once = f"yes 20 | head -n 60 | xargs -P 2 -n 1 {busy}"
        for command in (loop, at_once):
            self.assertEqual([], self.advice("started-programs", ["dash", "-c", command])[0])

    def test_computing_and_writing_in_turns(self):
        found, report = self.advice("overlap", [self.subject("turns"), "turns", "file", 48])
        if found:
            self.assertIn("processors were idle", found[0]["seen"])
        else:
            # Another thread needs a processor that no other program uses. A fast file system leaves
            # little to be saved.
            writing = [use["time"] for use in report["call_sites"] if use["call"] == "pwrite"]
            self.assertEqual(1, len(writing))
            writing_s = writing[0]["system_s"] + writing[0]["sleep_s"]
            self.assertTrue(sum(report["disturbance"].values()) > 0.2
                            or writing_s < 0.2 * report["wall_s"])

    def test_computing_and_writing_at_the_same_time_or_one_after_the_other(self):
        for how in ("thread", "after"):
            with self.subTest(how=how):
                self.expect_none("overlap", "turns", how, "file", 48)

    def lines_file(self):
        path = self.root / "input"
        path.write_text("a line for another thread\n" * 30_000)
        return path

    def test_handing_each_line_to_another_thread(self):
        # On a busy machine the threads may seem to sleep.
        advice, report = self.expect_once("turns-of-threads", "hands_over", self.lines_file(), 1)
        self.assertEqual("threads of hands_over", advice["place"])
        self.assertIn("bytes of " + str(self.root / "input"), advice["seen"])
        self.assertLess(advice["least_saved_s"], advice["saved_s"])
        [process] = report["processes"]
        self.assertGreater(process["voluntary_switches"], 30_000)

    def test_threads_that_hand_over_blocks_or_share_a_lock_or_sleep(self):
        for how in (1000, "lock"):
            with self.subTest(how=how):
                self.expect_none("turns-of-threads", "hands_over", self.lines_file(), how)
        # On a busy machine the threads may seem to work while they wait for a processor.
        self.expect_none_once("turns-of-threads", "hands_over", self.lines_file(), "sleep")

    def cold_file(self):
        path = self.root / "input"
        path.write_bytes(bytes(range(256)) * (FILE_BYTES // 512))
        return path

    def expect_cold(self, how, path):
        """The disk may be slow just while it is timed."""
        return self.expect_once("cold-mapping", "mapped", how, path)

    def test_mapped_files_that_are_not_in_memory(self):
        path = self.cold_file()
        advice, report = self.expect_cold("random", path)
        self.assertEqual("mmap", advice["call"])
        [file] = [file for file in report["files"] if file["name"] == str(path)]
        self.assertEqual(2 * path.stat().st_size, file["bytes"])
        for how in ("whole", "read", "warm"):
            with self.subTest(how=how):
                report = self.expect_none("cold-mapping", "mapped", how, path)
        self.assertEqual(0, sum(use["cold_bytes"] for use in self.uses(report, "mmap")))

    def test_mapped_files_of_every_process(self):
        path = self.cold_file()
        for how in ("exec", "fork"):
            with self.subTest(how=how):
                self.expect_cold(how, path)


class OfCallsThatAreNotSeen(AdviceTest):

    def test_is_not_that_no_time_could_be_saved(self):
        for options in ((), ("--no-children",)):
            report, result = self.trace([self.subject("wide_lines"), "file", 1000], *options)
            self.assertEqual(["wide_lines can read or write wide characters (fputws, putwc), and "
                              "such calls are not in this report"], report["problems"])
            self.assertIn(b"could be saved in the work that was seen", result.stderr)

    def test_are_asynchronous(self):
        report, _ = self.trace([self.subject("asynchronous_reads"), self.input_file(4096)])
        self.assertEqual(["asynchronous_reads can read or write asynchronously (aio_read), and "
                          "such calls are not in this report"], report["problems"])

    def test_are_for_sockets(self):
        report, _ = self.trace([self.subject("observers"), "write", "send"])
        sockets = r"observers can read or write sockets \(recv, .*send.*\), and such calls are not"
        self.assertRegex("\n".join(report["problems"]), sockets)
        # Programs of the system can use sockets, and hardly ever do.
        report, _ = self.trace(["curl", "--version"] if shutil.which("curl") else ["python3", "-V"])
        self.assertEqual([], both_ways.problems_of(report))

    def test_is_not_about_the_wide_characters_of_the_cplusplus_library(self):
        for name in ("flushed_lines", "flushed_lines_with_runtime"):
            if os.path.exists(self.subject(name)):
                report, _ = self.trace([self.subject(name), "file", 1000])
                self.assertEqual([], both_ways.problems_of(report))


class OfSockets(AdviceTest):

    def test_is_about_streams_of_bytes(self):
        # A socket for messages gives one of them for each read.
        reads = ("import os, socket\n"
                 "a, b = socket.socketpair(socket.AF_UNIX, socket.{})\n"
                 "for batch in range(600):\n"
                 "  for message in {}: b.sendall(message)\n"
                 "  for byte in range(100): os.read(a.fileno(), 1)")
        for kind, messages, ids in (("SOCK_STREAM", "[bytes(100)]", ["tiny-reads"]),
                                    ("SOCK_SEQPACKET", "[b'x'] * 100", [])):
            with self.subTest(kind=kind):
                report, _ = self.trace([sys.executable, "-c", reads.format(kind, messages)])
                self.assertEqual(ids, [advice["id"] for advice in report["advice"]])


class OfScripts(AdviceTest):

    def test_of_the_system_is_for_their_authors(self):
        script = self.root / "script"
        script.write_text("#!/bin/sh\ni=0\n"
                          "while [ $i -lt 100000 ]; do echo line; i=$((i + 1)); done > file\n")
        script.chmod(0o755)
        mount = 'mount --bind "$0" /usr/bin/tac && exec "$@"'
        mounted = ["unshare", "-r", "-m", "sh", "-c", mount, script]
        if self.execute([*mounted, "true"]).returncode != 0:
            self.skipTest("nobody may put a script into the system here")
        path = self.root / "report"
        for name, begins in (("tac", "For the authors of tac: In the shell,"),
                             (script, "In the shell,")):
            with self.subTest(name=name):
                self.execute([*mounted, both_ways.COMMAND, "trace", "--json", path, "--", name])
                fix = both_ways.report_at(path)["advice"][0]["fix"]
                self.assertTrue(fix.startswith(begins), fix)


class Reports(AdviceTest):

    def test_do_not_take_the_records_for_the_programs_maps(self):
        path = self.root / "sizes"
        for words in (["one_byte", "file", 10], ["children", "fork exit", "file", 10]):
            report, _ = self.trace(self.subject_words(words), "--sizes", path)
            self.assertEqual([], self.uses(report, "mmap"))

    def test_have_every_part(self):
        _, result = self.trace([self.subject("written_lines"), "file", 200_000])
        text = result.stderr.decode()
        for part in (*PARTS, "saves"):
            self.assertRegex(text, rf"(?m)^   {part} +\S")
        self.assertRegex(text, r"saves  \d\.\d{3}( to \d\.\d{3})? s, predicted; the traced "
                               r"program took \d\.\d{3} s")


if __name__ == "__main__":
    both_ways.main()
