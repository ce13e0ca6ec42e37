#!/usr/bin/env python3
"""The command line of `sluice run`: its refusals and its reports."""
import json
import os
import pathlib
import select
import shutil
import signal
import struct
import subprocess
import sys

import both_ways


class Arguments(both_ways.BothWaysTest):

    def test_reach_the_program_as_they_are(self):
        # CLI11 takes a word in brackets for a list of words.
        words = ["printf", "<%s>", "[a,b]", "[0-9]", "[]", "[[x]]", "[", "]", "", "{}", "%%",
                 "\x01", "\x01[a]", "'q'", '"q"', "a=[1,2]"]
        plain = self.execute(words).stdout
        for command in ("run", "trace"):
            for mark in ([], ["--"]):
                with self.subTest(command=command, mark=mark):
                    result = self.execute([both_ways.COMMAND, command, *mark, *words])
                    self.assertEqual(plain, result.stdout, result.stderr)

    def test_may_be_options_of_the_program(self):
        words = ["printf", "<%s>", "-x", "--summary", "[--json]", "--"]
        self.assertEqual(self.execute(words).stdout, self.run_fast(words).stdout)

    def test_name_files_as_they_are(self):
        self.execute([both_ways.COMMAND, "run", "--json", "[a,b]", "--", "true"])
        self.assertEqual(["[a,b]"], os.listdir(self.folder))


