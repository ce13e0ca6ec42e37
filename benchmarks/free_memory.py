"""Touches free memory, so that a measured program gets it without waiting."""
import mmap


def take_and_free(count):
    """A virtual machine gives free memory back to its host, and waits when it needs it again."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE
    mmap.mmap(-1, count, flags=flags).close()
