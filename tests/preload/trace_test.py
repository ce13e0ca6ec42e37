#!/usr/bin/env python3
"""`sluice trace` counts what really happened."""
import collections
import os
import json
import pathlib
import re
import shutil
import signal
import stat
import subprocess

import both_ways


class TraceTest(both_ways.BothWaysTest):

    def trace(self, words, *options, **how):
        """(report, result) of a traced program."""
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, *options, "--", *words],
                              **how)
        return both_ways.report_at(path), result

    def uses(self, report, call, file_name):
        return [use for use in report["call_sites"]
                if use["call"] == call and pathlib.Path(use["file"]).name == file_name]

    def total(self, uses, what):
        return sum(use[what] for use in uses)


class Counts(TraceTest):

    def test_are_those_of_the_calls(self):
        report, _ = self.trace([self.subject("one_byte"), "file", 123_456])
        [use] = self.uses(report, "fwrite", "file")
        self.assertEqual((123_456, 123_456), (use["calls"], use["bytes"]))
        self.assertEqual([{"below_bytes": 2, "calls": 123_456}], use["sizes"])
        [file] = [file for file in report["files"] if file["name"].endswith("/file")]
        self.assertEqual((1, 123_456, 123_456),
                         (file["opens"], file["size_bytes"], file["system_bytes"]))

    def expect_as_strace_counts(self, words, file_name="file"):
        if shutil.which("strace") is None:
            self.skipTest("strace is not installed")
        log = self.root / "strace"
        allowed = self.execute(["strace", "true"])
        if allowed.returncode != 0:
            self.skipTest(f"strace may not trace here: {allowed.stderr.decode()[:100]}")
        # One log for each thread: in a common one a call may stand in two lines.
        plain = self.execute(["strace", "-ff", "-y", "-o", log, "-e",
                              "trace=read,write,readv,writev,pread64,pwrite64,lseek", *words])
        self.assertEqual(0, plain.returncode, plain.stderr)
        counted = collections.Counter()
        for own_log in self.root.glob("strace.*"):
            for line in own_log.read_text(errors="replace").splitlines():
                call = re.match(r"(\w+)\(\d+<[^>]*/" + re.escape(file_name) + r">.* = (\d+)", line)
                if call:
                    counted["calls"] += 1
                    counted["bytes"] += int(call[2]) if call[1] != "lseek" else 0
            own_log.unlink()
        report, _ = self.trace(words)
        files = [file for file in report["files"] if file["name"].endswith("/" + file_name)]
        uses = [use for use in report["call_sites"] if use["file"].endswith("/" + file_name)
                and use["call"] not in ("fopen", "open", "close", "fcntl", "dup")]
        self.assertEqual(1, len(files))
        self.assertEqual(counted["bytes"], self.total(uses, "system_bytes"))
        self.assertEqual(counted["calls"], self.total(uses, "system_calls"))
        self.assertGreater(counted["calls"], 0)

    def test_below_stdio_are_those_of_strace(self):
        for size in (1, 4096, 4097, 100_000):
            with self.subTest(size=size):
                self.expect_as_strace_counts([self.subject("one_byte"), "file", size])

    def test_of_writes_at_exit_agree_with_strace(self):
        for how in ("return", "exit", "fcloseall"):
            for size in (100, 4096, 50_000):
                with self.subTest(how=how, size=size):
                    words = ["sh", "-c", f"{self.subject('endings')} {how} file {size}; true"]
                    self.expect_as_strace_counts(words)

    def test_of_a_stream_used_at_many_places_are_those_of_strace(self):
        self.expect_as_strace_counts([self.subject("two_places"), "file"])

    def test_of_iostreams_are_those_of_strace(self):
        self.expect_as_strace_counts([self.subject("flushed_lines"), "file", 2_000])

    def test_of_reading_are_those_of_strace(self):
        odd = [f"odd_streams {how}" for how in ("unbuffered", "tiny", "unreadable", "patches")]
        for how in ("read_lines", "reads_backwards", *odd):
            with self.subTest(how=how):
                self.expect_as_strace_counts(
                    ["sh", "-c", f"seq 5000 > file; {self.subject(how)} file"])

    def test_of_a_stream_that_threads_share_are_those_of_strace(self):
        for _ in range(3):
            self.expect_as_strace_counts([self.subject("streams"), "threads", "file"])

    def test_of_streams_used_in_other_ways_are_those_of_strace(self):
        for how in "flush-all rewind end scan putc puts fputs fwrite printf bytes within".split():
            with self.subTest(how=how):
                self.expect_as_strace_counts([self.subject("streams"), how, "file"])

    def test_of_parts_of_a_line_are_copies(self):
        for how, call, copies in (("putc", "fputs", 999), ("bytes", "fputc", 1000)):
            report, _ = self.trace([self.subject("streams"), how, "file"])
            self.assertEqual(copies, self.uses(report, call, "file")[0]["copies"], how)

    # The functions by all their names, also the names that the C library's headers give them.
    FUNCTIONS = {"fwrite": "fwrite", "fputs": "fputs", "puts": "fputs", "fputc": "fputc",
                 "putc": "fputc", "fprintf": "fprintf", "printf": "fprintf", "fflush": "fflush",
                 "fread": "fread", "fgetc": "fgetc", "getc": "fgetc", "fgets": "fgets",
                 "getline": "getline", "__getdelim": "getline", "fseek": "fseek", "ftell": "ftell",
                 "fopen": "fopen", "fclose": "fclose"}

    def expect_as_ltrace_counts(self, words, functions):
        """`functions` are among the called functions."""
        if shutil.which("ltrace") is None:
            self.skipTest("ltrace is not installed")
        log = self.root / "ltrace"
        plain = self.execute(["ltrace", "-f", "-c", "-o", log, *words])
        self.assertEqual(0, plain.returncode, plain.stderr)
        counted = collections.Counter()
        for line in log.read_text(errors="replace").splitlines():
            call = re.fullmatch(r" *[\d.]+ +[\d.]+ +\d+ +(\d+) (\w+)", line)
            if call and call[2] in self.FUNCTIONS:
                counted[self.FUNCTIONS[call[2]]] += int(call[1])
        if not counted:
            self.skipTest("ltrace sees no call of a program here")
        report, _ = self.trace(words)
        traced = collections.Counter()
        for use in report["call_sites"]:
            traced[use["call"]] += use["calls"]
        self.assertEqual(counted, traced)
        self.assertLessEqual(set(functions), set(counted))

    def test_by_function_are_those_of_ltrace(self):
        """For programs with one thread: of others ltrace itself loses calls now and then."""
        source = self.root / "source"
        source.write_text("a line of text to be read\n" * 1000)
        for subject, functions in (
                (["small_calls", "fprintf", "file", 300], ["fprintf"]),
                (["small_calls", "putc", "file", 300], ["fputc"]),
                (["small_calls", "fread", source, 300], ["fread"]),
                (["small_calls", "getc", source, 300], ["fgetc"]),
                (["small_calls", "fgets", source, 300], ["fgets"]),
                (["small_calls", "getline", source, 300], ["getline"]),
                (["records", "flushed", "file", 300], ["fwrite", "fflush"]),
                (["seek_and_read", source, 300], ["fseek", "fread", "ftell"])):
            with self.subTest(subject=subject):
                self.expect_as_ltrace_counts([self.subject(subject[0]), *subject[1:]],
                                             [*functions, "fopen", "fclose"])

    def test_of_inlined_functions_have_each_byte(self):
        """Only the bytes in the last buffer of putc_unlocked stay unseen."""
        times, line, buffer = 100_000, 31, 4096
        sizes = self.root / "sizes"
        report, _ = self.trace([self.subject("small_calls"), "putc_unlocked", "file", times],
                               "--sizes", sizes)
        [put] = self.uses(report, "fputc", "file")
        self.assertEqual(put["calls"], put["bytes"])
        self.assertNotIn("sluice-logs", str(report["files"]), "the sequence of sizes is no file")
        self.assertLessEqual(put["bytes"], times)
        self.assertGreater(put["bytes"], times - buffer)
        self.assertGreater(put["system_calls"], 10)
        self.assertEqual([], [advice for advice in report["advice"] if "fputc" in advice["seen"]])
        counts = collections.Counter()
        for row in sizes.read_text().splitlines():
            if not row.startswith("#"):
                size, count = map(int, row.split())
                counts[size] += count
        self.assertEqual(collections.Counter({1: put["calls"], line: times // 100}), counts)

        source = self.root / "source"
        source.write_text("a line of text to be read\n" * 1000)
        report, _ = self.trace([self.subject("small_calls"), "getc_unlocked", source, times])
        [get] = self.uses(report, "fgetc", source.name)
        self.assertEqual(source.stat().st_size, get["bytes"])
        self.assertEqual([], [advice for advice in report["advice"] if "read" in advice["seen"]])

    def test_of_streams_that_are_left_open_have_every_byte(self):
        for closed in ([], ["closed"]):
            report, _ = self.trace([self.subject("many_files"), "file", 600, *closed])
            uses = [use for use in report["call_sites"] if "/file" in use["file"]]
            self.assertEqual(6_000, self.total(uses, "system_bytes"))

    def test_of_reading_a_pipe_are_said_to_be_the_least(self):
        reader = self.subject("read_lines")
        report, _ = self.trace(["sh", "-c", f"seq 1 3000 > file; {reader} file; "
                                f"seq 1 3000 | {reader} /dev/stdin"])
        reads = [use for use in report["call_sites"] if use["call"] in ("fgets", "getline")]
        self.assertEqual({"file": False, "pipe": True},
                         {"pipe" if "pipe:" in use["file"] else "file":
                          use.get("system_calls_at_least", False) for use in reads})

    def test_of_reopening_are_those_of_strace(self):
        for name in ("file", "other"):
            self.expect_as_strace_counts([self.subject("streams"), "reopen", "file"], name)

    def test_of_other_calls_have_their_bytes(self):
        report, result = self.trace([self.subject("streams"), "others", "file"])
        self.assertEqual(0, result.returncode)
        calls = {call: self.total(self.uses(report, call, "file"), "bytes")
                 for call in ("write", "pwritev", "preadv", "sendfile", "copy_file_range")}
        self.assertEqual({"write": 790, "pwritev": 11, "preadv": 11, "sendfile": 200,
                          "copy_file_range": 400}, calls)  # two, each of two descriptors
        [file] = [file for file in report["files"] if file["name"].endswith("/file")]
        self.assertEqual(2, file["opens"])

    def test_of_fortified_programs_have_their_bytes(self):
        report, result = self.trace([self.subject("fortified"), 60])
        self.assertEqual(0, result.returncode)
        self.assertEqual(60, self.total(self.uses(report, "read", "file"), "bytes"))
        self.assertEqual(60, self.total(self.uses(report, "pread", "file"), "bytes"))

    def test_of_streams_in_memory_are_nobodys(self):
        report, result = self.trace([self.subject("streams"), "memory", "file"])
        self.assertEqual(0, result.returncode)
        calls = collections.Counter()
        for use in report["call_sites"]:
            calls[(use["call"], pathlib.Path(use["file"]).name)] += use["calls"]
        self.assertEqual({("fopen", "file"): 2, ("fputs", "file"): 10, ("fputc", "file"): 10,
                          ("fgets", "file"): 11, ("fclose", "file"): 2}, calls)

    def test_of_pipes_that_are_closed_have_their_bytes(self):
        report, result = self.trace([self.subject("streams"), "pipe", "file"])
        self.assertEqual((0, b"through a pipe\n"), (result.returncode, result.stdout))
        uses = [use for use in report["call_sites"] if use["call"] in ("fputs", "fclose", "fwrite")
                and use["file"].startswith("pipe:")]
        self.assertEqual(15, self.total(uses, "system_bytes"))


class Timelines(TraceTest):

    def test_have_the_bytes_of_all_processes(self):
        one = f"{self.subject('one_byte')} a 300000"
        report, _ = self.trace(["sh", "-c", f"{one}; {one.replace(' a ', ' b ')} & wait"])
        moments = report["timeline"]["moments"]
        for direction, calls in (("written_bytes", ("fwrite", "fclose", "write")),
                                 ("read_bytes", ("read", "fread"))):
            uses = [use for use in report["call_sites"] if use["call"] in calls]
            self.assertEqual(self.total(uses, "system_bytes"), self.total(moments, direction))
        self.assertLessEqual(len(moments), 1024)

    def test_have_the_copying_of_the_whole(self):
        report, _ = self.trace([self.subject("one_byte"), "file", 3_000_000])
        copying = self.total(report["timeline"]["moments"], "copying_s")
        self.assertAlmostEqual(report["time"]["copying_s"], copying, places=6)


class CallSites(TraceTest):

    def test_are_the_programs_own_lines(self):
        report, _ = self.trace([self.subject("flushed_lines"), "file", 4_000])
        source = pathlib.Path(__file__).parent / "subjects" / "flushed_lines.cc"
        lines = {}
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if place := re.search(r"// (place \w+)", line):
                lines[place[1]] = f"{source.name}:{number}"
        calls = collections.Counter()
        for use in self.uses(report, "write", "file") + self.uses(report, "writev", "file"):
            calls[pathlib.Path(use["stack"][0]["source"]).name] += use["calls"]
        self.assertEqual({lines["place one"]: 1_000, lines["place two"]: 3_000}, dict(calls))

    def test_have_their_stack(self):
        report, _ = self.trace([self.subject("flushed_lines"), "file", 10])
        functions = [frame["function"] for frame in report["call_sites"][0]["stack"]]
        self.assertIn("main", functions)

    def test_in_a_library_that_is_loaded_later_have_its_name(self):
        library = self.subject("writes_lines.so")
        report, _ = self.trace([self.subject("loads_later"), library, "file", 1_000])
        [use] = self.uses(report, "write", "file")
        self.assertEqual([library, library, self.subject("loads_later")],
                         [frame["module"] for frame in use["stack"][:3]])


    def test_in_a_stripped_library_are_named_by_an_exported_function(self):
        library = self.subject("writes_lines.so")
        report, _ = self.trace([self.subject("loads_later"), library, "file", 1_000])
        [use] = self.uses(report, "write", "file")
        inner, outer = (frame["function"] for frame in use["stack"][:2])
        self.assertRegex(inner, r"^writes_lines\.so: near lines_left\+0x[0-9a-f]+$")
        self.assertEqual("write_lines_to", outer)


class Processes(TraceTest):

    def test_are_put_together(self):
        one = f"{self.subject('one_byte')} a 1000"
        report, _ = self.trace(["sh", "-c", f"{one} & {one.replace(' a ', ' b ')} & wait"])
        programs = sorted(process["program"] for process in report["processes"])
        self.assertEqual(["one_byte", "one_byte"], [p for p in programs if p == "one_byte"])
        for name in ("a", "b"):
            self.assertEqual(1_000, self.total(self.uses(report, "fwrite", name), "calls"))

    def test_that_are_killed_keep_their_log(self):
        for how, code in (("kill", -signal.SIGKILL), ("abort", -signal.SIGABRT), ("_exit", 7)):
            with self.subTest(how=how):
                report, result = self.trace([self.subject("endings"), how, "file", 100_000])
                self.assertEqual(code, result.returncode)
                self.assertEqual(1_000, self.total(self.uses(report, "fwrite", "file"), "calls"))

    def test_have_ended_when_nothing_killed_them(self):
        for words, ended in (([self.subject("streams"), "signals", "file"], False),
                             ([self.subject("endings"), "_exit", "file", 10], True),
                             ([self.subject("endings"), "exec", "file", 10], True),
                             ([self.subject("endings"), "return", "file", 10], True)):
            with self.subTest(words=words):
                report, _ = self.trace(words)
                self.assertIs(ended, report["processes"][0]["ended"])

    def test_may_have_threads(self):
        report, _ = self.trace([self.subject("threads"), "file", 50_000])
        uses = sum((self.uses(report, call, "file") for call in ("fwrite", "fputs", "fclose")), [])
        self.assertEqual(200_001, self.total(uses, "calls"))
        self.assertEqual(os.path.getsize(self.folder / "file"), self.total(uses, "system_bytes"))

    def test_that_fork_count_each_their_own(self):
        report, _ = self.trace([self.subject("children"), "fork exit", "file", 10_000])
        uses = self.uses(report, "fwrite", "file")
        # 100 before the fork, an fputs that is made an fwrite in the child, and 50 after.
        self.assertEqual(151, self.total(uses, "calls"))


class Seccomp(TraceTest):

    def test_ends_the_log_and_not_the_program(self):
        for how in ("prctl", "by-number"):
            with self.subTest(how=how):
                report, result = self.trace([self.subject("filtered"), how, "file"])
                if result.returncode == 77:
                    self.skipTest("no filter may be installed here")
                self.assertEqual(0, result.returncode, result.stderr)
                self.assertEqual(7_000 + 9_000 + 5 + 8, len(self.files()["file"]))
                [process] = report["processes"]
                self.assertTrue(process["ended"])
                self.assertEqual([f"process {process['process']} entered seccomp: "
                                  "its later calls are not in this report"], report["problems"])
                self.assertIn(report["problems"][0], result.stderr.decode())
                self.assertEqual(1_000, self.lines_written(report))

    def test_that_is_refused_changes_nothing(self):
        report, result = self.trace([self.subject("filtered"), "refused", "file"])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual([], both_ways.problems_of(report))
        self.assertEqual(2, len(report["processes"]))
        self.assertEqual(2_000, self.lines_written(report))

    def lines_written(self, report):
        return self.total(self.uses(report, "fputs", "file") + self.uses(report, "fwrite", "file"),
                          "calls")


class SignalHandlers(TraceTest):

    def test_may_write_in_the_middle_of_malloc(self):
        for how in ("often", "thread"):
            for _ in range(5):
                with self.subTest(how=how):
                    report, result = self.trace([self.subject("handlers"), how, "file"])
                    self.assertEqual(0, result.returncode, result.stderr)
                    self.assertGreaterEqual(self.total(self.uses(report, "write", "file"),
                                                       "calls"), 900)

    def test_may_write_on_a_small_stack_of_their_own(self):
        report, result = self.trace([self.subject("handlers"), "small-stack", "file"])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(1, self.total(self.uses(report, "write", "file"), "calls"))


class Logs(TraceTest):

    def test_take_little_of_the_disk(self):
        # The shell's own log shows the folder of the other logs.
        script = ("/bin/true; own=$(grep -o '/[^ ]*[.]log$' /proc/$$/maps | head -n 1); "
                  "sync -f ${own%/*}; du -k ${own%/*}/*.log")
        _, result = self.trace(["sh", "-c", script])
        sizes = [int(line.split()[0]) for line in result.stdout.decode().splitlines()]
        self.assertGreater(len(sizes), 1, result.stderr)
        self.assertLess(min(sizes), 100)
        self.assertLess(max(sizes), 300)

    def test_are_kept_of_so_many_processes(self):
        # The shell's own log shows the folder of the other logs.
        script = ("own=$(grep -o '/[^ ]*[.]log$' /proc/$$/maps | head -n 1); "
                  f"head -c 4084 /dev/zero >> ${{own%/*}}/count; {self.subject('one_byte')} a 10; "
                  "for i in $(seq 12); do /bin/true; done; ls ${own%/*}/*.log")
        report, result = self.trace(["sh", "-c", script])
        self.assertEqual(0, result.returncode)
        logs = result.stdout.decode().splitlines()
        self.assertEqual(len(logs), len(report["processes"]))
        self.assertLess(len(logs), 20)
        self.assertEqual(10, self.total(self.uses(report, "fwrite", "a"), "calls"))
        [problem] = report["problems"]
        self.assertRegex(problem, "^[1-9][0-9]* processes.* only the first 4096 are recorded")
        self.assertIn(problem, result.stderr.decode())

    def test_say_that_a_process_still_runs(self):
        started, end = self.root / "started", self.root / "end"
        os.mkfifo(started)
        os.mkfifo(end)
        report, result = self.trace(
            ["sh", "-c", f"cat {started} {end} > /dev/null 2>&1 & : > {started}"])
        with open(end, "w", encoding="utf-8"):  # `cat` waits for this
            pass
        [problem] = report["problems"]
        self.assertRegex(problem, "^1 process still runs\\. This report lacks its later work, ")
        self.assertIn(b"could be saved in the work that was seen", result.stderr)

    def test_say_that_processes_left_no_log(self):
        report, result = self.trace(["sh", "-c", f"{self.subject('busy_static')} 300; :"])
        self.assertRegex("\n".join(report["problems"]), r"^1 program left no log.*\n\d\.\d\d of "
                         r"\d\.\d\d s of processor time were spent in processes that left no log")
        self.assertIn(b"could be saved in the work that was seen", result.stderr)
        report, result = self.trace(["sh", "-c", f"{self.subject('busy')} 300; :"])
        self.assertEqual([], both_ways.problems_of(report))
        self.assertIn(b"No noticeable time could be saved.", result.stderr)

    def test_of_parents_are_not_mapped_in_their_children(self):
        script = ('while read -r line; do case $line in *.log | *.sizes) echo "$line";; esac; '
                  'done < /proc/self/maps')
        for _ in range(3):
            script = f"({script}; :)"
        _, result = self.trace(["sh", "-c", f"{script}; :"], "--sizes", self.root / "sizes")
        lines = [line.split()[-1] for line in result.stdout.decode().splitlines()]
        self.assertEqual([".log", ".sizes"],
                         sorted(pathlib.Path(line).suffix for line in lines))
        self.assertEqual(1, len({pathlib.Path(line).name.split(".")[0] for line in lines}))

    def test_end_if_the_disk_is_full(self):
        disk = self.root / "disk"
        disk.mkdir()
        script = ('mount -t tmpfs -o size=200k none "$0" && export TMPDIR="$0" && exec "$@"')
        words = ["unshare", "-m", "sh", "-c", script, disk]
        if self.execute([*words, "true"]).returncode != 0:
            self.skipTest("only root can mount a small disk")
        for arguments in (("one_byte", "file", 10_000), ("many_files", "folder", 600)):
            words_of = [self.subject(arguments[0]), *arguments[1:]]
            result = self.execute([*words, both_ways.COMMAND, "trace", "--", *words_of])
            self.assertEqual(0, result.returncode, result.stderr)


class TheProgram(TraceTest):

    def test_is_not_changed(self):
        for words in ([self.subject("stdio_sequence"), 5, 1500, "file"], ["env"],
                      ["sh", "-c", "env; exit 3"], [self.subject("children"), "vfork", "f", 9999]):
            with self.subTest(words=words):
                plain = self.execute(words)
                files = self.files()
                _, traced = self.trace(words)
                self.assertEqual((plain.returncode, plain.stdout),
                                 (traced.returncode, traced.stdout))
                self.assertEqual(files, self.files())


class Advice(TraceTest):

    def advice(self, words):
        report, _ = self.trace(words)
        return [advice["id"] for advice in report["advice"]]

    def test_about_flushed_lines(self):
        self.assertIn("tiny-writes", self.advice([self.subject("flushed_lines"), "file", 200_000]))

    def test_about_one_byte_writes(self):
        self.assertIn("tiny-stdio-writes",
                      self.advice([self.subject("one_byte"), "file", 20_000_000]))

    def test_about_a_stream_that_threads_share_keeps_its_lock(self):
        report, result = self.trace([self.subject("threads"), "file", 800_000])
        by = {each["by"] for each in report["advice"] if each["id"] == "tiny-stdio-writes"}
        # On a busy machine the threads hardly ever wait for each other.
        self.assertTrue(by == {""} or sum(report["disturbance"].values()) > 0.2 and not by)
        self.assertNotIn(b"--unlocked", result.stderr)

    def test_about_seeks(self):
        words = ["sh", "-c", "head -c 3000000 /dev/zero > file; exec "
                 f"{self.subject('seek_and_read')} file 500000"]
        self.assertIn("seek-before-read", self.advice(words))

    def test_is_silent_about_a_harmless_program(self):
        result = self.execute([both_ways.COMMAND, "trace", "--", "sh", "-c", "seq 1 1000 | sort"])
        lines = result.stderr.decode().splitlines()
        # On a busy machine a line comes before, and a table follows.
        self.assertIn("  No noticeable time could be saved.", lines[:4])


class Reports(TraceTest):

    def test_hold_none_of_the_written_bytes(self):
        secret = "correct-horse-battery-staple"
        report, _ = self.trace(["sh", "-c", "cat > file; sort file"],
                               **self.input_options(f"{secret}\n".encode() * 1000))
        self.assertNotIn(secret, json.dumps(report))

    def test_can_be_read_by_their_owner_alone(self):
        sizes, stacks = self.root / "sizes", self.root / "stacks"
        self.trace([self.subject("one_byte"), "file", 10], "--sizes", sizes, "--stacks", stacks)
        for path in (self.root / "report", sizes, stacks):
            self.assertEqual(0o600, stat.S_IMODE(path.stat().st_mode), path)

    def test_have_a_table_of_the_processes(self):
        script = f"PMI_RANK=3 {self.subject('written_lines')} a 200000; true"
        report, result = self.trace(["sh", "-c", script])
        table = result.stderr.decode().split("  process\n")[1].splitlines()
        self.assertRegex(table[0], r"^( +\d+\.\d{4}){4}  \d+ written_lines, rank 3$")
        self.assertEqual(len(report["processes"]), len(table))
        of_all = sum(sum(process["time"].values()) for process in report["processes"])
        self.assertAlmostEqual(sum(report["time"].values()), of_all)
        _, result = self.trace([self.subject("written_lines"), "a", 200_000])
        self.assertNotIn(b"  process\n", result.stderr)

    def test_have_the_ranks_of_a_job(self):
        for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"):
            report, _ = self.trace(["sh", "-c", f"{name}=7 env; {name}=none cat <&-; true"])
            self.assertEqual([("cat", None), ("env", 7), ("sh", None)], sorted(
                (process["program"], process["rank"]) for process in report["processes"]), name)

    def test_have_the_stacks_of_the_calls(self):
        stacks = self.root / "stacks"
        self.trace([self.subject("flushed_lines"), "file", 200_000], "--stacks", stacks)
        times = {}
        for line in stacks.read_text(encoding="utf-8").splitlines():
            stack, microseconds = line.rsplit(" ", 1)
            times[stack] = int(microseconds)
        longest = max(times, key=times.get).split(";")
        self.assertEqual(("flushed_lines", "write"), (longest[0], longest[-1]))
        self.assertIn("main", longest)

    def test_show_no_control_characters_of_names(self):
        _, result = self.trace([self.subject("one_byte"), "a\x1b[31mb", 30_000_000])
        self.assertIn(b"a\\x1b[31mb", result.stderr)
        self.assertNotIn(b"\x1b", result.stderr)

    def test_that_cannot_be_written_are_refused_before_the_program_runs(self):
        result = self.execute([both_ways.COMMAND, "trace", "--json", "/no/such/file", "--", "touch",
                               "file"])
        self.assertEqual(1, result.returncode)
        self.assertEqual({}, self.files())

    def test_of_sizes_can_be_replayed(self):
        sizes = self.root / "sizes"
        self.trace(["sh", "-c", f"{self.subject('one_byte')} a 1000; "
                    f"{self.subject('written_lines')} b 20"], "--sizes", sizes)
        self.assertEqual(["1 1000", "35 20"], sizes.read_text().splitlines()[1:])
        replay = self.execute([both_ways.COMMAND, "bench", "replay", sizes, "--quick", "--dir",
                               self.root, "--rounds", "1"])
        self.assertEqual(0, replay.returncode, replay.stderr)

    def test_of_sizes_are_whole_or_say_that_they_are_not(self):
        sizes = self.root / "sizes"
        for _ in range(3):
            report, _ = self.trace([self.subject("flushed_by_threads")], "--sizes", sizes)
            calls = self.total([use for use in report["call_sites"]
                                if use["call"] in ("write", "writev")], "calls")
            counted = sum(int(line.split()[1]) for line in sizes.read_text().splitlines()[1:])
            said = "".join(report["problems"])
            self.assertEqual(calls, counted + int(re.search(r"(\d+) writes|$", said)[1] or 0))

    def test_show_the_readable_part_of_a_shortened_log(self):
        # The shell's own log shows the folder of the other logs.
        script = (f"{self.subject('one_byte')} a 1000 & wait $!; "
                  "own=$(grep -o '/[^ ]*[.]log$' /proc/$$/maps | head -n 1); "
                  "for log in ${own%/*}/$!.*.log; do truncate -s $0 $log; done; exit 5")
        for size in (0, 10, 4096, 100_000, 1_000_000):
            with self.subTest(size=size):
                report, result = self.trace(["sh", "-c", script, str(size)])
                self.assertEqual(5, result.returncode)
                self.assertIn(b".log: ", result.stderr)
                self.assertNotEqual([], report["problems"])
                for problem in report["problems"]:
                    self.assertRegex(problem, "cut short|not a log|empty|nothing")
                programs = [process["program"] for process in report["processes"]]
                self.assertIn("sh", programs)
                self.assertEqual(size >= 4096, "one_byte" in programs)

    def test_say_why_nothing_was_seen(self):
        report, result = self.trace([self.subject("environment_static")])
        self.assertEqual("it is statically linked", report["not_covered"])
        self.assertIn(b"nothing was seen: it is statically linked", result.stderr)

    def test_say_when_there_is_no_room_for_a_log(self):
        result = self.execute(["sh", "-c", "ulimit -f 100; exec \"$@\"", "sh", both_ways.COMMAND,
                               "trace", "--", "sh", "-c", "exit 3"])
        self.assertEqual(3, result.returncode)
        self.assertIn(b"nothing was seen: no process could keep a log", result.stderr)

    def test_of_programs_that_cannot_be_started(self):
        for name, code in (("no-such-program", 127), ("", 127), (str(self.root), 126)):
            result = subprocess.run([both_ways.COMMAND, "trace", "--", name],
                                    stderr=subprocess.PIPE, check=False)
            self.assertEqual(code, result.returncode)


if __name__ == "__main__":
    both_ways.main()
