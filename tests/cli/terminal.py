"""A shell in a terminal of tmux, as a user has one."""
import os
import pathlib
import re
import select
import shlex
import subprocess
import time

TIMEOUT_S = 60
COLUMNS, LINES = 250, 60


class Terminal:
    """Starts `words` in a tmux of its own. The shell's prompt must be "$ "."""

    def __init__(self, folder, words, variables, start_folder):
        self.socket = str(pathlib.Path(folder, "tmux"))
        fifo = pathlib.Path(folder, "output")
        os.mkfifo(fifo)
        self.output = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        settings = [f"{name}={value}" for name, value in variables.items()]
        self._tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), "-c",
                   str(start_folder), "env", "-i", *settings, *words)
        self.shell = os.pidfd_open(int(self._tmux("display-message", "-p", "#{pane_pid}")))
        self._tmux("pipe-pane", f"exec cat > {shlex.quote(str(fifo))}")
        self.wait_for(lambda: self.line() == "$")

    def close(self):
        """Ends the shell, which may still write to its home until then."""
        self._tmux("kill-server")
        select.select([self.shell], [], [], TIMEOUT_S)
        os.close(self.shell)
        os.close(self.output)

    def line(self):
        """The line that is being typed. Below it there may be a list of what could be typed."""
        prompts = [line for line in self.screen().splitlines() if re.match(r"\$( |$)", line)]
        return prompts[-1] if prompts else ""

    def drop_line(self):
        self.press("C-u")
        self.wait_for(lambda: self.line() == "$")

    def clear(self):
        self.drop_line()
        self.press("C-l")
        self.wait_for(lambda: self.screen() == "$")

    def type(self, text):
        self._tmux("send-keys", "-l", text)

    def press(self, *keys):
        self._tmux("send-keys", *keys)

    def screen(self):
        return self._tmux("capture-pane", "-p").rstrip()

    def wait_for(self, is_there):
        """Looks at the screen whenever the shell has written to it."""
        deadline = time.monotonic() + TIMEOUT_S
        while not is_there():
            ready = select.select([self.output], [], [], max(deadline - time.monotonic(), 0))[0]
            if not ready:
                raise AssertionError("the terminal has only:\n" + self.screen())
            os.read(self.output, 65536)

    def _tmux(self, *arguments):
        return subprocess.run(["tmux", "-f", "/dev/null", "-S", self.socket, *arguments],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
