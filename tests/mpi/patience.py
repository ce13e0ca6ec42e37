"""Waits for programs, with a limit for the time in which this script runs.

Where a machine is frozen for minutes, or gives this script no time, no program hangs.
"""
import subprocess


def wait_for(process, seconds):
    """Returns what the process has printed. A process that takes longer is killed. Each of the
    short waits counts as one second, however long this script stands still meanwhile."""
    for _ in range(seconds):
        try:
            return process.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            pass
    process.kill()
    raise AssertionError(f"after {seconds} s these still run: {process.args}")


def run(words, seconds, environment):
    """Returns the exit code, the standard output and the standard error."""
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env=environment) as process:
        output, errors = wait_for(process, seconds)
    return process.returncode, output, errors
