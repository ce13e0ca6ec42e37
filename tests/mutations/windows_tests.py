"""Mutations of the part for Windows, which the tests under Wine notice."""
import os
import re

from unit_tests import UnitTests


def folder_for_windows(folder):
    """The build for Windows lies beside the build in `folder`."""
    return folder.parent / "windows"


def is_built(folder, program):
    return (folder_for_windows(folder) / "bin" / program).exists()


def emulator_of(folder):
    cache = (folder / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^SLUICE_WINE:\S+=(.*)$", cache, re.MULTILINE)[1]


class WindowsTests(UnitTests):
    """The program of tests in the build for Windows."""

    built_name = "tests.exe"

    def __init__(self, folder, program):
        folder = folder_for_windows(folder)
        super().__init__(folder, program)
        self.before = [emulator_of(folder)]
        os.environ.update(WINEDEBUG="-all", WINEPREFIX=str(folder / "wine"))
