"""How a build compiles and links, and how the tests of a mutation run. No file of a build is
touched."""
import contextlib
import os
import pathlib
import re
import shlex
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HANGING_S = 60


class Broken(Exception):
    """The mutation itself is wrong: its text is gone, or it does not compile."""


def mutated_text(mutation):
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    times = text.count(mutation.text)
    if times != 1:
        raise Broken(f"the text to be replaced stands {times} times in {mutation.file}")
    return text.replace(mutation.text, mutation.replacement)


class Target:
    """How the build in `folder` compiles and links the file `name`."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = str(name)
        commands = subprocess.run(["ninja", "-t", "commands", self.name], check=True, cwd=folder,
                                  capture_output=True, text=True).stdout
        self.compiling = {}
        for line in commands.splitlines():
            source = re.search(r" -c (\S+)$", line)
            if source:
                self.compiling[source[1]] = line
            elif f"-o {self.name} " in line:
                self.linking = line.removeprefix(": && ").split(" && ")[0]

    def compiler_and_flags(self, source):
        """The compiler, and the flags that change the meaning of `source`."""
        words = shlex.split(self.compiling[source])
        compilers = ("c++", "g++", "clang++", "g++-posix")
        start = next(i for i, word in enumerate(words) if word.endswith(compilers))
        kept = ("-I", "-D", "-U", "-std", "-f")
        flags = [word for word in words[start:] if word.startswith(kept)]
        for option, folder in zip(words[start:], words[start + 1:]):
            if option == "-isystem":
                flags += [option, folder]
        return words[start], flags

    def run(self, words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Broken(f"it does not build: {done.stderr.strip()[:2000]}")


def run_tests(command, scratch, limit_s):
    """The exit code, or None if the tests hang, and the output. `scratch` takes what they leave."""
    with open(scratch / "output", "w+", encoding="utf-8", errors="replace") as output:
        running = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   env={**os.environ, "TMPDIR": str(scratch)})
        try:
            code = running.wait(limit_s)
        except subprocess.TimeoutExpired:
            code = None
        finally:  # kills a hanging process, and children that it has left
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        output.seek(0)
        return code, output.read()
