"""A file system in memory whose calls fail on command: see faulty_file_system.cc."""
import os
import subprocess
import time

import disk


def expect_to_work(program):
    """Skips the test if the file system cannot be mounted. Enters a mount namespace."""
    if program == "none":
        disk.skip("this build has no file system that fails: libfuse3-dev was not there")
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        disk.skip("/dev/fuse cannot be opened")
    disk.enter_own_namespace()


class FaultyFileSystem:
    def __init__(self, program):
        self.memory = disk.MemoryFolder("1m")
        self.folder = self.memory.path / "mounted"
        self.folder.mkdir()
        self.server = subprocess.Popen([program, "-f", "-s", self.folder])
        deadline = time.monotonic() + disk.PATIENCE_S
        while not (self.folder / "orders").exists():
            if self.server.poll() is not None or time.monotonic() > deadline:
                disk.skip("FUSE does not work here")
            time.sleep(0.01)

    def order(self, text):
        (self.folder / "orders").write_text(text)

    def has_come(self):
        return (self.folder / "orders").read_bytes() == b"1"

    def empty(self):
        for path in self.folder.iterdir():
            if path.name != "orders":
                path.unlink()

    def remove(self):
        disk.unmount(self.folder)
        self.server.wait(disk.PATIENCE_S)
        self.memory.remove()
