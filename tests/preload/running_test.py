#!/usr/bin/env python3
"""`sluice trace` of programs that do not end: --for, and reports while the program runs. Signals to
the command while it waits."""
import json
import os
import re
import select
import signal
import subprocess

import both_ways

# Tells where the logs are, keeps its own log open, and then does what each line of its input says.
SCRIPT = ('for log in "$TMPDIR"/sluice-logs-*/$$.*.log; do exec 5<"$log"; echo "${log%/*}"; done; '
          'while read -r line; do eval "$line"; done; echo end')
REPORT = (r"sluice trace: sh: \d+\.\d{3} s; I/O time: [^\n]*\n(  \d+ processes; [^\n]*\n)?"
          r"  1 process still runs\. This report lacks its later work, its processor time and its "
          r"waits for pages of mapped files\. A process counts its processor time and these waits "
          r"when it ends\n"
          r"  No noticeable time could be saved in the work that was seen\.\n")
ENOUGH_FOR_A_START_S = "3"


class RunningTest(both_ways.BothWaysTest):

    def setUp(self):
        super().setUp()
        self.temporary = self.root / "temporary"
        self.temporary.mkdir()
        self.read, self.write = os.pipe()
        self.addCleanup(os.close, self.read)

    def start(self, *options, script=SCRIPT):
        """Starts the program; it can also write to the descriptor `self.write`."""
        process = subprocess.Popen(  # pylint: disable=consider-using-with
            [both_ways.COMMAND, "trace", *map(str, options), "--", "sh", "-c", script],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=self.folder, pass_fds=[self.write],
            env={**os.environ, "TMPDIR": str(self.temporary)})
        os.close(self.write)
        self.addCleanup(process.wait, both_ways.TIMEOUT_S)
        for stream in (process.stdin, process.stdout, process.stderr):
            self.addCleanup(stream.close)
        return process

    def tell(self, process, line):
        """The program's answer, which ends with a line that says so."""
        process.stdin.write(f"{line}; echo done\n".encode())
        process.stdin.flush()
        answer = b""
        while (part := process.stdout.readline()) != b"done\n":
            self.assertNotEqual(b"", part, "the program has ended")
            answer += part
        return answer.decode()

    def expect_end(self, process):
        """Ends the program's input, at which the program comes to its end. Returns what was left on
        standard error."""
        process.stdin.close()
        self.assertEqual(b"end\n", process.stdout.read())
        return process.stderr.read().decode()

    def next_json(self):
        """The next report on the pipe."""
        text = b""
        while part := os.read(self.read, 1 << 20):
            text += part
            try:
                return json.loads(text)
            except ValueError:
                pass
        self.fail(f"the report is not complete: {text[-200:]}")


class AProgramThatIsLeftRunning(RunningTest):

    def test_goes_on_and_is_recorded_no_more(self):
        report, page = self.root / "report", self.root / "page"
        process = self.start("--for", ENOUGH_FOR_A_START_S, "--json", report, "--html", page,
                             "--sizes", self.root / "sizes")
        folder = process.stdout.readline().decode().rstrip()
        self.assertEqual(0, process.wait(both_ways.TIMEOUT_S))
        self.assertEqual([], list(self.temporary.iterdir()))
        told = json.loads(report.read_text())
        self.assertEqual((None, None), (told["exit_code"], told["signal"]))
        self.assertEqual(["write"], [site["call"] for site in told["call_sites"]
                                     if site["file"].startswith("pipe:") and site["bytes"] > 1])
        self.assertIn("sluice trace", page.read_text())

        # Whatever takes the name of the folder gets no logs.
        self.assertTrue(folder.startswith(f"{self.temporary}/sluice-logs-"), folder)
        os.mkdir(folder)
        environment = self.tell(process, "env; (env); sh -c 'env; (env)'")
        self.assertNotRegex(environment, "SLUICE|LD_PRELOAD")
        self.assertEqual(4, len(re.findall("(?m)^TMPDIR=", environment)))
        self.assertEqual([], os.listdir(folder))

        before = self.tell(process, "cksum < /proc/$$/fd/5")
        self.tell(process, "echo one; echo two > file; read -r line < file; (echo three)")
        self.assertEqual(before, self.tell(process, "cksum < /proc/$$/fd/5"))
        self.assertRegex(self.expect_end(process), rf"\A{REPORT}\Z")

        ended = self.root / "ended"
        self.execute([both_ways.COMMAND, "trace", "--json", ended, "--", "sh", "-c", ":"])
        result = self.execute([both_ways.COMMAND, "trace", "--compare", report, ended])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn(f"still running in {report}, exit code 0 in {ended}".encode(), result.stderr)

    def test_goes_on_if_the_command_is_killed(self):
        process = self.start("--for", "1000")
        process.stdout.readline()
        process.kill()
        process.wait(both_ways.TIMEOUT_S)
        self.assertEqual("one\n", self.tell(process, "echo one; (echo two > /dev/null)"))
        self.assertEqual("", self.expect_end(process))

    def test_may_have_no_log(self):
        """After so short a time it has hardly begun."""
        process = self.start("--for", "0.000001", script="cat; echo end")
        self.assertEqual(0, process.wait(both_ways.TIMEOUT_S))
        self.assertIn("sluice trace: sh: 0.", self.expect_end(process))


