"""A disk that can lose its power: a file system in an image on a loop device.

All of it lives in a mount namespace of this process, in memory: whatever ends the process, the
kernel takes everything away but an empty folder, and nobody else sees it meanwhile.
"""
import ctypes
import fcntl
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
PATIENCE_S = 60  # for work that takes moments

CLONE_NEWNS = 0x20000
MS_REMOUNT, MS_REC, MS_PRIVATE = 1 << 5, 1 << 14, 1 << 18
MNT_DETACH = 2
SHUT_DOWN = 0x8004587D  # _IOR('X', 125, uint32_t): EXT4_IOC_SHUTDOWN, XFS_IOC_GOINGDOWN
WITHOUT_LOG_FLUSH = 2
CANNOT_BE_SHUT_DOWN = ["btrfs"]
BLKFLSBUF = 0x1261

libc = ctypes.CDLL(None, use_errno=True)


def checked(result, what):
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def mount(source, folder, kind, flags=0, options=""):
    checked(libc.mount(os.fsencode(source), os.fsencode(folder), kind.encode(), flags,
                       options.encode()), f"mount {kind}")


def unmount(folder):
    checked(libc.umount2(os.fsencode(folder), 0), f"umount {folder}")


def unmount_when_idle(folder):
    """Waits until the loop device has released its image."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return unmount(folder)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def start(appears, *command):
    """Returns the process once the file exists that shows that it is ready."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE_S
    while not appears.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise OSError(f"{command[0]} does not start")
        time.sleep(0.01)
    return process


def wait_until_it_listens(socket_path):
    """A server's socket has its name a moment before the server listens."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                return client.connect(os.fsencode(socket_path))
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
        time.sleep(0.01)


def skip(reason):
    """Ends the test as skipped, in the form that CTest knows, and says why."""
    print(f"SKIPPED: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)


def enter_own_namespace():
    """Makes mounts from here on this process's own. Skips the test if that is not allowed."""
    if os.geteuid() != 0:
        skip("only root can mount file systems")
    try:
        checked(libc.unshare(CLONE_NEWNS), "a mount namespace of our own")
        mount("none", "/", "", MS_REC | MS_PRIVATE)
    except OSError as error:
        skip(error)


class MemoryFolder:
    """A folder in memory of limited size, which a test can lift."""

    def __init__(self, size):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="sluice-crash-"))
        mount("tmpfs", self.path, "tmpfs", options=f"size={size}")

    def resize(self, size):
        mount("tmpfs", self.path, "tmpfs", MS_REMOUNT, f"size={size}")

    def remove(self):
        checked(libc.umount2(os.fsencode(self.path), MNT_DETACH), f"umount {self.path}")
        self.path.rmdir()


