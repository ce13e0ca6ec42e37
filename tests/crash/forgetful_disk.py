"""A disk that forgets: a file system on an image. When its power is cut, the image loses, tears and
reorders the bytes that were written after the last flush, by a seed. See forgetful_disk.cc.
"""
import os

import disk

PERCENTS = [0, 10, 50, 90, 100]  # of the writes that were not flushed, those that a cut leaves


class ForgetfulFileSystem(disk.FileSystem):
    # In the middle of a write or a flush the disk has most to forget.
    moments = ["outside", "call", "acknowledgement", "write", "flush", "write", "flush", "write"]

    def __init__(self, orders, loop, folder, kind, options=""):
        self.orders, self.loop = orders, loop
        super().__init__(loop.path, folder, kind, options)

    def __str__(self):
        return f"forgetful {super().__str__()}"

    def order(self, text):
        self.orders.write_text(text, encoding="ascii")

    def state(self):
        """[on or off, writes, flushes, and of the writes that cuts found: kept, torn, lost]"""
        return self.orders.read_text(encoding="ascii").split()

    def choose(self, random, percent=None):
        seed = random.randrange(1 << 32)
        percent = random.choice(PERCENTS) if percent is None else percent
        self.order(f"choose {seed} {percent}")
        return f"{percent} % kept by seed {seed}"

    def ignore_flushes(self):
        """Keeps the power off until it is told to come back, for a test that has to notice."""
        self.order("ignore")

    def what_was_lost(self):
        kept, torn, lost = self.state()[3:]
        return f"of the writes that were not flushed {kept} are whole, {torn} torn, {lost} lost"

    def ending(self):
        return {"end": "cut", "disk": self.orders}

    def cut(self):
        self.order("cut")

    def power_up(self):
        self.unmount()
        self.loop.forget()  # the image takes no bytes now, so the kernel's pending bytes are lost
        self.order("on")
        self.mount()


class ForgetfulDisk(disk.Disk):
    program = None  # crash_forgetful_disk, set by the test

    def make_image(self, image_bytes):
        folder = self.memory.path / "forgetful"
        folder.mkdir()
        self.server = disk.start(folder / "image", self.program, str(image_bytes), "-f", "-s",
                                 folder)
        return folder / "image"

    def make_files(self, image, folder, kind, options):
        return ForgetfulFileSystem(image.with_name("orders"), self.device, folder, kind, options)

    def remove_image(self, image):
        disk.unmount_when_idle(image.parent)
        self.server.wait(disk.PATIENCE_S)


def require(program):
    if program == "none":
        disk.skip("this build has no disk that forgets: libfuse3-dev was not there")
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        disk.skip("/dev/fuse cannot be opened")
    ForgetfulDisk.program = program
