#!/usr/bin/env python3
"""The advice of `sluice trace`: each kind is given to a program that needs it, with a saving that
is not more than what its calls took, and not to the same program mended."""
import importlib.util
import json
import os
import shutil
import sys

import both_ways

PARTS = ("seen", "why", "fix", "check")
FILE_BYTES = 128 << 20


class AdviceTest(both_ways.BothWaysTest):

    def trace(self, words, *options):
        """(report, result) of a traced program."""
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, *options, "--",
                               *words])
        if result.returncode == 77:
            self.skipTest("a file cannot be had out of memory here")
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(path.read_text()), result

    def advice(self, kind, words):
        """The advice of one kind, and the report."""
        report, _ = self.trace(words)
        return [advice for advice in report["advice"] if advice["id"] == kind], report

    def subject_words(self, words):
        return [self.subject(words[0]), *words[1:]]

    def uses(self, report, call):
        return [use for use in report["call_sites"] if use["call"] == call]

    def expect(self, kind, *words):
        """The advice is given, whole, and promises no more than there is."""
        found, report = self.advice(kind, self.subject_words(words))
        self.assertNotEqual([], found, f"{kind}: {[each['id'] for each in report['advice']]}")
        for part in PARTS:
            self.assertNotEqual("", found[0][part], part)
        self.assertGreater(found[0]["saved_s"], 0)
        self.assertLessEqual(found[0]["saved_s"], report["wall_s"])
        return found[0], report

    def expect_none(self, kind, *words):
        found, report = self.advice(kind, self.subject_words(words))
        self.assertEqual([], found)
        return report

    def seconds_of(self, use):
        return sum(use["time"].values())

    def input_file(self, size=FILE_BYTES):
        """A file that takes no room, and reads like any other."""
        path = self.root / "input"
        with open(path, "wb") as file:
            file.truncate(size)
        return path


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
                    "alarmed", "shared", "requested", "high"):
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

    def test_far_places_and_places_in_a_row(self):
        path = self.input_file(3_000_000)
        self.expect("scattered-reads", "look_ups", "pread", path, 150_000)
        self.expect("tiny-reads", "look_ups", "in-order", path, 150_000)

    def test_reading_again(self):
        path = self.input_file()
        advice, report = self.expect("read-again", "whole_file", "again", path)
        self.assertIn("3.0 times the whole", advice["seen"])
        [use] = self.uses(report, "read")
        share = advice["computed"]["least_saved_s"] / self.seconds_of(use)
        self.assertLess(share, 0.67)
        if sum(report["disturbance"].values()) < 0.1:  # no call waited for a processor
            self.assertAlmostEqual(2 / 3, share, places=2)
        self.expect_none("read-again", "whole_file", "blocks", path)

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
        self.expect("sync-after-each", "records", "synced", "file", 200)
        self.expect_none("sync-after-each", "records", "synced-once", "file", 200)
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
        program = ("for i in range(5000):\n"
                   "    with open('settings', %s) as file: file.write('key=%%d\\n' %% i * 500)")
        [advice], _ = self.advice("written-anew", [sys.executable, "-c", program % "'w'"])
        self.assertEqual("Python", advice["runtime"])
        self.assertIn("after the last change", advice["fix"])
        self.assertEqual([], self.advice("reopened", [sys.executable, "-c", program % "'w'"])[0])
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
        self.assertIn("100 starts of basename", advice["seen"])
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
            # Another thread needs a processor that no other program uses.
            self.assertGreater(sum(report["disturbance"].values()), 0.2)

    def test_computing_and_writing_at_the_same_time_or_one_after_the_other(self):
        for how in ("thread", "after"):
            with self.subTest(how=how):
                self.expect_none("overlap", "turns", how, "file", 48)

    def lines_file(self):
        path = self.root / "input"
        path.write_text("a line for another thread\n" * 30_000)
        return path

    def test_handing_each_line_to_another_thread(self):
        words = "hands_over", self.lines_file(), 1
        for _ in range(2):  # on a busy machine the threads may seem to sleep
            if self.advice("turns-of-threads", self.subject_words(words))[0]:
                break
        advice, report = self.expect("turns-of-threads", *words)
        self.assertEqual("threads of hands_over", advice["place"])
        self.assertIn("bytes of " + str(self.root / "input"), advice["seen"])
        self.assertLess(advice["least_saved_s"], advice["saved_s"])
        [process] = report["processes"]
        self.assertGreater(process["voluntary_switches"], 30_000)

    def test_threads_that_hand_over_blocks_or_share_a_lock_or_sleep(self):
        for how in (1000, "lock", "sleep"):
            with self.subTest(how=how):
                self.expect_none("turns-of-threads", "hands_over", self.lines_file(), how)

    def cold_file(self):
        path = self.root / "input"
        path.write_bytes(bytes(range(256)) * (FILE_BYTES // 512))
        return path

    def expect_cold(self, how, path):
        """Succeeds in one of three tries: the disk may be slow just while it is timed."""
        for _ in range(2):
            if self.advice("cold-mapping", self.subject_words(["mapped", how, path]))[0]:
                break
        return self.expect("cold-mapping", "mapped", how, path)

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

    def test_is_not_about_the_wide_characters_of_the_cplusplus_library(self):
        for name in ("flushed_lines", "flushed_lines_with_runtime"):
            if os.path.exists(self.subject(name)):
                report, _ = self.trace([self.subject(name), "file", 1000])
                self.assertEqual([], report["problems"])


class InTheTermsOfTheProgram(AdviceTest):

    def program(self, name):
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed")
        return path

    def expect_terms(self, kinds, runtime, terms, words):
        """The first advice is of one of these kinds, in the program's terms and in no words of
        C."""
        report, result = self.trace(words)
        self.assertNotEqual([], report["advice"], result.stderr)
        first = report["advice"][0]
        self.assertIn(first["id"], kinds.split())
        self.assertEqual(runtime, first["runtime"])
        self.assertIn(terms, first["fix"])
        self.assertIn(first["fix"], result.stderr.decode())
        if runtime != "C++ iostreams":
            self.assertNotRegex(first["fix"], r"setvbuf|fwrite|fflush|iostream|sluice::")
        return first

    def test_of_python(self):
        lines = "for i in range(100000): "
        scripts = {
            "flush=True": f"f = open('file', 'w')\n{lines}print(i, file=f, flush=True)",
            "buffering=0": f"f = open('file', 'wb', buffering=0)\n{lines}f.write(b'a line\\n')",
            "os.write": f"import os\nf = os.open('file', 65)\n{lines}os.write(f, b'a line\\n')",
        }
        for terms, script in scripts.items():
            with self.subTest(terms=terms):
                self.expect_terms("tiny-writes", "Python", terms, [sys.executable, "-c", script])

    def test_of_perl(self):
        script = 'open F, ">", "file"; select F; $| = 1; for (1..200000) { print "line $_\\n" }'
        self.expect_terms("tiny-writes", "Perl", "$| = 1", [self.program("perl"), "-e", script])

    def test_of_node(self):
        script = ('const fs = require("fs"); const file = fs.openSync("file", "w");'
                  'for (let i = 0; i < 200000; ++i) fs.writeSync(file, "line " + i + "\\n");')
        self.expect_terms("tiny-writes", "Node", "fs.createWriteStream",
                          [self.program("node"), "-e", script])

    def test_of_writes_that_node_waits_for(self):
        script = ('const file = require("fs").createWriteStream("file"); (async () => {'
                  'for (let i = 0; i < 30000; ++i) '
                  'await new Promise(done => file.write("line " + i + "\\n", done)); })();')
        first = self.expect_terms("tiny-writes", "Node", "waits for each write",
                                  [self.program("node"), "-e", script])
        self.assertNotIn("createWriteStream", first["fix"])

    def test_of_ruby(self):
        script = 'f = File.open("file", "w"); f.sync = true; 100000.times { |i| f.puts i }'
        self.expect_terms("tiny-writes", "Ruby", "`file.sync = true`",
                          [self.program("ruby"), "-e", script])

    def test_of_java(self):
        self.program("javac")
        source = self.root / "Lines.java"
        source.write_text("""class Lines {
            public static void main(String[] words) throws Exception {
                var file = new java.io.FileOutputStream("file");
                for (int i = 0; i < 100000; ++i) file.write("a line\\n".getBytes());
            }
        }""")
        self.expect_terms("tiny-writes", "Java", "`BufferedOutputStream`",
                          [self.program("java"), source])

    def test_of_tcl(self):
        script = self.root / "lines.tcl"
        script.write_text("set f [open file w]; fconfigure $f -buffering line\n"
                          "for {set i 0} {$i < 100000} {incr i} { puts $f $i }\n")
        first = self.expect_terms("tiny-writes", "Tcl", "-buffering full -buffersize 65536",
                                  [self.program("tclsh"), script])
        self.assertEqual("Tcl", first["place"])

    def test_of_r(self):
        script = 'f <- file("file", "w"); for (i in 1:30000) cat(i, "\\n", file = f)'
        self.expect_terms("flush-after-each", "R", "`writeLines(lines, con)`",
                          [self.program("Rscript"), "-e", script])

    def test_of_ocaml(self):
        compiler = self.program("ocamlopt")
        source = self.root / "lines.ml"
        source.write_text('let () = let file = open_out "file" in\n'
                          'for i = 1 to 200000 do Printf.fprintf file "%d\\n%!" i done')
        self.execute([compiler, "-o", self.root / "lines", source])
        self.expect_terms("tiny-writes", "OCaml", "`%!`", [self.root / "lines"])

    def test_of_lua(self):
        script = ('local f = io.open("file", "w")\n'
                  'for i = 1, 100000 do f:write(i, "\\n") f:flush() end')
        path = self.root / "lines.lua"
        path.write_text(script)
        self.expect_terms("flush-after-each", "Lua", "`file:flush()`", [self.program("lua"), path])

    def test_of_lmdb(self):
        """The program has LMDB's code in itself, without names."""
        rows = self.root / "rows"
        rows.write_text("".join(f"key{i}\nvalue\n" for i in range(20_000)))
        self.expect_terms("sync-after-each synchronous-writes", "LMDB", "one write transaction",
                          [self.program("mdb_load"), "-n", "-T", "-f", rows, "file.mdb"])

    def test_of_the_shell(self):
        loop = "i=0; while [ $i -lt 200000 ]; do echo line; i=$((i + 1)); done > file"
        self.expect_terms("tiny-writes", "shell", "`echo`", ["dash", "-c", loop])

    def test_of_reading_lines_in_a_shell(self):
        path = self.root / "input"
        path.write_bytes(b"a line\n" * 100_000)
        for shell in ("bash", "dash"):
            with self.subTest(shell=shell):
                loop = f"while read -r line; do :; done < {path}"
                report, _ = self.trace([self.program(shell), "-c", loop])
                fixes = {each["fix"] for each in report["advice"]}
                self.assertEqual(1, len(fixes), fixes)
                self.assertIn("let one command such as awk read the lines", *fixes)

    def test_of_awk(self):
        script = "BEGIN { while (i++ < 200000) { print i > \"file\"; fflush(\"file\") } }"
        for name in ("gawk", "mawk"):
            with self.subTest(name=name):
                report, _ = self.trace([self.program(name), script])
                advice = report["advice"][0]  # the copies may be a small one on a busy machine
                self.assertEqual(("flush-after-each", "awk"), (advice["id"], advice["runtime"]))
                self.assertTrue(advice["fix"].startswith("In awk, leave out `fflush()`"))

    def test_of_busybox(self):
        self.program("busybox")
        if b"statically linked" in self.trace(["busybox", "true"])[1].stderr:
            self.skipTest("this busybox is statically linked")
        awk = ["busybox", "awk", 'BEGIN { while (i++ < 100000) { print i > "f"; fflush("f") } }']
        link = self.root / "awk"
        link.symlink_to(self.program("busybox"))
        for words in (awk, [link, *awk[2:]], ["sh", "-c", 'busybox awk "$0"; true', awk[2]]):
            with self.subTest(words=words[:2]):
                advice = self.trace(words)[0]["advice"][0]
                self.assertEqual(("flush-after-each", "awk"), (advice["id"], advice["runtime"]))
                self.assertTrue(advice["fix"].startswith("In awk, leave out `fflush()`"))
        self.expect_terms("tiny-writes", "busybox", "busybox makes these calls, and you cannot",
                          ["busybox", "dd", "if=/dev/zero", "of=file", "bs=16", "count=300000"])

    def test_of_iostreams(self):
        self.expect_terms("tiny-writes", "C++ iostreams", "std::endl",
                          [self.subject("flushed_lines"), "file", 200_000])

    def test_of_iostreams_that_are_a_part_of_the_program(self):
        program = self.subject("flushed_lines_with_runtime")
        if not os.path.exists(program):
            self.skipTest("the compiler has no static C++ library")
        self.expect_terms("tiny-writes", "C++ iostreams", "std::endl", [program, "file", 200_000])

    def test_of_standard_input_that_is_tied_to_standard_output(self):
        numbers = self.root / "numbers"
        numbers.write_text("".join(f"{i}\n" for i in range(200_000)))
        command = f"exec {self.subject('tied_streams')} < {numbers} > file"
        first = self.expect_terms("flush-after-each", "C++ iostreams", "`std::cin.tie(nullptr)`",
                                  ["sh", "-c", command])
        self.assertNotIn("std::endl", first["fix"])

    def test_of_a_place_outside_of_the_headers(self):
        path = self.input_file(4 << 20)
        report, _ = self.trace(["sh", "-c", f"exec {self.subject('upper_case')} < {path} > file"])
        functions = {use["stack"][0]["function"] for use in self.uses(report, "fputc")}
        self.assertEqual({"main"}, functions)

    def test_of_c(self):
        advice = self.expect("tiny-writes", "written_lines", "file", 200_000)[0]
        self.assertEqual("C", advice["runtime"])
        self.assertIn("fwrite", advice["fix"])

    INSERTIONS = ("import sqlite3\nrows = sqlite3.connect('rows', isolation_level=None)\n"
                  "rows.execute('create table numbers(n)')\n"
                  "for i in range(100): rows.execute('insert into numbers values(?)', (i,))")

    def test_of_a_database(self):
        """Its journal, its file, its folder and the log for which it looks have one cause, and
        nobody may change its calls."""
        if importlib.util.find_spec("sqlite3") is None:
            self.skipTest("this Python has no sqlite3")
        # The kind is that of the largest saving. On a fast disk these are the openings, or the
        # journal that is written anew.
        first = self.expect_terms("sync-after-each reopened written-anew", "SQLite",
                                  "one transaction", [sys.executable, "-c", self.INSERTIONS])
        self.assertIn("Change how programs use SQLite. ", first["fix"])
        # A file with next to no saving, such as the log that is not there, does not count.
        self.assertIn(first["files"], (3, 4))
        self.assertEqual("", first["by"])


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
