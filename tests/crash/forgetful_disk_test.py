#!/usr/bin/env python3
"""The disk that forgets, without a file system on it: it forgets only bytes that it may forget.

usage: forgetful_disk_test.py FORGETFUL_DISK [unittest's arguments]

FORGETFUL_DISK is crash_forgetful_disk or "none". Needs root and /dev/fuse.
"""
import os
import sys
import unittest

import disk
import forgetful_disk

SECTOR_BYTES = 512
SECTORS = 2000
WRITE_SECTORS = 10
OLD, NEW, NEWER = "o", "n", "r"  # the value of every byte of a sector


class BareDisk:
    def __init__(self):
        self.memory = disk.MemoryFolder("1m")
        folder = self.memory.path / "forgetful"
        folder.mkdir()
        self.server = disk.start(folder / "image", forgetful_disk.ForgetfulDisk.program,
                                 str(SECTORS * SECTOR_BYTES), "-f", "-s", folder)
        self.image = os.open(folder / "image", os.O_RDWR | os.O_CLOEXEC)
        self.orders = folder / "orders"

    def order(self, text):
        self.orders.write_text(text, encoding="ascii")

    def write(self, begin, sector, count=WRITE_SECTORS):
        os.pwrite(self.image, sector.encode() * SECTOR_BYTES * count, begin * SECTOR_BYTES)

    def write_all(self, sector):
        """Writes in many parts, from the first sector to the last."""
        for begin in range(0, SECTORS, WRITE_SECTORS):
            self.write(begin, sector)

    def flush(self):
        os.fsync(self.image)

    def sectors(self):
        """The contents of the sectors, a letter for each."""
        whole = os.pread(self.image, SECTORS * SECTOR_BYTES, 0).decode()
        first = whole[::SECTOR_BYTES]
        assert whole == "".join(letter * SECTOR_BYTES for letter in first), "a sector is torn"
        return first

    def remove(self):
        os.close(self.image)
        disk.unmount(self.orders.parent)
        self.server.wait(disk.PATIENCE_S)
        self.memory.remove()


class ForgetfulDisk(unittest.TestCase):
    def setUp(self):
        self.disk = BareDisk()
        self.addCleanup(self.disk.remove)
        self.disk.write_all(OLD)
        self.disk.flush()

    def left_by(self, seed, percent, make_changes):
        """The sectors after a cut."""
        self.disk.order(f"choose {seed} {percent}")
        make_changes()
        self.disk.order("cut")
        self.disk.order("on")
        return self.disk.sectors()

    def write_new(self):
        self.disk.write_all(NEW)

    def writes_of(self, sectors):
        return [sectors[at:at + WRITE_SECTORS] for at in range(0, SECTORS, WRITE_SECTORS)]

    def test_keeps_flushed_bytes(self):
        def flush_and_overwrite():
            self.disk.write_all(NEW)
            self.disk.flush()
            self.disk.write_all(NEWER)

        self.assertEqual({NEW}, set(self.left_by(1, 0, flush_and_overwrite)))

    def test_shows_unflushed_bytes_until_the_cut(self):
        self.disk.write_all(NEW)
        self.assertEqual({NEW}, set(self.disk.sectors()))

    def test_loses_tears_and_keeps_unflushed_bytes(self):
        writes = self.writes_of(self.left_by(2, 50, self.write_new))
        lost, kept = OLD * WRITE_SECTORS, NEW * WRITE_SECTORS
        torn = [each for each in writes if each not in (lost, kept)]
        self.assertGreater(writes.count(lost), len(writes) // 4)
        self.assertGreater(writes.count(kept), len(writes) // 4)
        self.assertGreater(len(torn), len(writes) // 20)
        in_two = [each for each in torn if OLD + NEW not in each]
        self.assertNotIn(len(in_two), (0, len(torn)), "some have lost their end, some more")

    def test_keeps_later_writes_without_earlier_ones(self):
        sectors = self.left_by(3, 50, self.write_new)
        self.assertLess(sectors.index(OLD), sectors.rindex(NEW))

    def test_keeps_any_of_two_writes_to_one_place(self):
        def write_twice():
            self.disk.write_all(NEW)
            self.disk.write_all(NEWER)

        self.assertEqual({OLD, NEW, NEWER}, set(self.left_by(4, 70, write_twice)))

    def test_repeats_the_result_of_a_seed(self):
        first = self.left_by(5, 50, self.write_new)
        self.disk.write_all(OLD)
        self.disk.flush()
        self.assertTrue(first == self.left_by(5, 50, self.write_new))
        self.disk.write_all(OLD)
        self.disk.flush()
        self.assertFalse(first == self.left_by(6, 50, self.write_new))

    def test_fails_at_everything_while_the_power_is_off(self):
        self.disk.order("cut")
        for call in [self.write_new, self.disk.flush, self.disk.sectors]:
            self.assertRaises(OSError, call)
        self.disk.order("on")
        self.write_new()
        self.disk.flush()
        self.assertEqual({NEW}, set(self.disk.sectors()))

    def test_can_be_cut_in_the_middle_of_a_flush(self):
        self.disk.order("choose 7 50")
        self.disk.order("cut flush 2")
        self.disk.flush()
        self.disk.write_all(NEW)
        self.assertRaises(OSError, self.disk.flush)
        self.disk.order("on")
        self.assertEqual({OLD, NEW}, set(self.disk.sectors()))

    def test_can_be_cut_in_the_middle_of_a_write(self):
        self.disk.order("choose 8 100")
        self.disk.order("cut write 2")
        self.disk.write(0, NEW)
        self.assertRaises(OSError, self.disk.write, WRITE_SECTORS, NEW)
        self.assertRaises(OSError, self.disk.write, 2 * WRITE_SECTORS, NEW)
        self.disk.order("on")
        self.assertEqual(OLD * WRITE_SECTORS, self.writes_of(self.disk.sectors())[2])

    def test_forgets_flushed_bytes_if_flushes_are_ignored(self):
        def flush_in_vain():
            self.disk.order("ignore")
            self.disk.write_all(NEW)
            self.disk.flush()

        self.assertEqual({OLD}, set(self.left_by(9, 0, flush_in_vain)))


if __name__ == "__main__":
    program = sys.argv.pop(1)
    disk.enter_own_namespace()
    forgetful_disk.require(program)
    try:
        BareDisk().remove()
    except OSError as error:
        disk.skip(error)
    unittest.main()