class Refusals(both_ways.BothWaysTest):

    def expect_refusal(self, code, line, words, *options):
        result = self.run_fast(words, *options)
        self.assertEqual(code, result.returncode, result.stderr)
        self.assertRegex(result.stderr.decode(), f"\\Asluice run: {line}\n\\Z")
        self.assertEqual(b"", result.stdout)

    def write_program(self, name, content):
        path = self.root / name
        path.write_bytes(content)
        path.chmod(0o755)
        return path

    def test_of_a_program_that_is_not_there(self):
        for options in ((), ("--summary",)):
            self.expect_refusal(127, "no-such-program: there is no such program",
                                ["no-such-program"], *options)
            self.expect_refusal(127, "/no/such: there is no such program", ["/no/such"], *options)
            self.expect_refusal(127, "'': there is no such program", [""], *options)

    def test_of_a_file_that_is_not_executable(self):
        path = self.root / "text"
        path.write_text("text")
        self.expect_refusal(126, f"{path}: Permission denied", [path])

    def test_of_a_folder(self):
        self.expect_refusal(126, f"{self.root}: Permission denied", [self.root])

    def test_of_a_program_without_its_interpreter(self):
        program = self.write_program("program", b"#!/no/such/interpreter\n")
        for options in ([], ["--summary"]):
            self.expect_refusal(127, f"{program}: the interpreter that it needs does not exist",
                                [program], *options)

    def test_of_a_program_that_the_kernel_refuses(self):
        for content in (b"\x7fELF" + bytes(60), b"\0", b"neither\0nor\n"):
            path = self.write_program("broken", content)
            shell = self.execute(["sh", "-c", path])
            self.assertEqual(126, shell.returncode)
            for options in ((), ("--summary",)):
                self.expect_refusal(126, f"{path}: Exec format error", [path], *options)

    def test_without_free_descriptors(self):
        for command in (("run", "--summary"), ("trace",)):
            result = self.execute(["sh", "-c", 'ulimit -n 5; exec "$@"', "sh", both_ways.COMMAND,
                                   *command, "--", "true"])
            self.assertEqual(1, result.returncode)
            self.assertRegex(result.stderr.decode(), rf"\Asluice {command[0]}: the program cannot "
                             r"be started, .*: Too many open files: raise .*\n\Z")

    def test_without_files(self):
        for command in (("run", "--summary"), ("run", "--coalesce", "--summary"), ("trace",)):
            result = self.execute(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", both_ways.COMMAND,
                                   *command, "--", "sh", "-c", "exit 3"])
            self.assertEqual(3, result.returncode)
            self.assertIn(b"no process could keep a log", result.stderr)

    def test_of_nothing_to_run(self):
        for command in ("run", "trace"):
            for words in ([], ["--"], ["--no-children"], ["--no-children", "--"]):
                result = self.execute([both_ways.COMMAND, command, *words])
                self.assertEqual(2, result.returncode)
                self.assertIn(f"sluice {command} -- CMD ARGS".encode(), result.stderr)

    def test_of_an_option_whose_value_was_forgotten(self):
        options = {"run": ["--json"],
                   "trace": ["--json", "--html", "--sizes", "--stacks", "--fail-over",
                             "--for"]}
        for command, names in options.items():
            for name in names:
                for next_word in ("--", "--no-children"):
                    with self.subTest(command=command, name=name, next_word=next_word):
                        result = self.execute([both_ways.COMMAND, command, name, next_word,
                                               "touch", "touched"])
                        self.assertEqual(2, result.returncode)
                        self.assertIn(name.encode(), result.stderr)
                        self.assertEqual({}, self.files())
                result = self.execute([both_ways.COMMAND, command, name])
                self.assertEqual(2, result.returncode)

    def test_of_the_programs_own_options_before_the_two_dashes(self):
        for command in ("run", "trace"):
            result = self.execute([both_ways.COMMAND, command, "env", "-i"])
            self.assertEqual((2, b""), (result.returncode, result.stdout))
            self.assertIn(b"unknown option '-i'. For an option of the program, write -- before",
                          result.stderr)

    def test_of_trace_are_the_same(self):
        text = self.root / "text"
        text.write_text("text")
        broken = self.write_program("broken", b"\x7fELF" + bytes(60))
        for word, code in (("no-such-program", 127), ("/no/such", 127), (text, 126),
                           (self.root, 126), (broken, 126)):
            with self.subTest(word=word):
                result = self.execute([both_ways.COMMAND, "trace", "--", word])
                self.assertEqual((code, b""), (result.returncode, result.stdout))
                self.assertRegex(result.stderr.decode(), f"\\Asluice trace: {word}: .*\n\\Z")

    def copy_of_the_command(self, *parts):
        """A copy of the command whose folder of parts has only the named ones."""
        copy = self.root / "bin" / "sluice"
        copy.parent.mkdir()
        shutil.copy(both_ways.COMMAND, copy)
        folder = self.root / both_ways.parts_folder()
        folder.mkdir(parents=True)
        for part in parts:
            built = pathlib.Path(both_ways.COMMAND).parent.parent / both_ways.parts_folder()
            shutil.copy(built / part, folder)
        return copy, folder

    def test_of_a_command_without_its_parts(self):
        alone, folder = self.copy_of_the_command()
        missing = {"run": "libsluice_run.so", "trace": "sluice-trace", "bench": "sluice-bench"}
        for command, part in missing.items():
            with self.subTest(command=command):
                # A file beside the command is not one of its parts.
                (alone.parent / part).touch(mode=0o755)
                result = self.execute([alone, command, "--", "touch", "touched"])
                line = (f"sluice {command}: {folder}/{part}: this part of sluice is missing: "
                        "install sluice again\n")
                self.assertEqual((1, line), (result.returncode, result.stderr.decode()))
                self.assertEqual({}, self.files())

    def test_of_a_part_without_its_parts(self):
        alone, folder = self.copy_of_the_command("sluice-trace")
        result = self.execute([alone, "trace", "--", "touch", "touched"])
        self.assertEqual(1, result.returncode)
        self.assertIn(f"{folder}/libsluice_trace.so: this part of sluice is missing",
                      result.stderr.decode())
        self.assertEqual({}, self.files())

    def test_of_a_missing_object_is_only_for_programs_that_need_it(self):
        alone, _ = self.copy_of_the_command("sluice-trace")
        result = self.execute([alone, "trace", "--", self.subject("environment_static")])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn(b"it is statically linked; it runs as it is", result.stderr)

    def test_of_an_invalid_part(self):
        alone, folder = self.copy_of_the_command()
        (folder / "sluice-bench").touch(mode=0o755)
        result = self.execute([alone, "bench", "--list"])
        line = (f"sluice bench: {folder}/sluice-bench: Exec format error; it is a part of "
                "this command: install sluice again\n")
        self.assertEqual((1, line), (result.returncode, result.stderr.decode()))

    def test_of_a_report_that_cannot_be_written_before_the_program_runs(self):
        places = {"/no/such/report": "No such file or directory", self.root: "Is a directory"}
        for place, reason in places.items():
            for command, option in (("run", "--json"), ("trace", "--json"), ("trace", "--sizes"),
                                    ("trace", "--stacks")):
                with self.subTest(place=place, command=command, option=option):
                    result = self.execute([both_ways.COMMAND, command, option, place, "--",
                                           "touch", "touched"])
                    line = f"sluice {command}: open {place}: {reason}\n"
                    self.assertEqual((1, line), (result.returncode, result.stderr.decode()))
                    self.assertEqual({}, self.files())