class AProgramThatEndsBefore(RunningTest):

    def test_ends_as_without_the_limit(self):
        for script, code in (("exit 7", 7), ("exit 0", 0), ("kill -TERM $$", -signal.SIGTERM)):
            report = self.root / "report"
            result = self.execute([both_ways.COMMAND, "trace", "--for", "1000", "--json", report,
                                   "--", "sh", "-c", script])
            self.assertEqual(code, result.returncode)
            self.assertNotIn(b"still runs", result.stderr)
            told = json.loads(report.read_text())
            self.assertEqual([], both_ways.problems_of(told))
            self.assertEqual((None, -code) if code < 0 else (code, None),
                             (told["exit_code"], told["signal"]))


class AReportNow(RunningTest):

    def without_tables(self, text):
        """On a slow machine the shell waits for its input for long enough to be shown a table of
        its calls."""
        return re.sub(r"  But the I/O time.*\n\ncopying s.*\n( .*\n)+", "", text)

    def test_is_on_standard_error_and_the_program_goes_on(self):
        process = self.start(script="trap 'echo caught' USR2; " + SCRIPT)
        process.stdout.readline()
        text = ""
        for _ in range(3):
            process.send_signal(signal.SIGUSR2)
            line = ""
            while "No noticeable" not in line:
                line = process.stderr.readline().decode()
                self.assertNotEqual("", line, "the command has ended")
                text += line
            self.assertEqual("one\n", self.tell(process, "echo one"))
        text = self.without_tables(text + self.expect_end(process))
        self.assertRegex(text, rf"\A({REPORT}){{3}}")
        text = re.sub(rf"\A({REPORT}){{3}}", "", text)
        self.assertRegex(text, r"\Asluice trace: sh: ")
        self.assertNotIn("still runs", text)
        self.assertEqual(0, process.wait(both_ways.TIMEOUT_S))

    def test_is_in_the_files_if_they_were_asked_for(self):
        process = self.start("--json", f"/dev/fd/{self.write}")
        process.stdout.readline()
        self.tell(process, "exec 6> file; echo one >&6")
        process.send_signal(signal.SIGUSR2)
        first = self.next_json()
        self.tell(process, "echo two >&6")
        process.stdin.close()
        last = self.next_json()
        error = self.expect_end(process)
        calls = [sum(site["calls"] for site in report["call_sites"]
                     if site["file"].endswith("/file") and site["call"] == "write")
                 for report in (first, last)]
        self.assertEqual([1, 2], calls)
        self.assertEqual([None, 0], [report["exit_code"] for report in (first, last)])
        self.assertEqual(1, error.count("sluice trace: "), error)
        self.assertEqual(0, process.wait(both_ways.TIMEOUT_S))

    def test_that_cannot_be_written_does_not_hinder_the_program(self):
        process = self.start("--json", "/dev/full")
        process.stdout.readline()
        for _ in range(2):
            process.send_signal(signal.SIGUSR2)
            self.assertIn(b"sluice trace: write /dev/full", process.stderr.readline())
        self.assertEqual("one\n", self.tell(process, "echo one"))
        self.expect_end(process)
        self.assertEqual(1, process.wait(both_ways.TIMEOUT_S))


