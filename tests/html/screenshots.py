#!/usr/bin/env python3
"""The pictures in docs/, of a program with three flaws and of one experiment.

usage: screenshots.py COMMAND SUBJECTS FOLDER
"""
import os
import pathlib
import shutil
import sys

import browser
import html_command


SCRATCH = pathlib.Path("/tmp/example")  # a name that can be shown
# The picture is not about the kernel or the day.
WITHOUT_THE_DAY = """document.querySelectorAll(".facts div").forEach((fact) => {
  if (["kernel", "date"].includes(fact.firstChild.textContent)) fact.remove();
})"""


def trace_page(folder, page):
    os.environ["PATH"] = f"{html_command.SUBJECTS}:{os.environ['PATH']}"
    program = "flushed_lines lines 400000; one_byte bytes 30000000; seek_and_read bytes 500000"
    return html_command.execute(folder, "trace", "--html", page, "--", "sh", "-c", program)


def bench_page(folder, page):
    rows = [word for name in ("fwrite_unlocked", "putc", "ofstream", "sluice", "filebuf")
            for word in ("--rows", name)]
    return html_command.execute(folder, "bench", "bytes", "--size", "32M", "--rounds", "5",
                                "--touch-memory", "512M", *rows, "--html", page)


def take(reader, make, name, folder, height):
    """The upper part of the page, which a reader sees first."""
    SCRATCH.mkdir()
    try:
        page = SCRATCH / "page.html"
        result = make(SCRATCH, page)
        if result.returncode != 0:
            sys.exit(result.stderr.decode())
        reader.resize(1000, height)
        reader.open(page)
        reader.evaluate(WITHOUT_THE_DAY)
        reader.screenshot(folder / name)
    finally:
        shutil.rmtree(SCRATCH)


def main():
    html_command.take_arguments()
    folder = pathlib.Path(sys.argv[1])
    reader = browser.Browser(browser.find())
    try:
        take(reader, trace_page, "trace.png", folder, 1500)
        take(reader, bench_page, "bench.png", folder, 1000)
    finally:
        reader.close()


if __name__ == "__main__":
    main()
