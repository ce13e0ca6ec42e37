#!/usr/bin/env python3
"""`sluice run` changes nothing that a program or other processes can see."""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess

import both_ways

ENDINGS = ("return", "exit", "_exit", "_Exit", "quick_exit", "abort", "kill", "raise", "exec")
LINES = b"".join(b"%d, a line of text to be read\n" % number for number in range(20_000))


def seeds(first, count):
    """Returns `count` seeds from `first` on, or a quarter of them unless the test is thorough."""
    return range(first, first + (count if both_ways.THOROUGH else (count + 3) // 4))


class AnySequenceOfCalls(both_ways.BothWaysTest):
    traced = True

    def expect_same_sequence(self, subject, seeds, *options):
        for seed in seeds:
            with self.subTest(seed=seed):
                result = self.expect_same([self.subject(subject), seed, 1500, "file"], *options)
                self.assertEqual(0, result.returncode)

    def test_gives_the_same_results(self):
        self.expect_same_sequence("stdio_sequence", seeds(0, 50))

    def test_gives_the_same_results_when_fortified(self):
        self.expect_same_sequence("stdio_sequence_fortified", seeds(60, 10))

    def test_gives_the_same_results_with_64_bit_offsets(self):
        self.expect_same_sequence("stdio_sequence_64", seeds(70, 10))


class Questions(both_ways.BothWaysTest):
    """The C library's answers about a stream are about the buffer that it gave the stream."""

    def test_about_the_buffer_have_the_same_answers(self):
        result = self.expect_same([self.subject("buffer_questions"), "file"])
        self.assertEqual(0, result.returncode)


class Arguments(both_ways.BothWaysTest):
    traced = True

    def test_reach_the_c_library_unchanged(self):
        plain = self.expect_same_in_each([self.subject("arguments")], [(), ("--coalesce",)])
        self.assertIn(b"0.500 1.500 2.500 3.500 4.500 5.500 6.500 7.500\n", plain.stdout)


class Edges(both_ways.BothWaysTest):
    """Calls that the buffer can just answer, or just cannot answer any more."""
    traced = True

    def expect_cases(self, *cases):
        for case in cases:
            plain = self.expect_same_in_each([self.subject("edges"), case],
                                             [(), ("--unlocked",), ("--coalesce",)])
            self.assertEqual(0, plain.returncode)

    def test_of_the_room_for_a_line(self):
        self.expect_cases("room_of_fgets", "room_of_getdelim")

    def test_of_a_stream_that_no_read_has_filled(self):
        self.expect_cases("orientations")

    def test_of_a_position_that_others_move(self):
        self.expect_cases("moved_by_descriptor", "moved_by_child")


class Endings(both_ways.BothWaysTest):
    """However a program ends, its file has the bytes that glibc would have put there."""

    def test_leave_the_same_file(self):
        for how in ENDINGS:
            for size in (10, 4096, 100_000, 131_072, 1_000_050):
                with self.subTest(how=how, size=size):
                    result = self.expect_same([self.subject("endings"), how, "file", size])
                    self.assertNotEqual(0, result.returncode)


class Coalescing(both_ways.BothWaysTest):
    """With --coalesce, every reader of a file sees the bytes that were given to write(2)."""

    def test_gives_the_same_results(self):
        for seed in seeds(0, 40):
            with self.subTest(seed=seed):
                result = self.expect_same(
                    [self.subject("descriptor_sequence"), seed, 1500, "file"], "--coalesce")
                self.assertEqual(0, result.returncode)

    def test_of_streams_too(self):
        for seed in seeds(80, 10):
            with self.subTest(seed=seed):
                self.expect_same([self.subject("stdio_sequence"), seed, 1500, "file"],
                                 "--coalesce")

    def test_loses_nothing_however_the_program_ends(self):
        for how in ENDINGS:
            for size in (10, 4096, 100_000, 1_000_050):
                with self.subTest(how=how, size=size):
                    self.expect_same([self.subject("endings"), how, "file", size, "write"],
                                     "--coalesce")

    def test_keeps_an_error_when_the_program_fails_to_become_another(self):
        script = f"ulimit -f 1; trap '' XFSZ; {self.subject('failed_exec')}"
        self.assertEqual(b"told\n", self.execute(["sh", "-c", script]).stdout)
        self.assertEqual(b"told\n", self.run_fast(["sh", "-c", script], "--coalesce").stdout)
        told = self.run_fast(["sh", "-c", f"{script} unclosed"], "--coalesce").stderr.splitlines()
        self.assertEqual(2, len(told), "before exec, and at the end")
        self.assertEqual(told[0], told[1])
        self.assertNotIn(b" 0 bytes", told[1])

    def test_of_iostreams(self):
        self.expect_same([self.subject("flushed_lines"), "file", 20_000], "--coalesce")

    def test_carries_out_each_command_to_the_kernel(self):
        result = self.expect_same([self.subject("commands")], "--coalesce")
        self.assertEqual([b"100: ok", b"banana: Invalid argument", b"close: ok", b"100"],
                         result.stdout.splitlines())

    def test_goes_on_after_a_write_that_stopped_early(self):
        result = self.expect_same([self.subject("many_writes"), "file"], "--coalesce")
        self.assertEqual(0, result.returncode)
        self.assertEqual(13_000, len(self.files()["file"]))

    def test_tells_of_a_full_disk(self):
        for how in ("", "look"):
            words = f"{self.subject('written_lines')} file 3000 {how}"
            script = ["sh", "-c", f"ulimit -f 20; trap '' XFSZ; {words}"]
            with self.subTest(how=how):
                plain = self.execute(script)
                coalesced = self.run_fast(script, "--coalesce")
                self.assertEqual((1, 1), (plain.returncode, coalesced.returncode))
                self.assertEqual(b"write: File too large\n", plain.stderr)
                self.assertEqual(plain.stderr, coalesced.stderr)


class BadAddresses(both_ways.BothWaysTest):
    traced = True

    def test_have_the_kernels_answers(self):
        for options in ((), ("--coalesce",)):
            with self.subTest(options=options):
                result = self.expect_same([self.subject("bad_addresses")], *options)
                self.assertEqual(14, result.stdout.count(b": -1 14\n"), result.stdout)


class Children(both_ways.BothWaysTest):
    """Another process sees and shares a file as without `sluice run`."""
    traced = True

    def test_see_the_same(self):
        for how in ("system", "popen", "spawn", "vfork", "fork", "fork exit", "fork exec"):
            for size in (10, 4096, 100_000, 131_072, 1_000_050):
                with self.subTest(how=how, size=size):
                    self.expect_same([self.subject("children"), how, "file", size])

    def test_read_on_at_the_same_place(self):
        for lines in (1, 100, 5_000, 9_999):
            with self.subTest(lines=lines):
                self.expect_same([self.subject("shared_input"), lines, "system"], text=LINES)

    def test_and_descriptors_that_share_the_input_read_on_at_the_same_place(self):
        ways = ("dup", "dup late", "dup2", "dup2 late", "fcntl", "fcntl late", "fdopen",
                "fdopen late", "child", "child late", "inherited")
        for way in ways:
            for lines in (1, 5_000, 12_000):
                for options in ((), ("--coalesce",)):
                    script = f"exec {self.subject('shared_input')} {lines} '{way}'"
                    if way == "inherited":
                        script = f"exec 3<&0; {script}"
                    with self.subTest(way=way, lines=lines, options=options):
                        result = self.expect_same(["sh", "-c", script], *options, text=LINES)
                        self.assertEqual(0, result.returncode)

    def test_read_on_from_the_position_of_a_closed_stream(self):
        for how in ("fclose", "freopen"):
            for lines in (1, 5_000, 9_999):
                with self.subTest(how=how, lines=lines):
                    script = f"{self.subject('shared_input')} {lines} {how}; cat"
                    self.expect_same(["sh", "-c", script], text=LINES)

    def test_of_a_shell_read_on_at_the_same_place(self):
        self.expect_same(["sh", "-c", "head -n 3; head -c 50; cat"],
                         text=LINES)


class OneFileForOutputAndLog(both_ways.BothWaysTest):
    traced = True

    def test_keeps_both_in_their_order(self):
        self.expect_same(["sh", "-c", f"{self.subject('log_and_output')} > file 2>&1"])

    def test_keeps_both_in_their_order_without_a_shell(self):
        script = "exec > file 2>&1; exec "
        self.expect_same(["sh", "-c", script + self.subject("log_and_output")])


class FileThatChangesWhileItIsRead(both_ways.BothWaysTest):
    """The program reads the bytes that it has itself written ahead of its position."""
    traced = True

    def test_is_read_unchanged(self):
        for how in ("early", "late", "descriptor", "standard"):
            for options in ((), ("--coalesce",)):
                with self.subTest(how=how, options=options):
                    script = f"seq 10000 60000 > file; exec {self.subject('changes_ahead')} " \
                             f"{how} file" + (" 1<>file" if how == "standard" else "")
                    result = self.expect_same(["sh", "-c", script], *options)
                    self.assertIn(b"changed", result.stderr)


class Company(both_ways.BothWaysTest):
    """Threads and signal handlers may look at any time."""
    traced = True

    def test_changes_nothing(self):
        for how in ("handler", "thread", "forks", "stream", "pipes"):
            for options in ((), ("--coalesce",)):
                with self.subTest(how=how, options=options):
                    self.expect_same([self.subject("company"), how], *options)

    def test_of_threads_that_flush_each_line(self):
        self.expect_same([self.subject("flushed_by_threads")], "--coalesce")


class Environment(both_ways.BothWaysTest):

    def test_is_the_programs_own(self):
        self.expect_same(["env"])

    def test_is_the_programs_own_if_it_has_a_variable_twice(self):
        result = self.expect_same([self.subject("two_entries")])
        self.assertEqual(2, result.stdout.count(b"LD_PRELOAD="))

    def test_is_the_programs_own_if_it_has_an_empty_list(self):
        result = self.expect_same(["sh", "-c", "env; env"],
                                  env={**os.environ, "LD_PRELOAD": ""})
        self.assertEqual(2, result.stdout.count(b"LD_PRELOAD=\n"))

    def test_is_the_programs_own_in_children(self):
        self.expect_same(["sh", "-c", "env; exec env"])

    def test_is_the_programs_own_if_it_cannot_be_covered(self):
        children = [self.subject(name) for name in ("environment_static", "environment_musl")
                    if os.path.exists(self.subject(name))]
        if os.getuid() == 0:
            children.append(str(self.root / "set-id"))
            shutil.copy(shutil.which("env"), children[-1])
            os.chown(children[-1], 65534, 65534)
            os.chmod(children[-1], 0o4755)
        script = self.root / "script"
        script.write_text(f"#! {children[0]} word\n")
        script.chmod(0o755)
        for child in (*children, str(script)):
            folder, name = os.path.split(child)
            for words in (["sh", "-c", f"{child}; exec {child}"], ["env", child],
                          ["env", f"PATH=/nowhere::{folder}:/bin:/usr/bin", name],
                          ["perl", "-e", f"system {{'{child}'}} 'x'; print `{child}`;"]):
                with self.subTest(words=words):
                    if shutil.which(words[0]) is None:
                        self.skipTest(f"no {words[0]} on this machine")
                    plain = self.expect_same(words)
                    self.assertIn(b"PATH=", plain.stdout)

    def sanitized_programs(self):
        """For each installed compiler, a program whose runtime must be the first library."""
        for compiler, *options in (("gcc",), ("clang", "-shared-libasan")):
            if shutil.which(compiler) is None:
                continue
            options += ["-fsanitize=address", "-o", self.root / compiler]
            name = "libasan.so" if compiler == "gcc" else "libclang_rt.asan-x86_64.so"
            library = subprocess.run([compiler, f"-print-file-name={name}"], check=True, text=True,
                                     stdout=subprocess.PIPE).stdout.strip()
            source = pathlib.Path(__file__).parent / "subjects/environment.c"
            command = [compiler, source, *options, f"-Wl,-rpath,{os.path.dirname(library)}"]
            if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0:
                yield str(self.root / compiler)

    def test_is_the_programs_own_if_a_child_is_address_sanitized(self):
        how = {"preexec_fn": both_ways.without_address_shuffling}
        for program in self.sanitized_programs():
            for words in (["sh", "-c", f"{program}; exec {program}"], ["env", program]):
                self.assertEqual(0, self.expect_same(words, **how).returncode)
                traced = self.run_traced(words, **how)
                self.assertEqual((0, b""), (traced.returncode, traced.stderr))
            warned = self.run_fast([program], **how)
            self.assertEqual(0, warned.returncode)
            self.assertIn(b"must be the first library loaded", warned.stderr)

    def test_is_the_programs_own_if_a_child_gains_capabilities(self):
        if os.getuid() != 0:
            self.skipTest("only root can give a file capabilities")
        program = self.root / "capable"
        shutil.copy(shutil.which("env"), program)
        for folder in (self.root, self.folder):
            folder.chmod(0o777)
        may_bind = 1 << 10
        try:
            os.setxattr(program, "security.capability",
                        struct.pack("<5I", 0x02000001, may_bind, 0, 0, 0))
        except OSError as error:
            self.skipTest(f"no capabilities of files here: {error}")
        for mode in (0o755, 0o711):
            program.chmod(mode)
            self.expect_same(["sh", "-c", f"{program}; exec {program}"], user=65534)

    def test_keeps_preloaded_objects(self):
        library = "/lib/x86_64-linux-gnu/libm.so.6"
        if not os.path.exists(library):
            self.skipTest(f"no {library} to preload")
        self.expect_same(["env"], env={**os.environ, "LD_PRELOAD": library})

    def test_is_the_programs_own_under_a_command_inside_another(self):
        plain = self.execute(["sh", "-c", "env; exec env"])
        report = self.root / "report"
        for outer in ("run", "trace"):
            for inner in ("run", "trace"):
                for start in ("", "exec "):
                    words = (f"{start}{both_ways.COMMAND} {inner} --json {report} -- "
                             "sh -c 'env; exec env'")
                    with self.subTest(outer=outer, inner=inner, start=start):
                        result = self.execute([both_ways.COMMAND, outer, "--", "sh", "-c", words])
                        self.assertEqual((0, plain.stdout), (result.returncode, result.stdout))
                        programs = [process["program"] for process
                                    in json.loads(report.read_text())["processes"]]
                        self.assertEqual(["env", "env"], sorted(programs)[:2])

    def test_may_be_empty(self):
        self.expect_same(["/usr/bin/env"], env={})


class Threads(both_ways.BothWaysTest):

    def test_keep_lines_together(self):
        subject = self.subject("threads")
        for options in ((), ("--coalesce",)):
            result = self.run_fast([subject, "file", 20_000], *options)
            self.assertEqual(0, result.returncode)
            lines = (self.folder / "file").read_text().splitlines()
            expected = {f"thread {name} line {i}" for name in "abcd" for i in range(20_000)}
            self.assertEqual(80_000, len(lines))
            self.assertEqual(expected, set(lines))


    def test_wait_for_the_lock_of_a_stream(self):
        plain = self.expect_same_in_each([self.subject("locked_streams")], [(), ("--coalesce",)])
        self.assertEqual(12, plain.stdout.count(b" waits\n"))


class Signals(both_ways.BothWaysTest):

    def test_are_inherited_as_they_were(self):
        words = ["sh", "-c", "grep -E 'Sig(Ign|Blk|Cgt)' /proc/self/status"]
        for options in ((), ("--json", "report")):
            with self.subTest(options=options):
                plain = self.execute(words)
                fast = self.run_fast(words, *options)
                self.assertEqual(plain.stdout, fast.stdout)

    def test_end_the_command_as_they_ended_the_program(self):
        for options in ((), ("--json", "report")):
            result = self.run_fast(["sh", "-c", "kill -TERM $$"], *options)
            self.assertEqual(-signal.SIGTERM, result.returncode)


if __name__ == "__main__":
    both_ways.main()