class Refusals(both_ways.BothWaysTest):

    def expect_refusal(self, line, *words):
        result = self.execute([both_ways.COMMAND, "trace", *words, "--", "touch", "touched"])
        self.assertEqual((2, b""), (result.returncode, result.stdout))
        self.assertRegex(result.stderr.decode(), f"\\Asluice trace: {line}\n\\Z")
        self.assertEqual({}, self.files())

    def test_of_what_is_no_time(self):
        for time in ("", "-1", "-0", "x", "1s", "1e3", "nan", "inf", "0,5"):
            with self.subTest(time=time):
                self.expect_refusal("--for: '.*' is not a number of seconds, such as 0.5 or 10",
                                    "--for", time)
        for time in ("0", "0.0"):
            self.expect_refusal("--for: nothing happens in 0 seconds", "--for", time)

    def test_of_one_file_for_two_results(self):
        self.expect_refusal(".*/one: two options name this file: give each a file of its own",
                            "--json", self.root / "one", "--html", self.root / "one")
        self.expect_refusal(r"\./one: two options name this file: give each a file of its own",
                            "--json", "one", "--stacks", "./one")


class FilesOfAReport(both_ways.BothWaysTest):

    def test_are_written_although_another_one_cannot_be(self):
        report = self.root / "report"
        for option in ("--stacks", "--sizes", "--html"):
            with self.subTest(option=option):
                result = self.execute([both_ways.COMMAND, "trace", option, "/dev/full", "--json",
                                       report, "--", "seq", 2])
                self.assertEqual(1, result.returncode)
                self.assertEqual(1, result.stderr.count(b"sluice trace: write /dev/full"))
                self.assertIn("call_sites", json.loads(report.read_text()))
                report.unlink()

    def test_are_written_although_standard_error_is_full(self):
        report = self.root / "report"
        for command, options in (("run", ["--summary"]), ("trace", [])):
            for code in (0, 7):
                with self.subTest(command=command, code=code):
                    words = [both_ways.COMMAND, command, *options, "--json", report, "--", "sh",
                             "-c", f"exit {code}"]
                    result = self.execute(["sh", "-c", 'exec "$@" 2>/dev/full', "sh", *words])
                    self.assertEqual(code or 1, result.returncode)
                    self.assertEqual(code, json.loads(report.read_text())["exit_code"])
                    report.unlink()

    def test_are_written_although_nobody_reads_standard_error(self):
        report = self.root / "report"
        for ways, code in (("2>&1 >/dev/null | true", 1), ("2>&-", 0)):
            with self.subTest(ways=ways):
                words = [both_ways.COMMAND, "trace", "--json", report, "--", "seq", 2]
                result = self.execute(["bash", "-c", f'"$@" {ways}; exit ${{PIPESTATUS[0]}}', "sh",
                                       *words])
                self.assertEqual(code, result.returncode)
                self.assertEqual(0, json.loads(report.read_text())["exit_code"])
                report.unlink()


class SignalsToTheCommand(both_ways.BothWaysTest):

    def line_of(self, process):
        """The next line of the program, which must not take long."""
        ready, _, _ = select.select([process.stdout], [], [], 20)
        if not ready:
            process.kill()
            self.fail("the program says nothing")
        return process.stdout.readline()

    def test_reach_the_program(self):
        # A trap ends the waiting at once. The child ends when its input has no writer any more.
        script = "trap 'echo caught; exit 5' {0}; exec 3<&0; cat <&3 & echo ready; wait"
        for name in ("TERM", "INT", "QUIT", "ALRM", "PROF", "IO"):
            for command in (["run"], ["run", "--summary"], ["trace"], ["trace", "--for", "1000"]):
                with self.subTest(signal=name, command=command):
                    process = subprocess.Popen(
                        [both_ways.COMMAND, *command, "--", "sh", "-c", script.format(name)],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                    self.assertEqual(b"ready\n", self.line_of(process))
                    process.send_signal(getattr(signal, f"SIG{name}"))
                    # Before its input ends, at which it ends by itself.
                    self.assertEqual(b"caught\n", self.line_of(process))
                    process.communicate(timeout=20)
                    self.assertEqual(5, process.returncode)

    def test_come_from_a_timer_that_was_set_before(self):
        script = "trap 'echo caught; exit 5' ALRM; sleep 8 > /dev/null 2>&1 & wait"
        for command in (["run"], ["run", "--summary"], ["trace"]):
            with self.subTest(command=command):
                words = ["perl", "-e", "alarm 3; exec @ARGV", both_ways.COMMAND, *command, "--",
                         "sh", "-c", script]
                result = self.execute(words)
                self.assertEqual((5, b"caught\n"), (result.returncode, result.stdout))


if __name__ == "__main__":
    both_ways.main()
