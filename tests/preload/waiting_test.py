#!/usr/bin/env python3
"""The report of `sluice trace` says for how long the calls of a program waited."""
import json
import os
import pathlib
import re
import sys

import both_ways


class Waiting(both_ways.BothWaysTest):

    def expect_to_be_most_of_the_time(self, script, call):
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", "sh", "-c", script])
        [use] = [use for use in json.loads(path.read_text())["call_sites"] if use["call"] == call]
        time = use["time"]
        self.assertGreater(time["sleep_s"], time["system_s"] + time["copying_s"])

    def test_of_a_scan_for_a_pipe_is_no_work(self):
        script = f"(sleep 0.5; echo 7) | {self.subject('scan_numbers')}"
        self.expect_to_be_most_of_the_time(script, "fscanf")

    def test_of_a_print_for_a_pipe_is_no_work(self):
        # The pipe is full before the first print.
        script = (f"(head -c 65536 /dev/zero; exec {self.subject('prints')} 20000) | "
                  "(sleep 0.5; cat > /dev/null)")
        self.expect_to_be_most_of_the_time(script, "fprintf")

    def test_of_a_few_long_calls_among_many_short_ones_is_no_work(self):
        # A write waits for the reader whenever the pipe is full: after some 1,000 others.
        writer = "import os\nfor _ in range(20000): os.write(1, bytes(64))"
        reader = ("import os, time\nwhile os.read(0, 65536): time.sleep(0.03)")
        script = f"/usr/bin/python3 -c '{writer}' | /usr/bin/python3 -c '{reader}'"
        self.expect_to_be_most_of_the_time(script, "write")


class WorkAndAsynchronousCalls(both_ways.BothWaysTest):

    def report_of(self, words):
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", *words])
        return json.loads(path.read_text())

    def test_of_io_uring_are_said_to_be_missing(self):
        io_uring_enter = 426
        getpid = {"x86_64": 39}.get(os.uname().machine, 172)
        calls = "import ctypes; ctypes.CDLL(None).syscall({}, -1, 0, 0, 0, 0, 0)"
        report = self.report_of(["python3", "-c", calls.format(io_uring_enter)])
        self.assertIn("Linux AIO or io_uring", str(report["problems"]))
        report = self.report_of(["python3", "-c", calls.format(getpid)])
        self.assertEqual([], both_ways.problems_of(report))

    def test_without_room_on_the_disk_of_the_log_are_said_to_be_missing(self):
        disk = self.root / "disk"
        disk.mkdir()
        script = 'mount -t tmpfs -o size=200k none "$0" && export TMPDIR="$0" && exec "$@"'
        words = ["unshare", "-m", "sh", "-c", script, disk]
        if self.execute([*words, "true"]).returncode != 0:
            self.skipTest("only root can mount a small disk")
        # A page of the log has the first 0.9 seconds, and there is no room for another one.
        fills = ("import os, time; end = time.monotonic() + 1.2; "
                 "fill = os.open(os.environ['TMPDIR'] + '/fill', os.O_WRONLY | os.O_CREAT); "
                 "null = os.open('/dev/null', os.O_WRONLY)\n"
                 "try:\n while True: os.write(fill, bytes(4096))\n"
                 "except OSError: pass\n"
                 "while time.monotonic() < end: os.write(null, b'x')")
        path = self.root / "report"
        self.execute([*words, both_ways.COMMAND, "trace", "--json", path, "--", "python3", "-c",
                      fills])
        self.assertIn("are not in the timeline", str(json.loads(path.read_text())["problems"]))

    def test_have_the_work_before_a_file_is_closed(self):
        # It is the work on what was read. The program tells how much work it did, because a slow
        # start of Python is no work before a call of fclose.
        reads = ("import ctypes, os, time\n"
                 "c = ctypes.CDLL(None); c.fopen.restype = ctypes.c_void_p\n"
                 "open('small', 'w').write('x'); work_s = 0\n"
                 "for i in range(300):\n  file = ctypes.c_void_p(c.fopen(b'small', b'r'))\n"
                 "  c.fgetc(file); start = time.process_time(); sum(range(40000))\n"
                 "  work_s += time.process_time() - start; c.fclose(file)\n"
                 "os.write(2, b'%.6f' % work_s)")
        path = self.root / "report"
        words = ["python3", "-c", reads]
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--", *words])
        work_s = sum(use["work_before_s"] for use in json.loads(path.read_text())["call_sites"]
                     if use["call"] == "fclose")
        self.assertGreater(work_s, float(re.match(rb"[0-9.]+", result.stderr)[0]) / 2)

    def test_have_the_work_before_each_call(self):
        # The shell flushes its output, which is empty, after each command. A piece of a line stays
        # in the buffer.
        pieces = ("import ctypes; c = ctypes.CDLL(None); c.fopen.restype = ctypes.c_void_p\n"
                  "file = ctypes.c_void_p(c.fopen(b'file', b'w')); c.setvbuf(file, None, 1, 4096)\n"
                  "for i in range(3000):\n  sum(range(6000)); c.fputs(b'x', file)\n"
                  "c.fputs(b'\\n', file)")
        for words in (["python3", "-c", "i = 0\nwhile i < 3000000: i += 1\n"
                       "open('file', 'w').write('x')"],
                      ["bash", "-c", "for ((i = 0; i < 100000; ++i)); do :; done; echo x > file"],
                      ["python3", "-c", pieces]):
            with self.subTest(words=words):
                report = self.report_of(words)
                work_s = sum(use["work_before_s"] for use in report["call_sites"]
                             if use["file"].endswith("/file"))
                process_s = sum(process["user_s"] for process in report["processes"])
                self.assertGreater(work_s, process_s / 3)

    def test_do_not_have_the_time_in_which_the_hook_reads_a_mapped_file(self):
        # The file has no page in memory. Reading its holes takes the time of the hook.
        words = [sys.executable, "-c", "import mmap, os, time\n"
                 "file = os.open('file', os.O_RDWR | os.O_CREAT)\n"
                 "os.truncate(file, 1 << 28)\n"
                 "start = time.perf_counter()\n"
                 "mapped = mmap.mmap(file, 0, prot=mmap.PROT_READ)\n"
                 "os.write(2, b'%.6f' % (time.perf_counter() - start))\n"]
        path = self.root / "report"
        shares = []
        for _ in range(3):  # the kernel may let another program run meanwhile
            result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--", *words])
            [write] = [use for use in json.loads(path.read_text())["call_sites"]
                       if use["call"] == "write" and use["calls"] == 1]
            shares.append(write["work_before_s"] / float(re.match(rb"[0-9.]+", result.stderr)[0]))
        self.assertLess(min(shares), 0.3)


