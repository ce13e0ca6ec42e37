"""Starts and ends the workload's program, and asks it about the files afterwards."""
import os
import subprocess

TIMEOUT_S = 120
FAILED = 3  # exit code of a run whose library has reported a failure
KILLED = -9


class Workload:
    def __init__(self, program):
        self.program = program

    def scenarios(self):
        return subprocess.run([self.program, "list"], check=True, text=True,
                              capture_output=True).stdout.split()

    def command(self, scenario, folder, options):
        return [self.program, "run", scenario, folder,
                *(f"{name}={value}" for name, value in options.items())]

    def run(self, scenario, folder, **options):
        """(exit code, standard output, standard error) of a run that ends by itself."""
        done = subprocess.run(self.command(scenario, folder, options), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        return done.returncode, done.stdout, done.stderr

    def run_until(self, wait, end, scenario, folder, **options):
        """The same of a run that `end` (a function of the process) ends from outside, after `wait`
        has returned. It told what was heard before the call of `end`."""
        with subprocess.Popen(self.command(scenario, folder, options), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
            told = process.stdout.readline()  # it has begun
            wait()
            told += what_is_in(process.stdout)
            end(process)
            _, complaint = process.communicate(timeout=TIMEOUT_S)
        return process.returncode, told.decode(), complaint.decode()

    def check(self, scenario, folder, told):
        """(the broken promise or "", standard output): the state of the folder after a run."""
        done = subprocess.run([self.program, "check", scenario, folder], input=told, text=True,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        broken = done.stderr or f"exit code {done.returncode}" if done.returncode else ""
        return broken.strip(), done.stdout


def what_is_in(pipe):
    """The whole lines; each was written at once."""
    os.set_blocking(pipe.fileno(), False)
    lines = b""
    while more := pipe.read(65536):
        lines += more
    os.set_blocking(pipe.fileno(), True)
    return lines
