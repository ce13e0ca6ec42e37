"""Memory that is there when a measured program asks for it."""
import mmap


def take_and_free(count):
    """A virtual machine gives free memory back, and has to wait for it when it needs it again."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE
    mmap.mmap(-1, count, flags=flags).close()
