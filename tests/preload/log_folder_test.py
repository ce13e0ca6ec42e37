#!/usr/bin/env python3
"""Where no log can be kept, the command says so in one line, and does not start the program."""
import json
import os
import unittest

import both_ways

COMMANDS = (("trace",), ("run", "--summary"), ("run", "--coalesce", "--summary"))


class FoldersForLogs(both_ways.BothWaysTest):

    def expect_refusal(self, folder, words, start=()):
        """With this TMPDIR the command refuses to start, for a reason with these words."""
        for command in COMMANDS:
            with self.subTest(command=command):
                env = {**os.environ, "TMPDIR": str(folder)}
                result = self.execute([*start, both_ways.COMMAND, *command, "--", "touch",
                                       "started"], env=env)
                self.assertEqual(1, result.returncode, result.stderr)
                self.assertFalse((self.folder / "started").exists())
                [line] = result.stderr.decode().splitlines()
                self.assertTrue(line.startswith(f"sluice {command[0]}: "), line)
                for part in (str(folder), *words):
                    self.assertIn(part, line)

    def test_that_are_none(self):
        file = self.root / "file"
        file.write_text("")
        words = ("set TMPDIR to a folder in which you can write",)
        self.expect_refusal(file, ("Not a directory", *words))
        self.expect_refusal(self.root / "gone", ("No such file or directory", *words))
        self.expect_refusal("/proc", words)

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can mount a small disk")
    def test_that_have_no_room(self):
        disk = self.root / "disk"
        disk.mkdir()
        fills = 'mount -t tmpfs -o "$0" none "$TMPDIR" && head -c 65536 /dev/zero > '
        fills += '"$TMPDIR/file" 2> /dev/null; exec "$@"'
        for size in ("size=64k", "size=1m,nr_inodes=2", "size=1m,nr_inodes=4"):
            start = ["unshare", "-m", "sh", "-c", fills, size]
            if self.execute([*start, "true"], env={**os.environ, "TMPDIR": str(disk)}).returncode:
                self.skipTest("no small disk can be mounted here")
            self.expect_refusal(disk, ("No space left on device",
                                       "set TMPDIR to a folder with room"), start)

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can mount a small disk")
    def test_that_the_program_fills(self):
        """The report tells of the processes that came when the disk was full."""
        disk = self.root / "disk"
        disk.mkdir()
        mounts = 'mount -t tmpfs -o size=400k none "$TMPDIR" && exec "$@"'
        start = ["unshare", "-m", "sh", "-c", mounts, "sh"]
        env = {**os.environ, "TMPDIR": str(disk)}
        if self.execute([*start, "true"], env=env).returncode:
            self.skipTest("no small disk can be mounted here")
        program = ["sh", "-c", "head -c 400000 /dev/zero > $TMPDIR/file; "
                   "for i in 1 2 3 4 5 6 7 8; do seq 10 > /dev/null; done; rm $TMPDIR/file"]
        report = self.root / "report"
        for command in COMMANDS:
            with self.subTest(command=command):
                result = self.execute([*start, both_ways.COMMAND, *command, "--json", report,
                                       "--", *program], env=env)
                self.assertEqual(0, result.returncode, result.stderr)
                text = result.stderr.decode()
                self.assertNotIn("this is not a log", text)
                if command[0] == "trace":
                    self.assertRegex(text, r"\b[89] processes left no log: the disk of the logs")
                else:
                    count = json.loads(report.read_text())["processes_without_counts"]
                    self.assertIn(count, (8, 9))
                    self.assertIn(f"not counted {count} processes: the folder of the logs", text)


if __name__ == "__main__":
    both_ways.main()
