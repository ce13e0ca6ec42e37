"""What the program `uploads` writes, and what its output says."""
import re

PERIOD = 7 * 256  # bytes after which the content comes again


def content(number, size):
    period = bytes((position // 7 + number) & 255 for position in range(PERIOD))
    return (period * (size // PERIOD + 1))[:size]


def closing(output):
    """The sizes of the objects whose close() had begun, by their numbers."""
    return {int(number): int(size)
            for number, size in re.findall(r"^closing (\d+) (\d+)$", output, re.MULTILINE)}


def closed(output):
    """The sizes of the objects whose close() was ok, by their numbers."""
    sizes = closing(output)
    numbers = [int(number) for number in re.findall(r"^closed (\d+)$", output, re.MULTILINE)]
    return {number: sizes[number] for number in numbers}
