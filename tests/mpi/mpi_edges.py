"""Mistakes of programs, forked children, and the largest writes and positions."""
import os
import pathlib
import shutil
import tempfile
import unittest

from mpi_bytes import (APPEND, CONTIGUOUS, CREATE_APPEND, EVERY, ON, STRIPED, bytes_of, once,
                       striped)
from mpi_runs import MPIRUN, Runs

GIB = 1 << 30
LAST = 2**63 - 1  # no file has more bytes


class Edges(Runs):
    # ---- mistakes ----

    @once
    def test_ranks_that_name_different_files_are_refused(self):
        other = pathlib.Path(f"{self.file}.renamed")
        self.file.write_bytes(b"old")
        other.write_bytes(b"other")
        for case in ("write", "read"):
            results = self.run_ranks(3, case, renamed_of_1=1)
            for rank, path in enumerate((self.file, other, self.file)):
                self.assertEqual(results["open"][rank],
                                 [f"-1 open {path}: the ranks have different paths"])
                self.assertEqual(results["close"][rank], results["open"][rank])
            self.assertEqual((self.file.read_bytes(), other.read_bytes()), (b"old", b"other"))

    def test_ranks_of_the_other_mpirun_are_refused(self):
        """Each is a job of one rank, and has the variable of the mpirun that has started it."""
        other = "PMI_SIZE" if "openmpi" in MPIRUN else "OMPI_COMM_WORLD_SIZE"
        for case in ("write", "read"):
            self.file.write_bytes(b"old")
            results = self.run_ranks(1, case, variables={other: "3"})
            self.assertRegex(results["open"][0][-1], r"-1 open \S+: mpirun has started 3 ranks "
                             rf"\({other}\), and MPI_COMM_WORLD has one: .*MPI_COMM_SELF")
            self.assertEqual(self.file.read_bytes(), b"old")
            results = self.run_ranks(1, case, variables={other: "3"}, alone=1)
            self.expect_same(results, "open", "-1 ok", 1)
            results = self.run_ranks(1, case, variables={other: "1"})
            self.expect_same(results, "open", "-1 ok", 1)

    def test_a_fifo_is_refused_and_keeps_no_rank_waiting(self):
        os.mkfifo(self.file)
        for case in ("write", "read"):
            results = self.run_ranks(2, case)
            self.expect_failure(results, "open", 0, "it is a FIFO")

    @once
    def test_close_returns_why_a_second_file_was_not_opened(self):
        """Without memory for it, without a communicator, and after the end of MPI."""
        results = self.run_ranks(2, "reopen", refused_bytes_of_1=1)
        self.expect_same(results, "close", "-1 ok", 2)
        reasons = [reason for reason in (
            "Cannot allocate memory", "the communicator is MPI_COMM_NULL",
            "the communicator joins two groups of ranks (it is an intercommunicator)",
            "this is a URI, and not a file: MPI writes no objects, but each rank can write one of "
            "its own by open_object (sluice/object.h)", "the name contains a NUL byte",
            "MPI is finalised") for _ in range(2)]
        for rank in range(2):
            found = results["refused"][rank]
            self.assertNotIn("SECRET", str(found))
            self.assertEqual([text.split(": ", 2 if ": rank 0: " in text else 1)[-1]
                              for text in found],
                             [reason for reason in reasons for _ in range(3)])
            self.assertEqual(results["helper"][rank], found[:1])

    def test_a_file_on_nfs_is_sent_before_it_is_closed(self):
        """NFS tells of a full disk by close(2), and Open MPI tells nobody."""
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            for nfs in (0, 1):
                results = self.run_ranks(2, "write", layout=layout, record_bytes=10, bytes=1000,
                                         rank_bytes=1000, nfs=nfs)
                self.expect_same(results, "close", "-1 ok", 2)
                self.assertEqual([int(syncs) > 0 for [syncs] in results["syncs"]], [nfs == 1] * 2)

    def test_a_forked_child_leaves_the_files_to_its_parent(self):
        pathlib.Path(f"{self.file}.old").write_bytes(b"x" * 100)
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            with self.subTest(layout=layout):
                results = self.run_ranks(2, "fork", layout=layout, rank_bytes=1000,
                                         record_bytes=10, bytes=1000)
                self.assertEqual(results["child"], [["0"]] * 2)
                self.assertNotIn("lost", results)
                self.expect_same(results, "close", "-1 ok", 2)
                self.assertEqual(results["closes"], [["2"]] * 2)
                self.expect_bytes(striped(2, 100, 10) if layout == STRIPED
                                  else b"".join(bytes_of(rank, 1000) for rank in range(2)))

    # ---- the sizes of writes ----

    def test_writes_that_are_cut_short_go_on(self):
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            results = self.write(2, layout=layout, rank_bytes=100_000, record_bytes=100,
                                 bytes=100_000, block_bytes=4096, short=1)
            self.expect_same(results, "close", "-1 ok", 2)
            self.expect_bytes(striped(2, 1000, 100) if layout == STRIPED
                              else b"".join(bytes_of(rank, 100_000) for rank in range(2)))

    @once
    def test_a_block_that_is_ready_leaves_by_the_call_of_a_bare_loop(self):
        """From the memory of the program, in its thread, although write-behind is on."""
        block = 1 << 16
        results = self.run_ranks(1, "write_much", rank_bytes=8 * block, piece=block,
                                 block_bytes=block, write_behind=ON)
        self.expect_same(results, "close", "-1 ok", 1)
        self.assertEqual(results["asked"][0],
                         [f"{at} {block} {at} own" for at in range(0, 8 * block, block)])

    @once
    def test_no_call_of_mpi_writes_more_than_a_gibibyte(self):
        """MPI counts the bytes of a call in an int. The bytes themselves are never there."""
        size = 4 * GIB + 4096
        results = self.run_ranks(1, "write_much", rank_bytes=size)
        self.expect_same(results, "close", "-1 ok", 1)
        end = 0
        for call in results["asked"][0]:
            position, count, memory = map(int, call.split()[:3])
            self.assertEqual((position, memory), (end, end))
            self.assertTrue(0 < count <= GIB, call)
            end += count
        self.assertEqual(end, size)

    @unittest.skipUnless(EVERY, "writes 2 GiB: --every")
    def test_a_write_of_more_bytes_than_an_int_counts_is_whole(self):
        size = 2 * GIB + 4097
        if shutil.disk_usage(self.folder).free < 2 * size:
            self.skipTest("there is no room for 2 GiB")
        results = self.write(2, rank_bytes=1000, bytes=1000, rank_bytes_of_1=size,
                             bytes_of_1=size, piece=size)
        self.expect_same(results, "close", "-1 ok", 2)
        self.assertEqual(self.file.stat().st_size, 1000 + size)
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(1000), bytes_of(0, 1000))
            for at in range(0, size, 1 << 24):
                expected = bytes_of(1, min(1 << 24, size - at), at)
                self.assertEqual(file.read(len(expected)) == expected, True, at)

    def largest_file(self, room):
        """A file that has `room` bytes less than the largest one, and no blocks on the disk."""
        folder = tempfile.TemporaryDirectory(dir="/dev/shm")
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "shared"
        with open(self.file, "wb") as file:
            try:
                file.truncate(LAST - room)
            except OSError as error:
                self.skipTest(f"/dev/shm has no file of so many bytes: {error}")

    @once
    def test_rows_behind_the_largest_position_replace_no_others(self):
        """Rank 1 cannot reach the place of its second part. It comes last."""
        room = 2000 + 300
        self.largest_file(room)
        results = self.write(2, layout=STRIPED, create=CREATE_APPEND, record_bytes=10, bytes=2000,
                             steps=2, place=1, delay_of_1=300)
        self.assertNotIn("ok", results["close"][0][0].split())
        with open(self.file, "rb", buffering=0) as file:
            found = os.pread(file.fileno(), room, LAST - room)
        self.assertEqual(found, striped(2, 200, 10)[:room])
