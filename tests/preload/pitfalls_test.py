#!/usr/bin/env python3
"""Things that programs do and that break preloaded objects: a test for each, in each mode."""
import os
import re
import shutil
import subprocess

import both_ways

MODES = [(), ("--coalesce",)]
UNLOCKED = [(*options, "--unlocked") for options in MODES]
ALL = [*MODES, *UNLOCKED]  # for programs with one thread
NOT_COALESCING = [options for options in ALL if "--coalesce" not in options]
COALESCING = [options for options in ALL if "--coalesce" in options]
SIZES = (10, 4096, 100_000, 1_000_050)
LINES = b"".join(b"%d, a line of text to be read\n" % number for number in range(20_000))
JEMALLOC = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"


class Pitfalls(both_ways.BothWaysTest):
    traced = True

    def expect_cases(self, *cases, modes=tuple(ALL), subject="pitfalls", **how):
        for case in cases:
            result = self.expect_same_in_each([self.subject(subject), case], modes, **how)
            self.assertEqual(0, result.returncode, (case, result.stderr[-500:]))

    def expect_children(self, *ways):
        for way in ways:
            for size in SIZES:
                for by_write in ([], ["write"]):
                    words = [self.subject("children"), way, "file", size, *by_write]
                    self.assertEqual(0, self.expect_same_in_each(words, ALL).returncode)

    def expect_endings(self, ways, modes):
        for way in ways:
            for size in SIZES:
                for by_write in ([], ["write"]):
                    words = [self.subject("endings"), way, "file", size, *by_write]
                    self.assertNotEqual(0, self.expect_same_in_each(words, modes).returncode)

    def needs(self, *programs):
        for program in programs:
            if shutil.which(program) is None:
                self.skipTest(f"no {program} on this machine")

    def expect_imports(self, subject, names):
        """The subject calls the functions that it is about. Checked last, because it needs nm."""
        self.needs("nm")
        symbols = subprocess.run(["nm", "-D", self.subject(subject)], stdout=subprocess.PIPE,
                                 check=True, text=True).stdout
        self.assertEqual(set(), set(names) - set(re.findall(r"U (\w+)", symbols)))

    def test_01_a_descriptor_is_used_again_after_fclose(self):
        result = self.expect_same_in_each([self.subject("reused_descriptor")], ALL)
        self.assertEqual({b"closed: 1", b"reused: 1"}, set(result.stdout.splitlines()))

    def test_02_system_and_popen_run_no_fork_hook(self):
        self.expect_children("system", "popen", "popen w", "spawn")

    def test_03_a_vfork_child_shares_the_memory(self):
        self.expect_children("vfork")

    def test_04_some_endings_run_no_hook(self):
        self.expect_endings(("quick_exit", "abort", "kill", "raise", "assert", "_exit"), ALL)
        # A crash cannot be foreseen: the options say how much may be lost.
        self.expect_endings(("segv",), [(), ("--unlocked",)])

    def test_05_fork_duplicates_pending_bytes(self):
        self.expect_children("fork", "fork exit", "fork exec")

    def test_05_processes_start_without_fork(self):
        path = self.root / "input"
        path.write_bytes(LINES)
        for way in ("fork", "clone", "clone3", "clone()", "_Fork"):
            result = self.expect_same_in_each([self.subject("raw_forks"), way, path], ALL)
            self.assertEqual((0, LINES[10:6010]), (result.returncode, result.stdout))

    def test_06_gnulib_programs_put_bytes_inline(self):
        self.needs("sort", "sed", "tar", "cpio", "expand")
        for script in ("sort -r input > output; expand input; cut -b 1-5,9 input",
                       "sed 's/line/LINE/w marked' input > output",
                       "tar -cf - --mtime=@0 input | tar -tvf - > output; tar -cf tar input",
                       "echo input | cpio -o --reproducible > cpio 2> /dev/null; cpio -t < cpio"):
            words = ["sh", "-c", f"cat > input; touch -d @0 input; {script}"]
            self.assertEqual(0, self.expect_same_in_each(words, ALL, text=LINES).returncode)

    def test_07_fortified_programs_call_other_functions(self):
        result = self.expect_same_in_each([self.subject("fortified"), 60], ALL)
        self.assertEqual(0, result.returncode)
        self.expect_imports("fortified", [
            "__fprintf_chk", "__vfprintf_chk", "__printf_chk", "__dprintf_chk", "__fread_chk",
            "__fread_unlocked_chk", "__fgets_chk", "__fgets_unlocked_chk", "__fgetws_chk",
            "__open_2", "__openat_2", "__read_chk", "__pread_chk", "__recv_chk"])

    def test_08_large_files_have_functions_of_other_names(self):
        for subject in ("large_offsets", "large_offsets_64"):
            self.assertEqual(0, self.expect_same_in_each([self.subject(subject)], ALL).returncode)
        self.expect_imports("large_offsets_64", [
            "fopen64", "open64", "fseeko64", "ftello64", "lseek64", "pread64", "pwrite64",
            "ftruncate64", "posix_fallocate64", "mkstemp64", "freopen64", "stat64"])

    def test_09_random_reading_reads_no_more(self):
        path = self.root / "input"
        path.write_bytes(LINES)
        for how in ("fseek", "fsetpos", "rewind"):
            words = [self.subject("random_reading"), path, how]
            plain = self.execute(words)
            for options in ALL:
                with self.subTest(how=how, options=options):
                    fast = self.run_fast(words, *options)
                    self.assertEqual(plain.stdout, fast.stdout)
                    self.assertLessEqual(int(fast.stderr), int(plain.stderr))
            self.assertGreater(int(plain.stderr), 1_000_000)

    def test_10_one_file_is_used_in_two_ways(self):
        self.expect_cases("fileno_and_stream", "read_own_output", "map_own_output", "read_plus",
                          "write_plus")

    def test_11_other_calls_use_the_same_descriptor(self):
        self.expect_cases("with_lseek", "with_fstat", "with_ftruncate", "with_sendfile",
                          "with_copy_file_range", "with_fsync", "with_flock", "with_rename",
                          "with_dup", "with_dup2", "with_dup3", "with_fcntl_dup",
                          "with_dup2_to_output", "with_fcntl_append", "with_close_range",
                          "with_exec", "with_syscall")

    def on_a_full_disk(self, case, *options):
        """(exit code, output, the file) of a case whose file is on a disk of 48 KiB."""
        command = [both_ways.COMMAND, "run", *options, "--"] if options else []
        disk = self.root / "disk"
        disk.mkdir(exist_ok=True)
        script = ('mount -t tmpfs -o size=48k,mode=755 none "$0" && cd "$0" && '
                  '{ "$@"; code=$?; cat file | cksum; exit $code; }')
        return self.execute(["unshare", "-m", "sh", "-c", script, disk, *command,
                             self.subject("pitfalls"), case])

    def test_12_errors_arrive_late(self):
        limited = ["sh", "-c", "trap '' XFSZ; ulimit -f 100; exec \"$@\"", "sh",
                   self.subject("pitfalls")]
        self.expect_cases("full_device", "wrong_addresses")
        for case, modes in (("full_by_write", NOT_COALESCING), ("full_by_stdio", NOT_COALESCING),
                            ("full_by_write_and_close", ALL)):
            with self.subTest(case=case):
                plain = self.expect_same_in_each([*limited, case], modes)
                self.assertIn(b"failed", plain.stdout)
                self.assertNotIn(b"failed: 0", plain.stdout)
        for options in COALESCING:
            plain = self.execute([*limited, "full_by_write"])
            file = self.files()["file"]
            with self.subTest(options=options):
                late = self.run_fast([*limited, "full_by_write"], *options)
                self.assertEqual((plain.stdout, file), (late.stdout, self.files()["file"]))

    def test_12_errors_of_a_full_disk_arrive_late(self):
        self.needs("unshare")
        if self.execute(["unshare", "-m", "true"]).returncode != 0:
            self.skipTest("only root can mount a small disk")
        for case in ("full_by_write", "full_by_stdio", "full_by_write_and_close"):
            plain = self.on_a_full_disk(case)
            self.assertEqual(0, plain.returncode, plain.stderr)
            self.assertNotIn(b"failed: 0", plain.stdout)
            for options in ALL[1:]:
                with self.subTest(case=case, options=options):
                    fast = self.on_a_full_disk(case, *options)
                    self.assertEqual((plain.stdout, plain.stderr), (fast.stdout, fast.stderr))

    def test_13_offsets_are_shared_and_logs_appended_to(self):
        writer, child = self.subject("written_lines"), self.subject("log_and_output")
        for script in (f"({child}; {child}) > file 2>&1", f"({child} & wait; {child}) > file",
                       f"{writer} file 500 append; {writer} file 500 append",
                       f"exec >> file; {child}; echo between; {child}",
                       f"{child} >> file; {child} >> file",
                       "(head -n 3; head -c 50; sed 3q; cat) > file",
                       f"({self.subject('shared_input')} 9999 fclose; cat) > file"):
            words = ["sh", "-c", script]
            self.assertEqual(0, self.expect_same_in_each(words, ALL, text=LINES).returncode)

    def test_13_two_appending_processes_lose_nothing(self):
        writer = self.subject("written_lines")
        script = f"{writer} file 5000 append & {writer} file 5000 append; wait"
        for options in ALL:
            with self.subTest(options=options):
                plain = self.execute(["sh", "-c", script])
                lines = sorted(self.files()["file"].splitlines())
                self.assertEqual((0, 10_000), (plain.returncode, len(lines)))
                self.assertEqual(0, self.run_fast(["sh", "-c", script], *options).returncode)
                self.assertEqual(lines, sorted(self.files()["file"].splitlines()))

    def expect_preloaded(self, *libraries, **environment):
        environment = {**os.environ, "LD_PRELOAD": ":".join(map(str, libraries)), **environment}
        how = {"env": environment, "preexec_fn": both_ways.without_address_shuffling}
        maps = self.execute(["cat", "/proc/self/maps"], **how).stdout
        for library in libraries:
            self.assertIn(os.path.realpath(library).encode(), maps)
        self.expect_cases("fileno_and_stream", "with_lseek", "with_exec", modes=MODES, **how)
        words = [self.subject("stdio_sequence"), 7, 1500, "file"]
        self.expect_same_in_each(words, MODES, **how)
        self.expect_same_in_each(["sh", "-c", "sort | tee output | wc"], MODES, text=LINES, **how)

    def test_14_dlsym_calls_malloc_of_jemalloc(self):
        if not os.path.exists(JEMALLOC):
            self.skipTest("no libjemalloc.so.2 (Debian package libjemalloc2)")
        self.expect_preloaded(JEMALLOC)

    def test_14_dlsym_calls_malloc_of_the_address_sanitizer(self):
        self.needs("gcc")
        library = subprocess.run(["gcc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE,
                                 check=True, text=True).stdout.strip()
        if not os.path.isabs(library):
            self.skipTest("no libasan.so (Debian package libgcc-12-dev)")
        self.expect_preloaded(library, ASAN_OPTIONS="detect_leaks=0")

    def test_15_calls_come_before_our_constructor(self):
        for case in ("fileno_and_stream", "with_exec"):
            words = [self.subject("pitfalls_printing_early"), case]
            result = self.expect_same_in_each(words, ALL)
            self.assertEqual(0, result.returncode)
            self.assertIn(b"printed at the beginning\n", result.stdout)

    def test_15_another_object_is_preloaded(self):
        # By env, because the command itself would print early too.
        library = self.subject("prints_early.so")
        preloaded = ["env", f"LD_PRELOAD={library}"]
        for words in ([self.subject("pitfalls"), "fileno_and_stream"],
                      [self.subject("pitfalls"), "with_exec"], ["env"]):
            result = self.expect_same_in_each([*preloaded, *words], ALL)
            self.assertIn(b"printed at the beginning\n", result.stdout)
        self.assertIn(f"LD_PRELOAD={library}\n".encode(), result.stdout)

    def test_16_signals_interrupt_and_threads_are_cancelled(self):
        self.expect_cases("storm", "interrupted")
        self.expect_cases("cancelled", modes=MODES)

    def test_17_open_files_have_names(self):
        self.expect_cases("own_names", "reopened")
        child = {**os.environ, "STATIC_CHILD": self.subject("environment_static")}
        self.expect_cases("with_static_child", env=child)

    def test_18_input_streams_are_flushed_and_closed(self):
        self.expect_cases("input_fflush", "input_fclose", text=LINES)
        for case in ("input_fclose", "input_exit"):
            script = f"{self.subject('pitfalls')} {case}; cat"
            self.expect_same_in_each(["sh", "-c", script], ALL, text=LINES)

    def test_19_a_stream_becomes_line_buffered_late(self):
        self.expect_cases("late_lines", "late_lines_and_no_exit", subject="buffers_and_processes")

    def test_19_a_stream_gets_another_buffer_late(self):
        self.expect_cases("other_buffers", subject="buffers_and_processes")

    def test_20_two_threads_call_system_at_a_time(self):
        self.expect_cases("overlapping_systems", "cancelled_system", modes=MODES,
                          subject="buffers_and_processes")

    def test_21_exec_is_called_with_little_stack(self):
        self.expect_cases("exec_on_a_small_stack", subject="buffers_and_processes")

    def test_22_a_closed_streams_memory_is_gone(self):
        path = self.root / "input"
        path.write_bytes(LINES)
        result = self.expect_same_in_each([self.subject("freed_stream"), path], ALL)
        self.assertEqual(0, result.returncode, result.stderr)

    def test_23_a_streams_memory_is_that_of_a_stream_which_the_c_library_has_closed(self):
        path = self.root / "input"
        path.write_bytes(LINES)
        for how in ("endmntent", "_IO_fclose", "pclose"):
            result = self.expect_same_in_each([self.subject("reused_stream"), how, path], ALL)
            self.assertEqual(0, result.returncode, result.stderr)


if __name__ == "__main__":
    both_ways.main()
