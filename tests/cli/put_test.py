#!/usr/bin/env python3
"""sluice put: standard input into a file, whole or with an error."""
import os
import resource
import signal
import subprocess
import time

import sluice_command
from sluice_command import CommandTest, TIMEOUT_S

PATIENCE_S = 20  # with a command that does nothing; only a failing test comes near it


class Put(CommandTest):
    def setUp(self):
        super().setUp()
        # Input for a command that ends without reading it.
        before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGPIPE, before)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # SIGQUIT and SIGXCPU would leave one
        self.file = self.input("file", "old\n")

    def put(self, *arguments, stdin=b"", **options):
        given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
        result = subprocess.run([sluice_command.COMMAND, "put", *map(str, arguments)], **given,
                                capture_output=True, timeout=TIMEOUT_S, check=False, **options)
        result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode()
        return result

    def start(self, *arguments, **options):
        process = subprocess.Popen([sluice_command.COMMAND, "put", *map(str, arguments)],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for_temporary_bytes(self, count):
        """Waits until the new file beside the old one holds so many bytes."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            sizes = [path.stat().st_size for path in self.inputs.glob(".sluice-*")]
            if sizes and sizes[0] >= count:
                return
            time.sleep(0.001)
        self.fail("no temporary file with the bytes that were sent")

    def expect_untouched(self):
        self.assertEqual("old\n", self.file.read_text())
        self.expect_only_the_file()

    def expect_only_the_file(self):
        self.assertEqual(["file"], os.listdir(self.inputs))

    def test_writes_its_input(self):
        data = bytes(range(256)) * 20_001
        for options in ([], ["--atomic"], ["--durable"], ["--atomic", "--durable"]):
            for content in (data, b"", b"no newline"):
                with self.subTest(options=options, length=len(content)):
                    self.expect_ok(self.put(*options, self.file, stdin=content))
                    self.assertEqual(content, self.file.read_bytes())
                    self.expect_only_the_file()

    def test_makes_a_new_file(self):
        for options in ([], ["--atomic"]):
            new = self.inputs / ("new" + "".join(options))
            self.expect_ok(self.put(*options, new, stdin=b"text", umask=0o027))
            self.assertEqual(b"text", new.read_bytes())
            self.assertEqual(0o640, new.stat().st_mode & 0o7777)

    def test_keeps_permissions_and_links(self):
        self.file.chmod(0o600)
        link = self.inputs / "link"
        link.symlink_to("file")
        self.expect_ok(self.put("--atomic", link, stdin=b"new"))
        self.assertTrue(link.is_symlink())
        self.assertEqual(b"new", self.file.read_bytes())
        self.assertEqual(0o600, self.file.stat().st_mode & 0o7777)

    def test_the_old_file_can_be_read_until_the_input_ends(self):
        lines = [f"{i * 7919 % 100_003:06}\n" for i in range(100_003)]
        self.file.write_text("".join(lines))
        shell = f"sort '{self.file}' | '{sluice_command.COMMAND}' put --atomic '{self.file}'"
        subprocess.run(["sh", "-c", shell], timeout=TIMEOUT_S, check=True,
                       env={**os.environ, "LC_ALL": "C"})
        self.assertEqual(sorted(lines), self.file.read_text().splitlines(keepends=True))
        process = self.start("--atomic", self.file)
        process.stdin.write(b"x" * 1_000_000)
        process.stdin.flush()
        self.wait_for_temporary_bytes(500_000)
        self.assertEqual(sorted(lines), self.file.read_text().splitlines(keepends=True))
        process.stdin.close()
        self.assertEqual(0, process.wait(PATIENCE_S))
        self.assertEqual("x" * 1_000_000, self.file.read_text())

    def test_a_signal_leaves_the_old_file(self):
        harmless = {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH,
                    signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
        for number in signal.valid_signals() - harmless - {signal.SIGKILL, signal.SIGXFSZ}:
            for sent in (0, 1_000_000):
                with self.subTest(signal=number, sent=sent):
                    for left_by_another in self.inputs.glob(".sluice-*"):
                        left_by_another.unlink()
                    process = self.start("--atomic", self.file)
                    process.stdin.write(b"x" * sent)
                    process.stdin.flush()
                    self.wait_for_temporary_bytes(sent // 2)
                    process.send_signal(number)
                    self.assertEqual(-number, process.wait(PATIENCE_S))
                    process.stdin.close()
                    self.assertEqual(b"", process.stderr.read())
                    self.expect_untouched()

    def test_a_kill_leaves_the_old_file_beside_the_new_one(self):
        process = self.start("--atomic", self.file)
        process.stdin.write(b"x" * 1_000_000)
        process.stdin.flush()
        self.wait_for_temporary_bytes(500_000)
        process.kill()
        process.wait(PATIENCE_S)
        process.stdin.close()
        self.assertEqual("old\n", self.file.read_text())
        self.assertEqual(2, len(os.listdir(self.inputs)))

    def test_an_ignored_signal_stays_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = self.start("--atomic", self.file, preexec_fn=ignore)
        process.stdin.write(b"new")
        process.stdin.flush()
        self.wait_for_temporary_bytes(0)
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
        self.assertEqual(0, process.wait(PATIENCE_S))
        self.assertEqual("new", self.file.read_text())

    def test_a_signal_ends_it_while_it_waits_for_a_reader(self):
        fifo = self.inputs / "fifo"
        os.mkfifo(fifo)
        process = self.start(fifo)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(-signal.SIGTERM, process.wait(PATIENCE_S))
        process.stdin.close()

    def test_input_that_cannot_be_read_does_not_replace_the_file(self):
        folder = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        self.expect_line(self.put("--atomic", self.file, stdin=folder),
                         "read standard input: Is a directory")
        self.expect_untouched()

    def test_input_that_is_closed_does_not_replace_the_file(self):
        result = self.put("--atomic", self.file, stdin=subprocess.DEVNULL,
                          preexec_fn=lambda: os.close(0))
        self.expect_line(result, "read standard input: Bad file descriptor")
        self.expect_untouched()

    def test_input_that_cannot_be_read_does_not_empty_the_file(self):
        folder = os.open(self.inputs, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        self.expect_line(self.put(self.file, stdin=folder),
                         "read standard input: Is a directory")
        closed = self.put(self.file, stdin=subprocess.DEVNULL, preexec_fn=lambda: os.close(0))
        self.expect_line(closed, "read standard input: Bad file descriptor")
        self.expect_untouched()

    def test_its_own_file_as_input_is_not_emptied(self):
        with open(self.file, encoding="utf-8") as stdin:
            self.expect_line(self.put(self.file, stdin=stdin),
                             f"open {self.file}: the file is also standard input, and would be "
                             "emptied before it is read: use --atomic")
        self.expect_untouched()
        with open(self.file, encoding="utf-8") as stdin:
            self.assertEqual(0, self.put("--atomic", self.file, stdin=stdin).returncode)
        self.expect_untouched()

    def test_a_full_disk_leaves_the_old_file(self):
        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        result = self.put("--atomic", self.file, stdin=b"x" * 1_000_000, preexec_fn=limit_files)
        self.expect_line(result, f"write {self.file} at byte 100000: File too large")
        self.expect_untouched()
        self.expect_line(self.put("/dev/full", stdin=b"x"),
                         "write /dev/full at byte 0: No space left on device")

    def test_refuses_a_file_that_cannot_be_replaced(self):
        self.expect_line(self.put("--atomic", self.folder), f"open {self.folder}: Is a directory")
        self.expect_line(self.put("--atomic", "/dev/null"),
                         "open /dev/null: it is no regular file.*")
        self.expect_line(self.put("--atomic", "/no/such/folder/file"),
                         "open /no/such/folder/file: its directory cannot be opened: No such .*")
        os.link(self.file, self.inputs / "second")
        self.expect_line(self.put("--atomic", self.file, stdin=b"new"),
                         f"open {self.file}: it has 2 names.*")
        os.unlink(self.inputs / "second")
        self.expect_untouched()

    def test_wrong_command_lines(self):
        self.expect_usage(self.put(), "sluice put: FILE is required")
        self.expect_usage(self.put(""), "the name is empty")
        self.expect_usage(self.put(self.file, "another"), "sluice put: ")
        self.expect_usage(self.put("--atomik", self.file), "--atomik")
        self.expect_untouched()

    def test_two_dashes_end_the_options(self):
        for options in ([], ["--atomic"]):
            for name in ("-x", "--durable", "--", "put"):
                with self.subTest(options=options, name=name):
                    self.expect_ok(self.put(*options, "--", name, stdin=b"new", cwd=self.inputs))
                    self.assertEqual("new", (self.inputs / name).read_text())
                    os.unlink(self.inputs / name)
        see_help = "see sluice put --help"
        self.expect_usage(self.put("--", self.file, "-x"),
                          f"sluice put: unexpected '-x': {see_help}")
        self.expect_usage(self.put(self.file, "more"), f"sluice put: unexpected 'more': {see_help}")
        self.expect_usage(self.put("--", ""), "the name is empty")
        self.expect_usage(self.put("--", "-"), "'./-'")
        self.expect_usage(self.put("-x"), "unknown option '-x'")
        self.expect_usage(self.put(self.file, "-x"), "unknown option '-x'")
        self.expect_untouched()

    def test_writes_to_pipes_and_devices(self):
        self.expect_ok(self.put("--durable", "/dev/null", stdin=b"bytes"))
        result = self.put("/dev/stdout", stdin=b"bytes")
        self.assertEqual((0, "bytes"), (result.returncode, result.stdout))


if __name__ == "__main__":
    sluice_command.main()
