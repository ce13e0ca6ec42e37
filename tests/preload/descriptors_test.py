#!/usr/bin/env python3
"""Descriptors that stand for the file of another descriptor."""
import collections
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

import both_ways


class CopiedDescriptors(both_ways.BothWaysTest):
    traced = True

    def test_of_files_in_an_open_folder_have_their_whole_names(self):
        (self.root / "in").mkdir()
        (self.root / "in" / "file").write_bytes(b"12345")
        (self.root / "in" / "link").symlink_to("file")
        program = ("import os\nfolder = os.open('../in', os.O_RDONLY)\n"
                   "for name, way in ('file', os.O_NOFOLLOW), ('link', 0), ('../in/file', 0):\n"
                   "    os.read(os.open(name, way, dir_fd=folder), 9)")
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", sys.executable, "-c",
                      program])
        files = json.loads(path.read_text())["files"]
        [file] = [file for file in files if file["bytes"] == 15]
        self.assertEqual((str(self.root / "in" / "file"), 3), (file["name"], file["opens"]))

    def test_of_files_that_are_copied_to_have_the_size_in_the_end(self):
        source, target = self.root / "source", self.root / "target"
        source.write_text("123456789")
        script = ("import os, sys; files = [os.open(sys.argv[1], os.O_RDONLY), "
                  "os.open(sys.argv[2], os.O_WRONLY)]; ")
        path = self.root / "report"
        for call in ("os.sendfile(files[1], files[0], 0, 9)",
                     "os.copy_file_range(files[0], files[1], 9)"):
            target.write_text("12345")
            self.execute([both_ways.COMMAND, "trace", "--json", path, "--", sys.executable, "-c",
                          f"{script}{call}; os.close(files[1])", source, target])
            files = json.loads(path.read_text())["files"]
            [file] = [file for file in files if file["name"] == str(target)]
            self.assertEqual(9, file["size_bytes"])

    def test_of_another_file_have_the_place_that_uses_it(self):
        # A library makes the calls, for two functions of the program.
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--",
                      self.subject("two_callers"), "first", "second"])
        calls = {}
        for use in both_ways.report_at(path)["call_sites"]:
            if use["call"] != "write":
                continue
            functions = " ".join(frame["function"] for frame in use["stack"])
            calls[use["file"].rpartition("/")[2]] = use["calls"], functions
        self.assertEqual((100, 200), (calls["first"][0], calls["second"][0]))
        self.assertIn("write_first", calls["first"][1])
        self.assertIn("write_second", calls["second"][1])

    def test_out_of_the_fortran_library_have_the_line_that_called_it(self):
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--",
                      self.subject("two_callers_of_fortran"), "file", "file"])
        calls = {}
        for use in both_ways.report_at(path)["call_sites"]:
            for frame in use["stack"] if use["call"] == "write" else []:
                calls[frame["function"]] = use["calls"]
        self.assertEqual((100, 200), (calls.get("write_first"), calls.get("write_second")))

    def test_with_direct_access_are_said_to_be_so(self):
        file = self.root / "direct"
        file.write_bytes(bytes(1 << 24))
        reads = ("import mmap, os\nfile = os.open('../direct', os.O_RDONLY | os.O_DIRECT)\n"
                 "memory = mmap.mmap(-1, 4096)\nwhile os.readv(file, [memory]) == 4096: pass\n")
        try:
            os.close(os.open(file, os.O_RDONLY | os.O_DIRECT))
        except OSError:
            self.skipTest("this file system has no direct access")
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", sys.executable, "-c",
                      reads])
        self.assertIn("O_DIRECT", str(json.loads(path.read_text())["advice"]))

    def test_are_of_the_right_file(self):
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--",
                      self.subject("copied_descriptors"), "file", 100])
        calls = {}
        for use in json.loads(path.read_text())["call_sites"]:
            key = use["call"], use["file"].rpartition("/")[2]
            calls[key] = calls.get(key, 0) + use["calls"]
        self.assertEqual([300, 700, 200, 1100, 0, 0, 0, 100],
                         [calls.get((call, name), 0) for name in ("file", "other")
                          for call in ("dup", "fcntl", "flock", "write")])

    def test_give_the_same_results(self):
        self.expect_same_in_each([self.subject("copied_descriptors"), "file", 50],
                                 [(), ("--coalesce",), ("--coalesce", "--unlocked")])