class Names(both_ways.BothWaysTest):
    """A program may have any name that a file may have."""

    def test_may_be_strange(self):
        folder = self.root / "names"
        folder.mkdir()
        for name in (b"two words", b"two\nlines", b"not\xff\xfeUTF-8", b"<script>alert(1)<",
                     b"-dash", b"a=b", b"'\"`$x`", b"\x1b[31m", b"LD_PRELOAD=x",
                     b"comma,logs=y"):
            program = os.path.join(os.fsencode(folder), name)
            shutil.copy(shutil.which("env"), program)
            with self.subTest(name=name):
                self.expect_name(program)

    def expect_name(self, program):
        environment = {**os.environb, b"HOME": b"/home"}
        for command in (["run"], ["run", "--summary"], ["run", "--json", self.root / "report"],
                        ["trace", "--json", self.root / "report"]):
            words = [os.fsencode(str(word)) for word in (both_ways.COMMAND, *command, "--")]
            result = subprocess.run([*words, program, b"echo", b"x"], cwd=self.folder,
                                    env=environment, capture_output=True, check=False)
            self.assertEqual((0, b"x\n"), (result.returncode, result.stdout), result.stderr)
            self.assertNotRegex(result.stderr, b"\x1b|two\nlines")
        report = json.loads((self.root / "report").read_text())
        self.assertEqual(program.decode(errors="replace"), report["command"][0])


class Warnings(both_ways.BothWaysTest):
    """A program that nothing can be put into runs as it is, and the reason is given."""

    def expect_warning(self, words, reason, code=0):
        result = self.run_fast(words)
        self.assertEqual(code, result.returncode)
        self.assertIn(f"not accelerated, because {reason}".encode(), result.stderr)
        self.assertNotIn(b"SLUICE", result.stdout)
        return result

    def test_about_a_static_program(self):
        self.expect_warning([self.subject("environment_static")], "it is statically linked")

    def test_about_a_script_whose_interpreter_is_static(self):
        script = self.root / "script"
        script.write_text(f"#!{self.subject('environment_static')}\n")
        script.chmod(0o755)
        self.expect_warning([script], "it is statically linked")

    def test_about_other_rights(self):
        if os.getuid() != 0:
            self.skipTest("only root can give a file to somebody else")
        program = self.root / "program"
        shutil.copy(self.subject("environment_static"), program)
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        self.expect_warning([program], "it runs with other rights than yours")

    def test_about_another_c_library(self):
        if not os.path.exists(self.subject("environment_musl")):
            self.skipTest("not built for this processor")
        self.expect_warning([self.subject("environment_musl")], "it uses musl, another C library")

    def test_about_a_go_program(self):
        reason = "it is a Go program, which does not use the C library's input and output"
        if shutil.which("objcopy") is None:
            self.skipTest("no objcopy (Debian package binutils)")
        program = self.root / "program"
        subprocess.run(["objcopy", "--add-section", f".go.buildinfo={__file__}",
                        self.subject("environment_static"), program], check=True)
        self.expect_warning([program], reason)
        if go := shutil.which("go", path=f"{os.environ['PATH']}:/usr/local/go/bin"):
            environment = {**os.environ, "HOME": "/no/home", "GOTOOLCHAIN": "local"}
            result = self.run_fast([go, "version"], env=environment)
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertIn(reason.encode(), result.stderr)
            self.assertIn(b"go version", result.stdout)

    def test_about_another_word_size(self):
        # Linux's exit(7), for a 386.
        code = bytes([0xb8, 1, 0, 0, 0, 0xbb, 7, 0, 0, 0, 0xcd, 0x80])
        start, header_bytes = 0x8048000, 52 + 32
        header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 3, 1, start + header_bytes,
                             52, 0, 0, 52, 32, 1, 0, 0, 0)
        size = header_bytes + len(code)
        segment = struct.pack("<IIIIIIII", 1, 0, start, start, size, size, 5, 0x1000)
        program = self.root / "program"
        program.write_bytes(header + segment + code)
        program.chmod(0o755)
        plain = self.execute(["sh", "-c", program])
        self.assertIn(plain.returncode, (7, 126))  # not every kernel executes it
        self.expect_warning([program], "it is a 32-bit program", plain.returncode)

    def test_about_other_rights_by_group(self):
        if os.getuid() != 0:
            self.skipTest("only root can give a file to somebody else")
        program = self.root / "program"
        shutil.copy(shutil.which("env"), program)
        os.chown(program, 0, 65534)
        program.chmod(0o2755)
        self.expect_warning([program], "it runs with other rights than yours")

    def test_about_another_processor(self):
        program = self.root / "program"
        content = bytearray(pathlib.Path(self.subject("endings")).read_bytes())
        content[18:20] = (243).to_bytes(2, "little")  # RISC-V
        program.write_bytes(content)
        program.chmod(0o755)
        self.expect_warning([program], "it is built for another processor", 126)


