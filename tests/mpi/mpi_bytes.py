"""What the tests ask for, and the bytes that mpi_cases then writes."""
import sys
import unittest

EVERY = "--every" in sys.argv
RANKS = (1, 3, 4) if EVERY else (4,)
CONTIGUOUS, STRIPED, APPEND = range(3)
TRUNCATE, CREATE_APPEND, EXCLUSIVE = 0, 1, 2
OFF, ON = 1, 2
BYTES, LINES, RECORDS = range(3)

once = unittest.skipUnless(EVERY or "--once" in sys.argv, "does not depend on the MPI: --once")


def bytes_of(rank, count, first=0):
    """The bytes repeat after 251 * 256."""
    period = 251 * 256
    begin = first % period
    repeated = bytes((rank * 131 + at * 7 + at // 251) % 256 for at in range(period))
    return (repeated * ((begin + count) // period + 1))[begin:begin + count]


def striped(ranks, rows, record):
    data = [bytes_of(rank, rows * record) for rank in range(ranks)]
    return b"".join(data[rank][row * record:(row + 1) * record]
                    for row in range(rows) for rank in range(ranks))
