#!/usr/bin/env python3
"""Rare events that the objects and the command must get right as well."""
import collections
import json
import os
import pathlib
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import unittest

import both_ways


def c_library_version():
    return tuple(int(part) for part in os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."))


class EdgesTest(both_ways.BothWaysTest):

    def report_of(self, command, words, *options, **how):
        path = self.root / "report"
        path.unlink(missing_ok=True)
        result = self.execute([both_ways.COMMAND, command, *options, "--json", path, "--", *words],
                              **how)
        return both_ways.report_at(path), result

    def bytes_written(self, report, name):
        writes = ("write", "fputs", "fwrite")
        return sum(use["bytes"] for use in report["call_sites"]
                   if use["call"] in writes and pathlib.Path(use["file"]).name == name)


class FunctionsThatTheCLibraryLacks(EdgesTest):

    def test_are_found_in_a_library_that_only_another_library_sees(self):
        plain = self.expect_same_in_each(
            [self.subject("loads_later"), self.subject("requests.so"), "here", 3],
            [(), ("--coalesce",)])
        self.assertEqual(b"here: 4\n", plain.stdout)

    def test_are_found_again_when_their_library_is_loaded_elsewhere(self):
        words = [self.subject("loads_again"), self.subject("requests.so")]
        plain = self.expect_same_in_each(words, [(), ("--coalesce",)])
        self.assertEqual(b"here: 4\nhere: 5\n", plain.stdout)

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


class StreamsThatAreReopenedWithoutAName(EdgesTest):
    traced = True

    def test_may_fail(self):
        self.root.chmod(0o755)
        path = self.root / "read_only"
        path.write_bytes(b"bytes")
        path.chmod(0o444)
        words = [self.subject("reopened_read_only"), path]
        plain = self.expect_same_in_each(words, [(), ("--coalesce",)])
        self.assertEqual(b"0 Permission denied\n", plain.stdout)


class ScansThatFail(EdgesTest):

    def test_count_the_time_that_they_waited(self):
        report, result = self.report_of("trace", [self.subject("scan_times_out")])
        self.assertEqual(0, result.returncode, result.stderr)
        [scan] = [use for use in report["call_sites"] if use["call"] == "fscanf"]
        self.assertGreater(scan["time"]["sleep_s"], 0.9)


class LargePages(EdgesTest):
    """The kernels of some machines have pages of 64 KiB. There any loader aligns an object to them;
    here, where pages are smaller, the loader has to follow the object's own alignment."""

    def test_hold_the_counters(self):
        if c_library_version() < (2, 35):
            self.skipTest("the loader aligns an object to more than a page since glibc 2.35")
        words = [self.subject("one_byte_on_large_pages"), "file", 10_000]
        for options in ((), ("--coalesce",)):
            report, result = self.report_of("run", words, *options)
            self.assertEqual((0, b""), (result.returncode, result.stderr))
            [process] = report["processes"]
            self.assertEqual(10_000, process["answered_writes"] + process["passed_on_writes"])


class CommandsOfTheShell(EdgesTest):
    """Since glibc 2.38 the words are "sh -c -- COMMAND", before "sh -c COMMAND"."""
    traced = True
    SHOW_WORDS = "tr '\\0' '\\n' < /proc/$$/cmdline"

    def test_have_the_words_that_the_c_library_gives_them(self):
        plain = self.expect_same_in_each(
            [self.subject("runs_commands"), self.SHOW_WORDS, "-c exit 5", "--version", "exit 7"],
            [(), ("--coalesce",)])
        self.assertEqual(2, plain.stdout.count(b"/cmdline\n"), plain.stdout)

    def test_may_begin_with_a_dash_where_the_c_library_is_new(self):
        words = [self.subject("runs_commands_newer"), self.SHOW_WORDS]
        for command in ("run", "trace"):
            result = self.execute([both_ways.COMMAND, command, "--", *words])
            self.assertTrue(result.stdout.startswith(b"sh\n-c\n--\ntr "), result.stdout)


class LibrariesInCpp(EdgesTest):

    def test_that_are_loaded_later_have_a_call_site_for_each_line(self):
        library = self.subject("flushes_lines.so")
        report, _ = self.report_of("trace", [self.subject("loads_later"), library, "file", 4_000])
        calls = collections.Counter()
        for use in report["call_sites"]:
            if use["call"] in ("write", "writev"):
                calls[pathlib.Path(use["stack"][0]["source"]).name] += use["calls"]
        source = pathlib.Path(__file__).parent / "subjects" / "flushes_lines.cc"
        lines = [f"{source.name}:{number}"
                 for number, line in enumerate(source.read_text().splitlines(), 1)
                 if "// place" in line]
        self.assertEqual({lines[0]: 1_000, lines[1]: 3_000}, dict(calls))


class StandardInputInStep(EdgesTest):
    """libstdc++ takes each byte by getc, and mostly puts it back."""

    RECORDS = 200_000

    def numbers(self):
        path = self.root / "numbers"
        path.write_text("1 22 333 4444\n" * self.RECORDS)
        return path

    def worked_s(self, words, path):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(path, "rb") as numbers:
            result = self.execute(words, stdin=numbers)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(b"960000000\n", result.stdout, result.stderr)
        return after.ru_utime - before.ru_utime

    def test_needs_no_walk_of_the_stack_for_each_byte(self):
        """With walks it took 9 times as long; without, a little more than twice. The margin is for
        busy machines."""
        most = 4
        path = self.numbers()
        for how in ((), ("pairs",)):
            words = [self.subject("numbers_in_step"), *how]
            ratios = []
            while min(ratios, default=most) >= most:
                plain_s = self.worked_s(words, path)
                traced_s = self.worked_s([both_ways.COMMAND, "trace", "--", *words], path)
                ratios.append(traced_s / plain_s)
                self.assertLess(len(ratios), 6, f"{how}: it took {ratios} times as long")

    def uses(self, call):
        with open(self.numbers(), "rb") as numbers:
            report, _ = self.report_of("trace", [self.subject("numbers_in_step")], stdin=numbers)
        return [use for use in report["call_sites"]
                if use["call"] == call and use["stack"][0]["function"] == "main"]

    def test_has_a_call_site_for_each_line(self):
        calls = {use["stack"][0]["source"]: use["calls"] for use in self.uses("fgetc")}
        self.assertEqual(4, len(calls), calls)
        counts = [calls[source] for source in sorted(calls)]
        of_a_digit = counts[1] - counts[0]
        self.assertGreater(of_a_digit, self.RECORDS)
        for first, second in zip(counts, counts[1:]):
            self.assertAlmostEqual(of_a_digit, second - first, delta=8)

    def test_flushes_nothing_before_each_number(self):
        flushes = self.uses("fflush")
        self.assertEqual(4 * self.RECORDS + 1, sum(use["calls"] for use in flushes))
        self.assertEqual(4 * self.RECORDS + 1, sum(use["copies"] for use in flushes))


class FunctionsBehindTheHooks(EdgesTest):
    traced = True

    def test_are_found_without_a_change_of_the_loaders_error(self):
        plain = self.expect_same_in_each([self.subject("loader_errors")], [(), ("--coalesce",)])
        self.assertEqual(b"after close: 1\nafter rename: 1\n", plain.stdout)


class FunctionsOfTheProgramsOwn(EdgesTest):
    traced = True

    def test_may_call_others_of_the_c_library(self):
        for how in ("execl", "execv", "execvp"):
            plain = self.expect_same_in_each([self.subject("own_functions"), how],
                                             [(), ("--coalesce",)])
            self.assertEqual((0, b"1\nstarted\n"), (plain.returncode, plain.stdout))


class LibrariesOfTheObject(EdgesTest):

    def test_are_those_of_the_program(self):
        def libraries(result):
            names = {line.split()[-1] for line in result.stdout.decode().splitlines()}
            return {pathlib.Path(name).name for name in names if ".so" in name}
        words = ["sh", "-c", 'while read -r line; do echo "$line"; done < /proc/self/maps']
        _, traced = self.report_of("trace", words)
        self.assertEqual({"libsluice_trace.so"},
                         libraries(traced) - libraries(self.execute(words)))


class TheErrorNumber(EdgesTest):

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can run this test")
    def test_is_not_changed_by_the_log_of_a_child(self):
        # The child finds no /proc.
        script = ("import ctypes, os\n"
                  "library = ctypes.CDLL(None, use_errno=True)\n"
                  "print(library.mount(b'none', b'/proc', b'tmpfs', 0, None), flush=True)\n"
                  "ctypes.set_errno(0)\n"
                  "if library.fork() == 0:\n"
                  "  print(ctypes.get_errno(), flush=True)\n"
                  "  os._exit(0)\n"
                  "os.wait()\n")
        result = self.execute([both_ways.COMMAND, "trace", "--", "unshare", "--mount",
                               sys.executable, "-c", script])
        self.assertEqual(b"0\n0\n", result.stdout, result.stderr)


class ALibraryThatStartsFirst(EdgesTest):

    def test_has_installed_a_handler(self):
        report, result = self.report_of(
            "run", [self.subject("lines_handling_early"), "file", 100], "--coalesce")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(0, report["total"]["coalesced_writes"])
        self.assertEqual({"handler": 1}, report["total"]["ends_of_coalescing"])


class ChildrenOfVfork(EdgesTest):

    def test_leave_the_descriptors_of_the_parent(self):
        for how in ("writes", "prints"):
            report, result = self.report_of("trace", [self.subject("vforks"), how])
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertEqual(len("before\nafter\n"), self.bytes_written(report, "parents"), how)

    def test_leave_no_bytes_to_the_parent(self):
        for how in ("writes", "crashes"):
            self.expect_same([self.subject("vforks"), how], "--coalesce")


class ChildrenOfVforkByItsNumber(EdgesTest):
    traced = True

    def test_work_on_the_stack_of_the_parent(self):
        for how in ("clone", "clone3", "vfork", "bad", "null"):
            words = [self.subject("clones_by_number"), how]
            self.expect_same_in_each(words, [(), ("--coalesce",)])
            report, _ = self.report_of("trace", words)
            self.assertEqual(len("from the parent\n"), self.bytes_written(report, "lines"))
            self.assertEqual(1, len(report["processes"]))


class ChildrenThatNoHandlerOfForkSees(EdgesTest):

    def test_count_for_themselves(self):
        path = self.root / "input"
        path.write_bytes(b"bytes\n" * 10_000)
        for way in ("fork", "clone", "clone3", "clone()", "_Fork"):
            words = [self.subject("raw_forks"), way, path]
            report, _ = self.report_of("trace", words)
            self.assertEqual([], both_ways.problems_of(report), way)
            self.assertEqual([True] * 2, [process["ended"] for process in report["processes"]])
            self.assertEqual({500, 1000}, {use["calls"] for use in report["call_sites"]
                                           if use["call"] == "write"})
            report, _ = self.report_of("run", words)
            self.assertEqual([3, 1], [process["passed_on_seeks"] + process["answered_seeks"]
                                      for process in report["processes"]], way)


class ProcessesOfAnotherNamespace(EdgesTest):

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can run this test")
    def test_are_not_taken_for_processes_that_run(self):
        report, result = self.report_of("trace", ["unshare", "--pid", "--fork", "cat", "/dev/null"])
        if b"unshare failed" in result.stderr:
            self.skipTest("the kernel lets nobody make a namespace")
        self.assertIn(1, [process["process"] for process in report["processes"]])
        self.assertEqual([], both_ways.problems_of(report))


class Symbols(EdgesTest):

    def test_come_from_this_machine_alone(self):
        """No server of debug information is asked."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            environment = {**os.environ, "DEBUGINFOD_TIMEOUT": "1",
                           "DEBUGINFOD_URLS": f"http://127.0.0.1:{server.getsockname()[1]}",
                           "DEBUGINFOD_CACHE_PATH": str(self.root / "cache")}
            report, _ = self.report_of("trace", ["cat", "/dev/null"], env=environment)
            self.assertNotEqual([], report["call_sites"])
            self.assertRaises(BlockingIOError, server.accept)


class InlinedReads(EdgesTest):

    def test_between_seeks_have_each_byte(self):
        times, size = 300, 40_000
        source = self.root / "source"
        source.write_bytes(bytes(size))
        report, _ = self.report_of("trace", [self.subject("small_calls"), "seeks", source, times])
        [get] = [use for use in report["call_sites"] if use["call"] == "fgetc"]
        last = times - 1
        rest = size - (last % 3 * 8192 + last % 2 * 1000 + 7)
        self.assertEqual(3 * times + rest, get["bytes"])


class Forks(EdgesTest):
    traced = True

    def test_need_nothing_of_the_loader(self):
        self.expect_same([self.subject("forks_in_loader")])


class FilesClosedByOneCall(EdgesTest):

    def test_are_forgotten(self):
        for how in ("close_range", "closefrom"):
            with self.subTest(how=how):
                words = [self.subject("closed_together"), how, 100]
                report, result = self.report_of("run", words, "--coalesce")
                self.assertEqual(0, result.returncode, result.stderr)
                self.assertEqual(100, report["total"]["coalesced_writes"])

    def test_are_known_if_they_stay_open(self):
        for how in ("dup2", "close_on_exec"):
            with self.subTest(how=how):
                report, result = self.report_of(
                    "trace", [self.subject("closed_together"), how, 100_000])
                self.assertEqual(0, result.returncode, result.stderr)
                # Nobody else has the file, as far as the trace knows.
                self.assertEqual(["run --coalesce"], [each["by"] for each in report["advice"]])


class ManyFiles(EdgesTest):
    FILES = 9_000  # more than a log has room for

    def test_have_one_name_if_they_are_too_many(self):
        script = ("import os\n"
                  f"for i in range({self.FILES}):\n"
                  "  file = os.open(f'file{i}', os.O_WRONLY | os.O_CREAT)\n"
                  "  os.closerange(file, file + 1)\n")
        report, result = self.report_of("trace", [sys.executable, "-c", script])
        self.assertEqual(0, result.returncode, result.stderr)
        named = [file for file in report["files"]
                 if pathlib.Path(file["name"]).name.startswith("file")]
        self.assertGreater(len(named), 7_000)
        self.assertEqual({1}, {file["opens"] for file in named})

    def test_have_one_entry_for_a_call_that_opens_the_same_file_again(self):
        times = self.FILES  # with two calls each, more than a log has room for
        script = ("import os\n"
                  f"for i in range({times}):\n"
                  "  os.close(os.open('file', os.O_WRONLY | os.O_CREAT))\n")
        report, _ = self.report_of("trace", ["/usr/bin/python3", "-c", script])
        self.assertEqual([], both_ways.problems_of(report))
        self.assertEqual([times], [use["calls"] for use in report["call_sites"]
                                   if use["call"] == "open" and use["file"].endswith("/file")])

    def test_count_for_their_call_sites_if_they_are_too_many(self):
        script = ("import os\n"
                  f"for i in range({self.FILES}):\n"
                  "  file = os.open(f'file{i}', os.O_WRONLY | os.O_CREAT)\n"
                  "  os.write(file, b'a line')\n"
                  "  os.close(file)\n")
        report, result = self.report_of("trace", ["/usr/bin/python3", "-c", script])
        self.assertEqual(([], 0), (both_ways.problems_of(report), result.returncode),
                             result.stderr)
        calls = collections.Counter()
        for use in report["call_sites"]:
            if pathlib.Path(use["file"]).name.startswith(("file", "(other files)")):
                calls[use["call"]] += use["calls"]
        self.assertEqual(self.FILES, calls["write"])
        self.assertLessEqual(self.FILES, min(calls["open"], calls["close"]))
        self.assertNotIn("other", calls)
        # Each of them was opened once.
        self.assertEqual([], [advice for advice in report["advice"] if advice["id"] == "reopened"])

    def test_are_found_again_if_they_are_too_many(self):
        script = ("import os\n"
                  f"for i in range({self.FILES}):\n"
                  "  os.close(os.open(f'file{i}', os.O_WRONLY | os.O_CREAT))\n"
                  "  os.close(os.open('known', os.O_WRONLY | os.O_CREAT))\n")
        report, _ = self.report_of("trace", ["/usr/bin/python3", "-c", script])
        [known] = [file for file in report["files"] if file["name"].endswith("/known")]
        self.assertEqual(self.FILES, known["opens"])


    def test_take_no_bytes_from_each_other_if_they_are_too_many(self):
        report, result = self.report_of("trace",
                                        [self.subject("shared_entry"), "file", self.FILES])
        self.assertEqual(0, result.returncode, result.stderr)
        reads = sum(use["calls"] for use in report["call_sites"] if use["call"] == "fgetc")
        self.assertLess(reads, 10)  # fgetc, and the calls that fill a buffer


class ReadsOfBytesThatAreThere(EdgesTest):

    def test_are_no_system_calls(self):
        script = ("import ctypes\n"
                  "library = ctypes.CDLL(None)\n"
                  "library.fopen.restype = ctypes.c_void_p\n"
                  "file = ctypes.c_void_p(library.fopen(b'/proc/self/maps', b'r'))\n"
                  "library.ungetc(library.fgetc(file) ^ 1, file)\n"
                  "room = ctypes.create_string_buffer(8)\n"
                  "for _ in range(100): library.fread(room, 0, 1, file)\n")
        report, _ = self.report_of("trace", [sys.executable, "-c", script])
        [read] = [use for use in report["call_sites"]
                  if use["call"] == "fread" and use["file"].endswith("/maps")]
        self.assertEqual((100, 0), (read["calls"], read["system_calls"]))


class ManyStacks(EdgesTest):

    def test_have_no_false_place_if_they_are_too_many(self):
        report, result = self.report_of("trace", [self.subject("many_stacks")])
        self.assertEqual(0, result.returncode, result.stderr)
        calls = collections.Counter()
        for use in report["call_sites"]:
            if use["call"] == "write":
                calls[len(use["stack"]) > 1, "write_at_last" in str(use["stack"])] += use["calls"]
        unknown = calls[False, False]
        self.assertEqual({(True, False): 2**13 + 1 - unknown, (False, False): unknown}, calls)
        self.assertGreater(unknown, 1_000)
        self.assertRegex("\n".join(report["problems"]),
                         f"^many_stacks: the places of {unknown:,} calls are unknown")


class TheCommand(EdgesTest):

    def test_keeps_logs_in_memory_unless_tmpdir_names_a_folder(self):
        mounts = pathlib.Path("/proc/self/mounts").read_text(encoding="utf-8")
        if " /dev/shm tmpfs " not in mounts or not os.access("/dev/shm", os.W_OK):
            self.skipTest("/dev/shm is no file system in memory that this user may write to")
        if shutil.disk_usage("/dev/shm").total < 2**30:
            self.skipTest("/dev/shm has less than 1 GiB")
        own = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
        for folder, env in (("/dev/shm", own), (self.root, {**own, "TMPDIR": str(self.root)})):
            result = self.execute([both_ways.COMMAND, "trace", "--", "cat", "/proc/self/maps"],
                                  env=env)
            self.assertIn(f"{folder}/sluice-logs-".encode(), result.stdout)

    def test_finds_logs_of_a_relative_tmpdir_in_another_folder(self):
        (self.root / "logs").mkdir()
        report = self.root / "report"
        words = ["sh", "-c", "cd / && cat /dev/null; true"]
        self.execute([both_ways.COMMAND, "trace", "--json", report, "--", *words],
                     env={**os.environ, "TMPDIR": os.path.relpath(self.root / "logs", self.folder)})
        programs = {each["program"] for each in json.loads(report.read_text())["processes"]}
        self.assertEqual({"sh", "cat"}, programs)

    def test_signals_no_process_that_has_gone(self):
        how = {"env": {**os.environ, "LD_PRELOAD": self.subject("late_signal.so")}}
        for command in (["run", "--summary"], ["trace"]):
            result = self.execute([both_ways.COMMAND, *command, "--", "true"], **how)
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertNotIn(b"reaped", result.stderr)

    def test_leaves_nothing_behind_when_a_signal_ends_it_early(self):
        logs = self.root / "logs"
        logs.mkdir()
        env = {**os.environ, "TMPDIR": str(logs),
               "LD_PRELOAD": self.subject("interrupted_start.so")}
        for command in (["run", "--summary"], ["trace"]):
            for early in (signal.SIGTERM, signal.SIGUSR2, signal.SIGPIPE):
                env["EARLY_SIGNAL"] = str(int(early))
                result = self.execute([both_ways.COMMAND, *command, "--", "true"], env=env)
                self.assertEqual(-early, result.returncode)
                self.assertEqual([], list(logs.iterdir()))

    def test_ends_its_report_when_it_is_interrupted(self):
        logs = self.root / "logs"
        logs.mkdir()
        env = {**os.environ, "TMPDIR": str(logs),
               "LD_PRELOAD": self.subject("interrupted_report.so")}
        result = self.execute([both_ways.COMMAND, "trace", "--", "sh", "-c", "cat /dev/null; true"],
                              env=env)
        self.assertEqual(-signal.SIGINT, result.returncode)
        self.assertEqual(b"the first SIGINT was meant for the program\n", result.stderr)
        self.assertEqual([], list(logs.iterdir()))

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


class CallsThatWait(EdgesTest):

    def expect_to_wait(self, script, *calls):
        report, result = self.report_of("trace", ["sh", "-c", script])
        self.assertEqual(0, result.returncode, result.stderr)
        times = [use["time"] for use in report["call_sites"] if use["call"] in calls]
        asleep = sum(time["sleep_s"] for time in times)
        self.assertGreater(asleep, sum(time["system_s"] for time in times))

    def test_to_open_a_file_are_not_taken_for_work(self):
        for program in ("cat", "sed p"):  # which open it by open() and by fopen()
            with self.subTest(program=program):
                self.expect_to_wait("mkfifo fifo; (sleep 0.5; echo line > fifo) & "
                                    f"{program} fifo", "open", "fopen")

    def test_to_flush_all_streams_are_not_taken_for_work(self):
        # The pipe is full before the line.
        self.expect_to_wait(f"(head -c 65536 /dev/zero; exec {self.subject('flushes_all')}) | "
                            "(sleep 0.5; cat > /dev/null)", "fflush")


class AFullDisk(EdgesTest):

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can run this test")
    def test_leaves_children_without_a_log_and_the_report_says_so(self):
        # The first child becomes a program that cannot be covered, and that a log would count.
        script = ("import os\n"
                  "fill = open(os.environ['TMPDIR'] + '/fill', 'wb', 0)\n"
                  "try:\n"
                  "  while True: fill.write(bytes(4096))\n"
                  "except OSError: pass\n"
                  f"for words in (['{self.subject('environment_static')}'], None):\n"
                  "  if os.fork() == 0:\n"
                  "    if words: os.execv(words[0], words)\n"
                  "    os._exit(0)\n"
                  "  print(os.wait()[1])\n")
        small = self.root / "small"
        small.mkdir()
        path = self.root / "report"
        mounted = ('mount -t tmpfs -o size=1m none "$0" && TMPDIR="$0" exec "$@"')
        result = self.execute(["unshare", "--mount", "sh", "-c", mounted, small, both_ways.COMMAND,
                               "trace", "--json", path, "--", sys.executable, "-c", script])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual([b"0", b"0"], [line for line in result.stdout.splitlines()
                                        if line.isdigit()])
        problems = "\n".join(json.loads(path.read_text())["problems"])
        self.assertRegex(problems, "(?m)^3 programs left no log")
        self.assertNotIn("not a log", problems)

    def test_is_like_a_limit_of_the_size_of_files(self):
        script = ("import os, resource\n"
                  "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
                  "if os.fork() == 0: os._exit(0)\n"
                  "print(os.wait()[1])\n")
        report, result = self.report_of("trace", [sys.executable, "-c", script])
        self.assertEqual(b"0\n", result.stdout)
        self.assertRegex("\n".join(report["problems"]), "^1 program left no log")

    def test_is_like_a_limit_for_a_program_that_the_process_becomes(self):
        report, result = self.report_of("trace", ["sh", "-c", "ulimit -f 1000; exec true"])
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertRegex("\n".join(report["problems"]), "^1 program left no log")


if __name__ == "__main__":
    both_ways.main()