class CountsThatJump(both_ways.BothWaysTest):
    """The processor's count of time jumps when a virtual machine is suspended or moved."""

    def report_of(self, when, jumps):
        program = pathlib.Path(self.subject("jumping_count"))
        if not program.exists():
            self.skipTest("only a program for x86-64 can see a count that jumps")
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--", program, when,
                               "file", jumps])
        if result.returncode == 77:
            self.skipTest("the kernel lets no process see another count")
        self.assertEqual(0, result.returncode, result.stderr)
        report = json.loads(path.read_text())
        problems = [problem for problem in both_ways.problems_of(report)
                    if not problem.startswith("A process waited for about")]  # it sleeps
        self.assertEqual([], problems)
        return report

    def seconds_of(self, report, call):
        return sum(sum(use["time"].values()) for use in report["call_sites"]
                   if use["call"] == call)

    def test_make_no_call_longer_than_the_clock_says(self):
        report = self.report_of("often", 5)
        [process] = report["processes"]
        all_s = sum(sum(use["time"].values()) for use in report["call_sites"])
        self.assertLess(0, all_s)
        self.assertLess(all_s, process["wall_s"])

    def test_before_the_first_call_make_no_later_call_shorter(self):
        report = self.report_of("before", 1)
        self.assertGreater(self.seconds_of(report, "write"), 0.0002)

    def test_in_calls_leave_the_time_of_these_calls_as_it_was(self):
        report = self.report_of("inside", 3)
        self.assertGreater(self.seconds_of(report, "read"), 0.055)
        pauses_s = 0.1  # between other calls
        most_s = report["processes"][0]["wall_s"] - pauses_s
        self.assertLess(self.seconds_of(report, "read"), most_s)

    def test_after_the_last_call_make_no_call_shorter(self):
        report = self.report_of("after", 1)
        self.assertGreater(self.seconds_of(report, "fwrite"), 0.0001)


if __name__ == "__main__":
    both_ways.main()
