#!/usr/bin/env python3
"""Ctrl-C and other signals in the middle of a measurement."""
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import time

import sluice_command
from sluice_command import CommandTest

# A run that no test waits for, because so many calls take minutes.
LONG_RUN = ["sync", "--size", "512M"]
IN_A_LONG_RUN = "warm-up: write(2)"

PATIENCE_S = 20  # with a command that shows or does nothing; only a failing test comes near it


def processes_of_session(session):
    """The numbers of the processes that belong to it, without zombies."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # A program's name may have any bytes.
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if fields[0] != "Z" and int(fields[3]) == session:
            found.append(int(folder.name))
    return found


class Interrupt(CommandTest):
    def interrupted(self, wait_for, how, *arguments):
        """Starts the command, waits until its progress line holds `wait_for`, then calls
        how(process). Returns (exit code, standard output, what the terminal showed)."""
        terminal, terminal_of_command = pty.openpty()
        self.addCleanup(os.close, terminal)
        output = self.inputs / "output"
        with open(output, "w", encoding="utf-8") as file:
            process = subprocess.Popen(
                [sluice_command.COMMAND, "bench", "--dir", self.folder, *arguments], stdout=file,
                stderr=terminal_of_command, stdin=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(self.end_session, process)
        os.close(terminal_of_command)
        shown = ""
        deadline = time.monotonic() + 3 * PATIENCE_S
        while wait_for not in shown:
            self.assertLess(time.monotonic(), deadline, f"it never showed '{wait_for}'")
            piece = self.read_some(terminal)
            self.assertTrue(piece, f"it ended before it showed '{wait_for}'")
            shown += piece
        self.assertNotEqual([], os.listdir(self.folder), "it is in the middle of measuring")
        how(process)
        while piece := self.read_some(terminal):
            shown += piece
        code = process.wait(PATIENCE_S)
        self.expect_session_to_end(process.pid)
        return code, output.read_text(encoding="utf-8"), shown

    def expect_session_to_end(self, session):
        """A killed process closes its files before it is gone."""
        deadline = time.monotonic() + PATIENCE_S
        while processes_of_session(session) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual([], processes_of_session(session), "the measured child is gone")

    def read_some(self, terminal):
        """The next text on the terminal; "" when all processes have closed it."""
        ready, _, _ = select.select([terminal], [], [], PATIENCE_S)
        self.assertTrue(ready, "the terminal shows nothing more, but is still open")
        try:
            return os.read(terminal, 4096).decode(errors="replace")
        except OSError:  # how Linux says that the other side of a terminal was closed
            return ""

    @staticmethod
    def end_session(process):
        """Ends processes that a failed test has left."""
        for number in processes_of_session(process.pid):
            os.kill(number, signal.SIGKILL)
        process.wait()

    def test_ctrl_c_prints_the_rounds_that_are_done(self):
        code, output, shown = self.interrupted(
            "round 3 of 100000", lambda process: os.killpg(process.pid, signal.SIGINT),
            "write-lines", "sync", "--size", "1M", "--rounds", "100000", "--json",
            self.inputs / "results.json")
        self.assertEqual(130, code)
        self.assertIn("\nwrite-lines: ", output)
        self.assertRegex(output, r"(?m)^  ofstream << endl +peer( +[-\d.KMG]+){12}$")
        self.assertIn("\nSummary\n", output)
        self.assertNotIn("\nsync: ", output)
        self.assertIn("ended by signal 2", shown)
        results = json.loads((self.inputs / "results.json").read_text(encoding="utf-8"))
        self.assertIs(True, results["interrupted"])
        lengths = {len(row["rounds"]) for row in results["experiments"][0]["rows"]}
        self.assertEqual(1, len(lengths), "each row has the same rounds")
        self.assertGreaterEqual(lengths.pop(), 2)

    def test_ctrl_c_keeps_the_experiments_that_are_done(self):
        code, output, _ = self.interrupted(
            "[2/2] sync", lambda process: os.killpg(process.pid, signal.SIGINT), "write-lines",
            "sync", "--size", "64K", "--rounds", "20")
        self.assertEqual(130, code)
        self.assertRegex(output, r"(?m)^  ofstream << endl +peer( +[-\d.KMG]+){12}$")

    def test_sigterm_to_the_command_alone_ends_its_child_too(self):
        code, output, shown = self.interrupted(
            IN_A_LONG_RUN, lambda process: process.terminate(), *LONG_RUN)
        self.assertEqual(143, code)
        self.assertNotIn("Summary", output, "there is nothing to sum up")
        self.assertIn("ended by signal 15 before a round was complete", shown)

    def test_hang_up(self):
        code, _, _ = self.interrupted(
            IN_A_LONG_RUN, lambda process: process.send_signal(signal.SIGHUP), *LONG_RUN)
        self.assertEqual(129, code)

    def test_descriptors_that_the_caller_closed_are_taken_by_nothing_else(self):
        output = self.inputs / "output"
        process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" "$@" <&- 2>&- >"$OUTPUT"', sluice_command.COMMAND, "bench",
             "--dir", self.folder, *LONG_RUN], env={"OUTPUT": output}, start_new_session=True)
        self.addCleanup(self.end_session, process)
        deadline = time.monotonic() + PATIENCE_S
        while not any(self.folder.glob("*/*")):  # until a strategy writes
            self.assertLess(time.monotonic(), deadline)
        taken = {(number, os.readlink(f"/proc/{each}/fd/{number}"))
                 for each in processes_of_session(process.pid) for number in [0, 2]}
        self.assertEqual({(0, "/dev/null"), (2, "/dev/null")}, taken)
        process.terminate()
        self.assertEqual(143, process.wait(PATIENCE_S))

    def test_a_killed_command_takes_its_child_along(self):
        code, _, _ = self.interrupted(IN_A_LONG_RUN, lambda process: process.kill(), *LONG_RUN)
        self.assertEqual(-signal.SIGKILL, code)
        # No process can tidy up after SIGKILL: this is the only case that leaves the folder.
        for scratch in self.folder.iterdir():
            for file in scratch.iterdir():
                file.unlink()
            scratch.rmdir()


if __name__ == "__main__":
    sluice_command.main()