class LoopDevice:
    """`image` as a block device, until it is closed or the process ends."""

    def __init__(self, image):
        self.path = subprocess.run(["losetup", "--find", "--show", image], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout.strip()
        self._open = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
        # The device is in use, so it goes away with its last user.
        subprocess.run(["losetup", "--detach", self.path], check=True)

    def forget(self):
        """Makes the kernel read the image again."""
        fcntl.ioctl(self._open, BLKFLSBUF, 0)

    def close(self):
        os.close(self._open)


class FileSystem:
    """A file system on a device, mounted at `folder`."""

    shuts_down = True  # a process on it can cut the power by itself, see SHUT_DOWN
    # When a cut may come: from outside, or in the run, before a system call or right after an
    # acknowledgement; which are more often than others.
    moments = ["outside", "call", "acknowledgement", "acknowledgement"]

    def __init__(self, device, folder, kind, options=""):
        self.device, self.folder, self.kind, self.options = device, folder, kind, options
        self.mounted_as = f"{kind} {options}".strip()
        self.folder.mkdir()
        self.make()

    def __str__(self):
        return self.mounted_as

    def make(self):
        force = "-F" if self.kind == "ext4" else "-f"
        subprocess.run([f"mkfs.{self.kind}", "-q", force, self.device], check=True,
                       stdout=subprocess.DEVNULL)
        self.mount()

    def mount(self):
        mount(self.device, self.folder, self.kind, options=self.options)

    def unmount(self):
        unmount(self.folder)

    def choose(self, random, percent=None):  # pylint: disable=unused-argument
        """Chooses the loss of the next cut, and describes it. This disk has no choice."""
        return "all that was not on the disk"

    def what_was_lost(self):
        """The effects of the cuts until now, in words."""
        return "nobody counts what was not on the disk"

    def ending(self):
        """The options of a run that ends in a cut."""
        return {"end": "cut"}

    def cut(self):
        """Cuts the power: bytes that are not on the disk by now never get there."""
        directory = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.ioctl(directory, SHUT_DOWN, struct.pack("I", WITHOUT_LOG_FLUSH))
        finally:
            os.close(directory)

    def power_up(self):
        """After a cut: mounts the file system again, which replays its log."""
        self.unmount()
        self.mount()

    def make_durable_folder(self, name):
        path = self.folder / name
        path.mkdir()
        for each in [path, self.folder]:
            descriptor = os.open(each, os.O_RDONLY | os.O_DIRECTORY)
            os.fsync(descriptor)
            os.close(descriptor)
        return path


class CopiedFileSystem(FileSystem):
    """A file system that the kernel cannot shut down. The image keeps the bytes that it has at the
    moment of the cut. The writing process must be dead by then."""

    shuts_down = False

    def __init__(self, image, device, folder, kind, options=""):
        self.image, self.loop = image, device
        self.left = image.with_name("left")
        super().__init__(device.path, folder, kind, options)

    def ending(self):
        return {"end": "kill"}

    def cut(self):
        copy_sparsely(self.image, self.left)

    def power_up(self):
        self.unmount()
        self.loop.forget()
        copy_sparsely(self.left, self.image)
        self.left.unlink()
        self.mount()


def copy_sparsely(source, target):
    subprocess.run(["cp", "--sparse=always", source, target], check=True)


class Disk:
    """A file system on an image in memory of its own."""

    IMAGE_BYTES = 320 << 20  # xfs has at least 300 MiB; only written bytes take memory

    def __init__(self, kind, options="", memory="400m", image_bytes=IMAGE_BYTES):
        self.memory = MemoryFolder(memory)
        try:
            self.image = self.make_image(image_bytes)
            self.device = LoopDevice(self.image)
            self.files = self.make_files(self.image, self.memory.path / "mounted", kind, options)
        except (OSError, subprocess.CalledProcessError):
            self.memory.remove()
            raise

    def make_image(self, image_bytes):
        image = self.memory.path / "image"
        with open(image, "wb") as file:
            file.truncate(image_bytes)
        return image

    def make_files(self, image, folder, kind, options):
        if kind in CANNOT_BE_SHUT_DOWN:
            return CopiedFileSystem(image, self.device, folder, kind, options)
        return FileSystem(self.device.path, folder, kind, options)

    def remove_image(self, image):
        """The image goes with the memory."""

    def remove(self):
        self.files.unmount()
        self.device.close()
        self.remove_image(self.image)
        self.memory.remove()


def last_kernel_messages():
    said = subprocess.run(["dmesg"], text=True, capture_output=True, check=False).stdout
    return "\n".join(said.splitlines()[-6:])


def require(kind, make_disk=Disk):
    """Skips the test if no such disk can be made, or if its power cannot be cut."""
    if not shutil.which(f"mkfs.{kind}"):
        skip(f"there is no mkfs.{kind}")
    try:
        one = make_disk(kind)
        one.files.cut()
        one.remove()
    except (OSError, subprocess.CalledProcessError) as error:
        skip(f"no {kind} on a loop device: {error}")