class CallsOfSeveralPieces(both_ways.BothWaysTest):

    def test_have_names_of_their_own(self):
        program = ("import os; file = os.open('file', os.O_RDWR | os.O_CREAT); "
                   "room = bytearray(3); "
                   "os.writev(file, [b'abc']); os.pwritev(file, [b'def'], 3)\n"
                   "os.lseek(file, 0, 0); os.readv(file, [room]); os.preadv(file, [room], 3)")
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", sys.executable, "-c",
                      program])
        calls = {use["call"]: (use["calls"], use["bytes"], use["system_bytes"])
                 for use in json.loads(path.read_text())["call_sites"]
                 if use["file"].endswith("/file")}
        for call in ("writev", "pwritev", "readv", "preadv"):
            self.assertEqual((1, 3, 3), calls.get(call), calls)
        self.assertNotIn("read", calls)
        self.assertNotIn("pwrite", calls)


class MappedFiles(both_ways.BothWaysTest):

    def test_that_were_in_memory_are_looked_at_now_and_then(self):
        if shutil.which("strace") is None:
            self.skipTest("no strace on this machine")
        (self.root / "data").write_bytes(b"x" * 5_000_000)
        calls = self.root / "calls"
        program = (f"import mmap, os\nfile = os.open('{self.root}/data', os.O_RDONLY)\n"
                   "for i in range(1000): mmap.mmap(file, 0, prot=mmap.PROT_READ).close()")
        self.execute([both_ways.COMMAND, "trace", "--", "strace", "-e", "trace=mincore", "-o",
                      calls, sys.executable, "-c", program])
        looked = calls.read_text().count("mincore(")
        stretches = -(-5_000_000 // (256 * 4096))  # with a call for each
        self.assertGreaterEqual(looked, 60 * stretches)
        self.assertLess(looked, 90 * stretches)


class PathOfTheProgram(both_ways.BothWaysTest):

    def module_of_writes(self, *command):
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", *command])
        return {use["stack"][0]["module"] for use in both_ways.report_at(path)["call_sites"]
                if use["call"] == "write" and use["file"].endswith("/out")}

    def tool(self, folder):
        (self.root / folder).mkdir()
        return self.root / folder / "tool"

    def test_is_that_to_which_a_link_leads(self):
        link = self.tool("links")
        link.symlink_to("/bin/sh")
        shell = os.path.realpath("/bin/sh")
        write = "echo line > out"
        self.assertEqual({shell}, self.module_of_writes(link, "-c", write))
        self.assertEqual({shell}, self.module_of_writes("links/tool", "-c", write))

    def test_is_not_that_of_a_script_with_the_name_of_its_interpreter(self):
        link = self.tool("links")
        link.symlink_to("/bin/sh")
        script = self.tool("scripts")
        for option in ("", " -e"):
            script.write_text(f"#!{link}{option}\necho line > out\n")
            script.chmod(0o755)
            self.assertEqual({os.path.realpath("/bin/sh")}, self.module_of_writes(script))


class DescriptorsOfTheObject(both_ways.BothWaysTest):

    def opened_for_children(self, command):
        """The calls that open a file, and leave the descriptor to programs of the process."""
        calls = self.root / "calls"
        self.execute([*command, "strace", "-f", "-e", "trace=openat", "-e", "signal=none", "-o",
                      calls, "sh", "-c", "kill -WINCH $$; exec true"])
        return {line.partition("(")[2] for line in calls.read_text().splitlines()
                if "openat(" in line and "O_CLOEXEC" not in line}

    def test_are_closed_in_other_programs(self):
        if shutil.which("strace") is None:
            self.skipTest("no strace on this machine")
        plain = self.opened_for_children([])
        for command in ("run", "trace"):
            self.assertEqual(plain, self.opened_for_children([both_ways.COMMAND, command, "--"]))


class Signals(both_ways.BothWaysTest):

    def times_stored(self, send):
        """How often the recorder asks for its times: meanwhile and at the end."""
        if shutil.which("strace") is None:
            self.skipTest("no strace on this machine")
        calls = self.root / "calls"
        program = f"import os, signal; me = os.getpid()\nfor i in range(100): {send}"
        self.execute([both_ways.COMMAND, "trace", "--", "strace", "-e", "trace=getrusage", "-o",
                      calls, sys.executable, "-c", program])
        return calls.read_text().count("getrusage(")

    def test_that_cannot_end_the_program_cost_next_to_nothing(self):
        for send in ("os.kill(me, 0)", "os.kill(os.getppid(), signal.SIGCONT)",
                     "signal.signal(10, lambda *_: 0); signal.raise_signal(10)"):
            self.assertEqual(1, self.times_stored(send), send)

    def test_that_may_end_the_program_store_its_times(self):
        self.assertEqual(101, self.times_stored("os.kill(me, signal.SIGCONT)"))


class WaitsForAProcessor(both_ways.BothWaysTest):

    # Works for so many seconds of its own.
    SPIN = "import time\nwhile time.process_time() < {}: pass\n"

    def queued_beside_another(self, program):
        """The times for which each program waited, while another one used the same processor."""
        one = [str(min(os.sched_getaffinity(0)))]
        path = self.root / "report"
        on_one = ["taskset", "-c", *one]
        other = subprocess.Popen([*on_one, sys.executable, "-c", "while True: pass"])
        try:
            self.execute([*on_one, both_ways.COMMAND, "trace", "--json", path, "--",
                          sys.executable, "-c", program])
        finally:
            other.kill()
            other.wait()
        return [process["queued_s"] for process in json.loads(path.read_text())["processes"]]

    def test_are_known(self):
        self.assertGreater(max(self.queued_beside_another(self.SPIN.format(0.1))), 0.05)

    def test_are_not_those_of_the_program_before(self):
        program = self.SPIN.format(0.1) + "import os\nos.execv('/bin/sleep', ['sleep', '0.3'])"
        queued = self.queued_beside_another(program)
        self.assertGreater(queued[0], 0.05)
        self.assertLess(queued[-1], queued[0] / 2)


class NoDescriptorIsFree(both_ways.BothWaysTest):

    def test_the_wait_for_a_processor_is_not_known(self):
        path = self.root / "report"
        program = ("import os, resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))\n"
                   "try:\n    while True: os.dup(0)\nexcept OSError:\n    pass")
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", sys.executable, "-c",
                      program])
        queued = [float(s) for s in re.findall(r'"queued_s": ([0-9.e+]+)', path.read_text())]
        self.assertTrue(queued)
        self.assertLess(max(queued), 60)