class Scripts(both_ways.BothWaysTest):

    def test_without_an_interpreter_are_for_the_shell(self):
        script = self.root / "script"
        script.write_text("echo $1\n")
        script.chmod(0o755)
        for options in ((), ("--summary",)):
            self.assertEqual(b"word\n", self.run_fast([script, "word"], *options).stdout)


class Reports(both_ways.BothWaysTest):

    def report_of(self, words, *options):
        path = self.root / "report"
        result = self.run_fast(words, "--json", path, *options)
        return json.loads(path.read_text()), result

    def test_count_the_calls(self):
        report, result = self.report_of([self.subject("one_byte"), "file", 100_000])
        self.assertEqual(0, result.returncode)
        total = report["total"]
        self.assertEqual(100_000, total["answered_writes"] + total["passed_on_writes"])
        self.assertGreater(total["answered_writes"], 99_900)
        self.assertEqual((2, 0, None), (report["schema"], report["exit_code"], report["signal"]))

    def test_count_puts(self):
        total = self.report_of([self.subject("small_calls"), "puts", "file", 100_000])[0]["total"]
        # The last line is printed by printf().
        self.assertEqual(100_000, total["answered_writes"] + total["passed_on_writes"])
        self.assertGreater(total["answered_writes"], 99_000)

    def test_have_the_system_calls_that_were_left_and_saved(self):
        words = [self.subject("written_lines"), "file", 1_000]
        plain = self.report_of(words)[0]["system_calls"]
        self.assertEqual(0, plain["saved"])
        self.assertGreaterEqual(plain["written_bytes"], (self.folder / "file").stat().st_size)
        coalesced = self.report_of(words, "--coalesce")[0]["system_calls"]
        self.assertGreater(plain["writes"], 1_000)
        self.assertLess(coalesced["writes"], 10)
        self.assertEqual(plain["writes"], coalesced["writes"] + coalesced["saved"])

    def test_have_the_seeks_of_a_stream_that_no_read_has_filled(self):
        path = self.root / "input"
        path.write_bytes(bytes(range(250)) * 400)
        report, result = self.report_of([self.subject("reads_backwards"), path])
        self.assertEqual(0, result.returncode)
        self.assertGreater(report["total"]["answered_seeks"], 99_900)

    def test_count_every_process(self):
        report, _ = self.report_of(["sh", "-c", "/usr/bin/env; /usr/bin/env"])
        programs = sorted(process["program"] for process in report["processes"])
        self.assertEqual(["env", "env", "sh"], programs)

    def test_leave_children_out(self):
        report, _ = self.report_of(["sh", "-c", "/usr/bin/env; /usr/bin/env"], "--no-children")
        # The shell forks before it executes: the child is the shell's own until then.
        self.assertEqual({"sh"}, {process["program"] for process in report["processes"]})

    def test_have_the_coalesced_writes(self):
        def coalesced(*words):
            report, _ = self.report_of([self.subject("written_lines"), *words], "--coalesce")
            return report["total"]["coalesced_writes"]
        self.assertEqual(1_000, coalesced("file", 1_000))
        self.assertEqual(0, coalesced("file", 1_000, "append"))
        self.assertEqual(0, coalesced("/dev/null", 1_000))
        report, _ = self.report_of([self.subject("written_lines"), "file", 1_000])
        self.assertEqual(0, report["total"]["coalesced_writes"], "only who asks for it gets it")

    def unanswered(self, how, *options, name="file", times=1_000):
        """The totals and the words of the summary."""
        words = [self.subject("unanswered"), how, name, times]
        report, result = self.report_of(words, "--summary", *options)
        self.assertEqual(0, result.returncode, result.stderr)
        return report["total"], result.stderr.decode()

    def test_say_that_a_stream_is_not_fully_buffered(self):
        for how in ("lines", "unbuffered"):
            with self.subTest(how=how):
                total, text = self.unanswered(how)
                self.assertEqual({"unbuffered_calls": 1_000}, total["not_answered"])
                self.assertEqual((0, 1_000), (total["answered_writes"],
                                              total["passed_on_writes"]))
                self.assertIn("answered 0 calls, passed 1,000 on to the C library\n", text)
                self.assertIn("because     1,000 calls used streams that are unbuffered, or", text)
        total, _ = self.unanswered("read", name="/dev/zero")
        self.assertEqual(({"unbuffered_calls": 1_000}, 1_000),
                         (total["not_answered"], total["passed_on_reads"]))

    def test_say_that_the_program_flushes(self):
        total, text = self.unanswered("flushed")
        self.assertEqual((1_000, {}), (total["flushes"], total["not_answered"]))
        self.assertRegex(text, r"because +the program called fflush 1,000 times, on average after "
                               r"\d+ bytes or fewer\n")
        self.assertNotIn("fflush", self.unanswered("flushed", times=10)[1])

    def test_say_that_calls_are_compiled_into_the_program(self):
        total, text = self.unanswered("compiled", times=100_000)
        calls = total["not_answered"].pop("compiled_calls")
        self.assertTrue(20 < calls < 30, calls)
        self.assertEqual((calls, {}), (total["passed_on_writes"], total["not_answered"]))
        self.assertIn("putc_unlocked or getc_unlocked is compiled into the program", text)

    def test_say_that_threads_take_locks(self):
        total, text = self.unanswered("threads")
        self.assertEqual({"processes_with_threads": 1}, total["not_answered"])
        self.assertIn("because     1 process had several threads.", text)
        self.assertIn("--unlocked accelerates them\n", text)
        total, text = self.unanswered("threads", "--unlocked")
        self.assertEqual({}, total["not_answered"])
        self.assertNotIn("because", text)

    def test_say_what_coalesce_never_joins(self):
        total, text = self.unanswered("standard", "--coalesce")
        self.assertEqual({"stream": 1, "standard_writes": 1_000}, total["not_coalesced"])
        self.assertIn("coalesced   0 calls of write\n", text)
        self.assertIn("not coalesced  1,000 calls of write to standard output or standard "
                      "error", text)
        total, text = self.unanswered("flushed", "--coalesce")
        self.assertEqual({"stream": 1}, total["not_coalesced"])
        self.assertIn("not coalesced  1 time a file was a stream of stdio, whose", text)
        total, _ = self.unanswered("shared", "--coalesce")
        self.assertEqual(({"stream": 1, "shared": 1}, 0),
                         (total["not_coalesced"], total["coalesced_writes"]))
        self.assertEqual({}, self.unanswered("read", "--coalesce", name="/dev/zero")[0]
                         ["not_coalesced"])

    def test_of_files_that_are_not_coalesced_cost_no_system_call(self):
        if shutil.which("strace") is None or self.execute(["strace", "true"]).returncode != 0:
            self.skipTest("strace cannot trace here")

        def questions(*command):
            log = self.root / "strace"
            self.execute(["strace", "-f", "-o", log, "-e", "trace=fstat,newfstatat,fstatfs,fcntl",
                          *command, self.subject("unanswered"), "opened", "file", 100])
            return len(log.read_text().splitlines())
        self.assertLess(questions(both_ways.COMMAND, "run", "--coalesce", "--"), questions() + 90)

    def test_have_the_coalesced_writes_of_two_files_in_turn(self):
        report, result = self.report_of([self.subject("two_files"), "a", "b", 1_000], "--coalesce")
        self.assertEqual(0, result.returncode)
        self.assertEqual(1_000, report["total"]["coalesced_writes"])
        self.assertLess(report["system_calls"]["writes"], 10)

    def test_leave_out_calls_of_threads_under_locks(self):
        # Counting it for two threads would have them wait for one line of memory.
        report, result = self.report_of([self.subject("threads"), "file", 1_000])
        self.assertEqual(0, result.returncode)
        total = report["total"]
        self.assertEqual((0, 0), (total["answered_writes"], total["passed_on_writes"]))
        total = self.report_of([self.subject("threads"), "file", 1_000], "--unlocked")[0]["total"]
        self.assertEqual((0, 0), (total["answered_writes"], total["passed_on_writes"]))

    def test_have_the_exit_code_if_ended_children_are_ignored(self):
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for words in (["sh", "-c", "exit 7"], ["grep", "SigIgn", "/proc/self/status"]):
            plain = self.execute(words, preexec_fn=ignore)
            for command in (["run", "--summary"], ["run", "--json", "report"], ["trace"]):
                with self.subTest(command=command):
                    result = self.execute([both_ways.COMMAND, *command, "--", *words],
                                          preexec_fn=ignore)
                    self.assertEqual((plain.returncode, plain.stdout),
                                     (result.returncode, result.stdout), result.stderr)

    def test_name_the_bytes_that_a_full_disk_has_lost(self):
        words = ["sh", "-c", "ulimit -f 8; trap '' XFSZ; exec "
                 f"{self.subject('written_lines')} file 1000 unclosed"]
        result = self.run_fast(words, "--coalesce")
        self.assertRegex(result.stderr.decode(), r"sluice run: /.*/file: \d+ bytes that the "
                         r"program has written are lost: File too large")

    def test_name_lost_bytes_after_every_way_to_close(self):
        """A full disk loses held bytes. This is said once, and the program goes on."""
        told = (r"\Asluice run: (/.*/file|a file): \d+ bytes that the program has written are "
                r"lost: File too large\n\Z")
        for way in ("exit", "quick_exit", "handler", "handler _exit", "closefrom", "close_range",
                    "dup2", "dup3", "unseen", "fork", "errno", "handler closefrom",
                    "handler dup2"):
            with self.subTest(way=way):
                self.expect_lost(way, told)
        for way in ("handler write", "fork write"):
            with self.subTest(way=way):
                self.expect_lost(way, r"\A\Z")

    def test_leave_out_lost_bytes_that_a_call_has_told_of(self):
        for call in ("fsync", "fdatasync", "close"):
            for way in (f"handler {call}", f"fork, handler {call}"):
                with self.subTest(way=way):
                    result = self.run_fast(self.lost_writes(way), "--coalesce")
                    self.assertEqual((f"{call}: -1 File too large\n".encode(), b""),
                                     (result.stdout, result.stderr))

    def lost_writes(self, way):
        return ["sh", "-c", "ulimit -f 8; trap '' XFSZ; exec \"$@\"", "sh",
                self.subject("lost_writes"), way]

    def expect_lost(self, way, told):
        words = self.lost_writes(way)
        plain = self.execute(words)
        files = self.files()
        result = self.run_fast(words, "--coalesce")
        self.assertEqual((plain.returncode, plain.stdout), (result.returncode, result.stdout))
        self.assertRegex(result.stderr.decode(), told)
        self.assertEqual(files, self.files())

    def test_that_cannot_be_written_leave_the_summary_and_the_exit_code(self):
        for command, options in (("run", ("--summary",)), ("trace", ())):
            for code in (0, 7):
                result = self.execute([both_ways.COMMAND, command, *options, "--json", "/dev/full",
                                       "--", "sh", "-c", f"exit {code}"])
                self.assertEqual(code or 1, result.returncode, result.stderr)
                self.assertIn(b"sh: 0.", result.stderr)
                self.assertIn(b"write /dev/full", result.stderr)

    def test_survive_a_kill(self):
        report, result = self.report_of([self.subject("endings"), "kill", "file", 100_000])
        self.assertEqual(-signal.SIGKILL, result.returncode)
        self.assertEqual((None, signal.SIGKILL), (report["exit_code"], report["signal"]))
        counts = (report["total"][f"{which}_writes"] for which in ("answered", "passed_on"))
        self.assertEqual(1_000, sum(counts))

    def test_of_streams_in_memory_are_not_of_threads(self):
        result = self.run_fast([self.subject("streams"), "memory", "file"], "--summary")
        self.assertNotIn(b"several threads", result.stderr)

    def test_are_summed_up_in_words(self):
        result = self.run_fast([self.subject("one_byte"), "file", 100_000], "--summary")
        text = result.stderr.decode()
        self.assertRegex(text, r"writes +answered 99,\d+ calls, passed \d+ on to the C library")
        self.assertRegex(text, r"reads +no calls counted")
        self.assertIn("Counted are fwrite, fputs,", text)
        self.assertNotIn("because", text)
        self.assertNotIn("coalesced", text)
        self.assertRegex(text, r"to kernel +\d+ reads of \S+ and \d+ writes of \S+, as the kernel")

    def test_leave_no_folder_behind(self):
        temporary = self.root / "temporary"
        temporary.mkdir()
        for words in (["true"], ["sh", "-c", "kill -TERM $$"]):
            self.run_fast(words, "--summary", env={**os.environ, "TMPDIR": str(temporary)})
        self.assertEqual([], list(temporary.iterdir()))

    def test_of_a_killed_command_are_removed_by_the_next(self):
        temporary = self.root / "temporary"
        temporary.mkdir()
        env = {**os.environ, "TMPDIR": str(temporary)}
        for command in (["run", "--summary"], ["trace"]):
            with self.subTest(command=command):
                with subprocess.Popen(
                        [both_ways.COMMAND, *command, "--", "sh", "-c", "echo ready; exec cat"],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                        env=env) as process:
                    self.assertEqual(b"ready\n", process.stdout.readline())
                    [folder] = temporary.iterdir()
                    os.utime(folder, (0, 0))
                    self.execute([both_ways.COMMAND, *command, "--", "true"], env=env)
                    self.assertTrue(folder.exists(), "its command still runs")
                    process.kill()
                    # Its output ends when the program ends too, whose input is still open.
                    ended, _, _ = select.select([process.stdout], [], [], 20)
                    self.assertEqual([process.stdout], ended, "the program still runs")
                    self.assertEqual(b"", process.stdout.read(1))
                os.utime(folder, (0, 0))
                self.execute([both_ways.COMMAND, *command, "--", "true"], env=env)
                self.assertEqual([], list(temporary.iterdir()))

    def test_may_be_removed_by_the_program(self):
        temporary = self.root / "temporary"
        temporary.mkdir()
        words = ["sh", "-c", 'rm -rf "$TMPDIR"/*; exit 4']
        for command in (["run", "--summary"], ["trace"]):
            with self.subTest(command=command):
                result = self.execute([both_ways.COMMAND, *command, "--", *words],
                                      env={**os.environ, "TMPDIR": str(temporary)})
                self.assertEqual(4, result.returncode, result.stderr)
                self.assertIn(b"no process could keep a log", result.stderr)


class Endings(both_ways.BothWaysTest):

    def test_by_a_signal_that_the_caller_has_blocked(self):
        """The command ends by the same signal, although it has inherited the blocking."""
        program = [sys.executable, "-c", "import os, signal;"
                   "signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM]);"
                   "os.kill(os.getpid(), signal.SIGTERM)"]
        for command in (["run"], ["run", "--summary"], ["run", "--json", "report"], ["trace"]):
            with self.subTest(command=command):
                result = self.execute(
                    [both_ways.COMMAND, *command, "--", *program],
                    preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]))
                self.assertEqual(-signal.SIGTERM, result.returncode)


if __name__ == "__main__":
    both_ways.main()
