#!/usr/bin/env python3
"""The command line of `sluice run`: what it refuses, and what it reports."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import both_ways


class Refusals(both_ways.BothWaysTest):

    def expect_refusal(self, code, line, words, *options):
        result = self.run_fast(words, *options)
        self.assertEqual(code, result.returncode, result.stderr)
        self.assertRegex(result.stderr.decode(), f"\\Asluice run: {line}\n\\Z")
        self.assertEqual(b"", result.stdout)

    def test_of_a_program_that_is_not_there(self):
        for options in ((), ("--summary",)):
            self.expect_refusal(127, "no-such-program: there is no such program",
                                ["no-such-program"], *options)
            self.expect_refusal(127, "/no/such: there is no such program", ["/no/such"], *options)

    def test_of_a_file_that_is_not_executable(self):
        path = self.root / "text"
        path.write_text("text")
        self.expect_refusal(126, f"{path}: Permission denied", [path])

    def test_of_a_folder(self):
        self.expect_refusal(126, f"{self.root}: Permission denied", [self.root])

    def test_of_a_program_that_the_kernel_refuses(self):
        path = self.root / "broken"
        path.write_bytes(b"\x7fELF" + bytes(60))
        path.chmod(0o755)
        for options in ((), ("--summary",)):
            result = self.run_fast([path], *options)
            self.assertIn(result.returncode, (2, 126, 127), result.stderr)  # as the shell says

    def test_of_nothing_to_run(self):
        for words in (["run"], ["run", "--"], ["run", "--", ""]):
            result = self.execute([both_ways.COMMAND, *words])
            self.assertEqual(2, result.returncode)
            self.assertIn(b"sluice run -- CMD ARGS", result.stderr)

    def test_of_sizes_that_are_none(self):
        for size in ("0", "-1", "many", ""):
            result = self.run_fast(["true"], "--buffer", size)
            self.assertEqual(2, result.returncode)
            self.assertIn(b"--buffer", result.stderr)

    def test_of_a_report_that_cannot_be_written_before_the_program_runs(self):
        self.expect_refusal(1, "open /no/such/report: No such file or directory",
                            ["touch", self.root / "touched"], "--json", "/no/such/report")
        self.assertFalse((self.root / "touched").exists())


class Warnings(both_ways.BothWaysTest):
    """A program that nothing can be put into runs as it is, and the reason is given."""

    def expect_warning(self, words, reason, code=0):
        result = self.run_fast(words)
        self.assertEqual(code, result.returncode)
        self.assertIn(f"not accelerated: {reason}".encode(), result.stderr)
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

    def test_about_another_processor(self):
        program = self.root / "program"
        content = bytearray(pathlib.Path(self.subject("endings")).read_bytes())
        content[18:20] = (243).to_bytes(2, "little")  # RISC-V
        program.write_bytes(content)
        program.chmod(0o755)
        result = self.run_fast([program])
        self.assertIn(b"not accelerated: it is built for another processor", result.stderr)


class Scripts(both_ways.BothWaysTest):

    def test_without_an_interpreter_are_for_the_shell(self):
        script = self.root / "script"
        script.write_text("echo $1\n")
        script.chmod(0o755)
        for options in ((), ("--summary",)):
            self.assertEqual(b"word\n", self.run_fast([script, "word"], *options).stdout)


class LargerBuffers(both_ways.BothWaysTest):

    def larger_buffers(self, call, *options):
        numbers = self.root / "numbers"
        numbers.write_bytes(b"a line of text to be read\n" * 40_000)
        path = numbers if call in ("fgets", "getc") else "file"
        report = self.root / "report"
        result = self.run_fast([self.subject("small_calls"), call, path, 1_000_000], *options,
                               "--json", report)
        self.assertEqual(0, result.returncode)
        return json.loads(report.read_text())["total"]["larger_buffers"]

    def test_are_for_reading_by_default(self):
        self.assertEqual([1, 0, 0],
                         [self.larger_buffers(call) for call in ("fgets", "getc", "fputs")])

    def test_are_for_both_when_asked_for(self):
        self.assertEqual([1, 0, 1], [self.larger_buffers(call, "--buffer", "64K")
                                     for call in ("fgets", "getc", "fputs")])

    def test_can_be_left_out(self):
        self.assertEqual([0, 0], [self.larger_buffers(call, "--buffer", "off")
                                  for call in ("fgets", "fputs")])


class Reports(both_ways.BothWaysTest):

    def report_of(self, words, *options):
        path = self.root / "report"
        result = self.run_fast(words, "--json", path, *options)
        return json.loads(path.read_text()), result

    def test_count_the_calls(self):
        report, result = self.report_of([self.subject("one_byte"), "file", 100_000])
        self.assertEqual(0, result.returncode)
        total = report["total"]
        self.assertEqual(100_000, total["fast_writes"] + total["slow_writes"])
        self.assertGreater(total["fast_writes"], 99_900)
        self.assertEqual((1, 0, None), (report["schema"], report["exit_code"], report["signal"]))

    def test_have_the_system_calls_that_were_left_and_saved(self):
        words = [self.subject("written_lines"), "file", 1_000]
        plain = self.report_of(words)[0]["system_calls"]
        self.assertEqual(0, plain["saved"])
        self.assertGreaterEqual(plain["written_bytes"], (self.folder / "file").stat().st_size)
        gathered = self.report_of(words, "--coalesce")[0]["system_calls"]
        self.assertGreater(plain["writes"], 1_000)
        self.assertLess(gathered["writes"], 10)
        self.assertEqual(plain["writes"], gathered["writes"] + gathered["saved"])

    def test_count_every_process(self):
        report, _ = self.report_of(["sh", "-c", "/usr/bin/env; /usr/bin/env"])
        programs = sorted(process["program"] for process in report["processes"])
        self.assertEqual(["env", "env", "sh"], programs)

    def test_leave_children_out(self):
        report, _ = self.report_of(["sh", "-c", "/usr/bin/env; /usr/bin/env"], "--no-children")
        # The shell forks before it executes: the child is the shell's own until then.
        self.assertEqual({"sh"}, {process["program"] for process in report["processes"]})

    def test_tell_what_was_gathered(self):
        def gathered(*words):
            report, _ = self.report_of([self.subject("written_lines"), *words], "--coalesce")
            return report["total"]["held_writes"]
        self.assertEqual(1_000, gathered("file", 1_000))
        self.assertEqual(0, gathered("file", 1_000, "append"))
        self.assertEqual(0, gathered("/dev/null", 1_000))
        report, _ = self.report_of([self.subject("written_lines"), "file", 1_000])
        self.assertEqual(0, report["total"]["held_writes"], "only who asks for it gets it")

    def test_survive_a_kill(self):
        report, result = self.report_of([self.subject("endings"), "kill", "file", 100_000])
        self.assertEqual(-signal.SIGKILL, result.returncode)
        self.assertEqual((None, signal.SIGKILL), (report["exit_code"], report["signal"]))
        self.assertEqual(1_000, report["total"]["fast_writes"] + report["total"]["slow_writes"])

    def test_are_summed_up_in_words(self):
        result = self.run_fast([self.subject("one_byte"), "file", 100_000], "--summary")
        self.assertRegex(result.stderr.decode(), r"writes +99,\d+ of 100,000 writes were a copy")

    def test_leave_no_folder_behind(self):
        temporary = self.root / "temporary"
        temporary.mkdir()
        for words in (["true"], ["sh", "-c", "kill -TERM $$"]):
            self.run_fast(words, "--summary", env={**os.environ, "TMPDIR": str(temporary)})
        self.assertEqual([], list(temporary.iterdir()))


class SignalsToTheCommand(both_ways.BothWaysTest):

    def test_reach_the_program(self):
        script = "trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done"
        for options in ([], ["--summary"]):
            process = subprocess.Popen(
                [both_ways.COMMAND, "run", *options, "--", "sh", "-c", script],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.assertEqual(b"ready\n", process.stdout.readline())
            time.sleep(0.1)
            process.terminate()
            self.assertEqual(b"caught\n", process.communicate(timeout=20)[0])
            self.assertEqual(5, process.returncode)


if __name__ == "__main__":
    both_ways.main()