class ClosedTogether(both_ways.BothWaysTest):

    def test_are_of_the_right_file(self):
        path = self.root / "report"
        for how in ("close_range", "closefrom"):
            result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--",
                                   self.subject("streams"), how, "file"])
            self.assertEqual(0, result.returncode)
            written = collections.Counter()
            for use in json.loads(path.read_text())["call_sites"]:
                if use["call"] == "write":
                    written[pathlib.Path(use["file"]).name] += use["bytes"]
            self.assertEqual((12, 4), (written["file"], written["other"]), how)


class OpenedAgain(both_ways.BothWaysTest):

    def test_is_the_file_of_its_present_name(self):
        script = """echo one > f; echo two >> f; mv f g; echo three >> g; echo four > f
            ln -s f link; echo five >> link; ln -sf g link; echo six >> link"""
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", "dash", "-c", script])
        files = json.loads(path.read_text())["files"]
        opens = {pathlib.Path(file["name"]).name: file["opens"] for file in files}
        self.assertEqual((4, 2), (opens["f"], opens["g"]))


class StreamsInTheSameMemory(both_ways.BothWaysTest):

    def expect_calls_of_each(self, subject, times):
        names = []
        for number in range(4):
            names.append(self.root / str(number))
            names[-1].write_bytes(b"1234")
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--",
                               self.subject(subject), *names])
        self.assertEqual(0, result.returncode, result.stderr)
        calls = {(use["call"], use["file"]): use["calls"]
                 for use in json.loads(path.read_text())["call_sites"]}
        for call, count in times.items():
            self.assertEqual([count] * 4, [calls.get((call, str(name)), 0) for name in names], call)

    def test_count_for_their_own_files(self):
        self.expect_calls_of_each("reused_memory",
                                  {"fgetc": 4, "fread": 1, "ftell": 1, "fclose": 1})

    def test_count_for_their_own_files_out_of_the_c_plus_plus_library(self):
        self.expect_calls_of_each("reopened_input", {"fgetc": 5})


class WideStreams(both_ways.BothWaysTest):
    traced = True

    def test_give_the_same_results(self):
        self.expect_same_in_each([self.subject("wide_lines"), "file", 5000],
                                 [(), ("--coalesce",), ("--coalesce", "--unlocked")])


class BytesOfStreams(both_ways.BothWaysTest):

    def counts(self, how, *calls):
        """(calls, bytes, failures) of the calls by which the program uses a stream."""
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--",
                               self.subject("streams"), how, "file"])
        self.assertEqual(0, result.returncode, result.stderr)
        uses = [use for use in json.loads(path.read_text())["call_sites"] if use["call"] in calls]
        return tuple(sum(use[what] for use in uses) for what in ("calls", "bytes", "failures"))

    def test_that_takes_none_are_failures(self):
        self.assertEqual((100, 0, 100), self.counts("wide", "fputs", "fwrite"))

    def test_that_a_line_buffered_stream_got_unseen_are_no_bytes_of_putc_unlocked(self):
        self.assertEqual((100, 100, 0), self.counts("words", "fputc"))

    def test_of_the_end_of_a_thread_are_counted(self):
        self.assertEqual((101, 101, 0), self.counts("thread-ends", "fputc"))


class AMappedStream(both_ways.BothWaysTest):
    traced = True

    def test_gives_the_same_bytes(self):
        words = [self.subject("mapped_stream"), "file"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        plain = self.expect_same_in_each(words, [()])
        self.assertIn(b"\n0 0 \n", plain.stdout)
        self.assertTrue(plain.stdout.endswith(b"aaa\n-1\n"))
        # A search to the end of the file for each piece would take longer.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 5)


class CountedCalls(both_ways.BothWaysTest):
    """Calls of which the log has only the number, and the size of a file before it was cut."""

    def test_are_connections_threads_and_waits_at_barriers(self):
        script = ("import ctypes, os, socket, threading\n"
                  "server = socket.create_server(('127.0.0.1', 0))\n"
                  "for _ in range(3): socket.create_connection(server.getsockname()).close()\n"
                  "address = server.getsockname()\n"
                  "server.close()\n"
                  "refused = socket.socket().connect_ex(address)\n"
                  "for _ in range(2): threading.Thread(target=int).start()\n"
                  "c = ctypes.CDLL(None)\n"
                  "barrier = ctypes.create_string_buffer(64)\n"
                  "c.pthread_barrier_init(barrier, None, 1)\n"
                  "for _ in range(5): c.pthread_barrier_wait(barrier)\n"
                  "file = os.open('cut', os.O_RDWR | os.O_CREAT)\n"
                  "os.write(file, bytes(5000))\n"
                  "os.ftruncate(file, 100)\n")
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--", sys.executable,
                               "-c", script])
        self.assertEqual(0, result.returncode, result.stderr)
        report = json.loads(path.read_text())
        process = report["processes"][0]
        self.assertEqual([3, 2, 5], [process[what] for what in (
            "connections", "started_threads", "barrier_waits")])
        self.assertEqual([5000], [file["size_bytes"] for file in report["files"]
                                  if file["name"].endswith("/cut")])


class AFlushOfAllStreams(both_ways.BothWaysTest):
    traced = True

    def test_leaves_their_positions_known(self):
        plain = self.expect_same_in_each([self.subject("flushes_all"), "file"],
                                         [(), ("--coalesce",)])
        self.assertEqual(b"a line\n107\n", plain.stdout)

    def test_fails_as_glibc_does(self):
        plain = self.expect_same_in_each([self.subject("flushes_all"), "-"],
                                         [(), ("--coalesce",)])
        self.assertEqual(b"-1 Broken pipe\n", plain.stdout)


class ShortProcesses(both_ways.BothWaysTest):

    FILES = ["cat", "/etc/passwd", "/etc/group", "/dev/null"]

    def faults(self, words, *variables):
        script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt)")
        words = ["env", *variables, "LC_ALL=C", *words]
        return min(int(self.execute([sys.executable, "-c", script, *words]).stdout.split()[-1])
                   for _ in range(3))

    def faults_of_trace(self, words):
        logs = self.root / "logs"
        logs.mkdir()
        library = (pathlib.Path(both_ways.COMMAND).parent.parent / both_ways.parts_folder()
                   / "libsluice_trace.so")
        plain = self.faults(words)
        traced = self.faults(words, f"SLUICE_PRELOAD_OPTIONS=logs={logs}", f"LD_PRELOAD={library}")
        self.assertEqual(3, len(list(logs.glob("*.log"))))
        return traced - plain

    def test_touch_few_pages_of_memory(self):
        # A process that lasts a millisecond spends much of it on pages that it touches first.
        self.assertLess(self.faults_of_trace(self.FILES), 50)

    def test_touch_few_pages_for_their_names(self):
        names = " || ".join(f"[ -e /none/{i} ]" for i in range(50))
        self.assertLess(self.faults_of_trace(["dash", "-c", f"{names}; exit 0"]), 60)


if __name__ == "__main__":
    both_ways.main()
