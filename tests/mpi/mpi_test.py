#!/usr/bin/env python3
"""Runs sluice::mpi on several ranks and compares the files and the results of every rank.

usage: mpi_test.py MPIRUN PROGRAM IO [--once] [--every] [Mpi.TEST]...

The program is mpi_cases. IO chooses the part of Open MPI that does the I/O, ompio or a romio; MPICH
takes `-`. Without --once only those tests run that may depend on the MPI. With --every they run
with more numbers of ranks too.
"""
import errno
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import mpi_edges
from mpi_bytes import (APPEND, CONTIGUOUS, CREATE_APPEND, EVERY, EXCLUSIVE, LINES, OFF, ON, RANKS,
                       RECORDS, STRIPED, bytes_of, once, striped)
from mpi_runs import IO


class Mpi(mpi_edges.Edges):
    # ---- the layouts ----

    def test_contiguous_places_the_regions_in_the_order_of_the_ranks(self):
        for ranks in (1, 3, 4):
            for behind in (OFF, ON) if EVERY else (ON,):
                sizes = [100_000 + 5_001 * rank for rank in range(ranks)]
                each = {f"{name}_of_{rank}": size for rank, size in enumerate(sizes)
                        for name in ("bytes", "rank_bytes")}
                results = self.write(ranks, block_bytes=4096, write_behind=behind, **each)
                self.expect_same(results, "close", "-1 ok", ranks)
                self.expect_same(results, "again", "-1 ok", ranks)
                self.expect_bytes(b"".join(map(bytes_of, range(ranks), sizes)))

    def test_striped_interleaves_the_records(self):
        several = ((4, 100, 3000, 1 << 20), (1, 7, 50, 64), (3, 100, 1001, 4096),
                   (4, 5000, 7, 4096))
        for ranks, record, rows, block in several if EVERY else several[:1]:
            results = self.write(ranks, layout=STRIPED, record_bytes=record, bytes=rows * record,
                                 steps=3, flush=1, block_bytes=block)
            self.expect_same(results, "flush", "-1 ok", ranks)
            self.expect_same(results, "close", "-1 ok", ranks)
            self.expect_bytes(striped(ranks, rows, record))

    @once
    def test_striped_exchanges_in_rounds(self):
        """A round brings a rank at most 16 MiB."""
        results = self.write(2, layout=STRIPED, record_bytes=10_000, bytes=20_000_000,
                             piece=20_000_000)
        self.expect_same(results, "close", "-1 ok", 2)
        self.expect_bytes(striped(2, 2000, 10_000))

    @once
    def test_striped_waits_with_rows_that_not_every_rank_has_filled(self):
        results = self.write(4, layout=STRIPED, record_bytes=10, bytes=3000, steps=7, place=1,
                             block_bytes=256)
        self.expect_same(results, "close", "-1 ok", 4)
        self.expect_bytes(striped(4, 300, 10))

    def test_append_ordered_follows_the_ranks_at_each_flush(self):
        for ranks in RANKS:
            for behind in (OFF, ON) if EVERY else (ON,):
                sizes = [30_000 * rank for rank in range(ranks)]  # rank 0 has nothing
                each = {f"bytes_of_{rank}": size for rank, size in enumerate(sizes)}
                results = self.write(ranks, layout=APPEND, steps=3, place=1, block_bytes=4096,
                                     write_behind=behind, **each)
                self.expect_same(results, "close", "-1 ok", ranks)
                self.expect_bytes(b"".join(
                    bytes_of(rank, size // 3, step * (size // 3))
                    for step in range(3) for rank, size in enumerate(sizes)))

    def test_flush_shows_the_bytes_of_all_ranks(self):
        """The ranks are killed after the flush: what it has promised is in the file."""
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            with self.subTest(layout=layout):
                results = self.run_ranks(4, "write", code=None, layout=layout, rank_bytes=20_000,
                                         record_bytes=100, bytes=20_000, steps=2, flush=2,
                                         killed_in_step_of_2=1)
                self.assertEqual([found[0] for found in results["flush"] if found],
                                 ["-1 ok"] * len([found for found in results["flush"] if found]))
                self.assertNotIn("close", results)
                data = self.file.read_bytes()
                for rank in range(4):
                    if layout == CONTIGUOUS:
                        self.assertEqual(data[rank * 20_000:][:10_000], bytes_of(rank, 10_000))
                if layout == STRIPED:
                    self.assertEqual(data[:40_000], striped(4, 100, 100))
                if layout == APPEND:
                    self.assertEqual(data[:40_000],
                                     b"".join(bytes_of(rank, 10_000) for rank in range(4)))

    @once
    def test_append_goes_on_behind_the_old_file(self):
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            self.file.write_bytes(b"old")
            results = self.write(3, layout=layout, create=CREATE_APPEND, rank_bytes=1000,
                                 record_bytes=100, bytes=1000)
            self.expect_same(results, "close", "-1 ok", 3)
            new = (striped(3, 10, 100) if layout == STRIPED
                   else b"".join(bytes_of(rank, 1000) for rank in range(3)))
            self.expect_bytes(b"old" + new)

    @once
    def test_truncate_leaves_nothing_of_a_longer_file(self):
        self.file.write_bytes(b"old" * 10_000)
        self.write(3, rank_bytes=10, bytes=10)
        self.expect_bytes(b"".join(bytes_of(rank, 10) for rank in range(3)))

    @once
    def test_only_a_file_with_bytes_is_truncated(self):
        results = self.write(3, rank_bytes=10, bytes=10)
        self.assertEqual(results["resizes"], [["0"]] * 3)
        results = self.write(3, rank_bytes=10, bytes=10)
        self.assertEqual(results["resizes"], [["1"], ["0"], ["0"]])

    def test_works_without_several_threads_and_says_so(self):
        results = self.write(4, single=1, rank_bytes=100_000, bytes=100_000, block_bytes=4096)
        self.assertIn("MPI was initialised without MPI_THREAD_MULTIPLE", results["helper"][0][0])
        self.expect_same(results, "close", "-1 ok", 4)
        self.expect_bytes(b"".join(bytes_of(rank, 100_000) for rank in range(4)))

    @once
    def test_the_ranks_are_those_of_the_communicator_which_may_be_freed(self):
        """Rank r of the communicator is rank 2 - r of all, and rank 3 is not among them."""
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            settings = {"layout": layout, "record_bytes": 10, "rank_bytes": 1000, "reversed": 1}
            results = self.run_ranks(4, "write", bytes=1000, steps=2, flush=1, **settings)
            self.assertEqual(results["close"], [["-1 ok"]] * 3 + [[]])
            data = [bytes_of(rank, 1000) for rank in (2, 1, 0)]
            if layout == CONTIGUOUS:
                self.expect_bytes(b"".join(data))
            elif layout == STRIPED:
                self.expect_bytes(b"".join(part[at:at + 10] for at in range(0, 1000, 10)
                                           for part in data))
            else:
                self.expect_bytes(b"".join(part[at:at + 500] for at in (0, 500) for part in data))
        results = self.run_ranks(4, "write", bytes=1000, bytes_of_0=900, **settings | {"layout": 0})
        self.assertRegex(results["close"][0][0], "^2 .* at byte 2900: rank 2: this rank has")

    @once
    def test_no_copy_of_the_communicator_stays(self):
        self.file.write_bytes(b"x" * 10)
        for case, settings, is_ok in (("write", {"rank_bytes": 10, "bytes": 10}, True),
                                      ("write", {"rank_bytes": 10, "bytes_of_1": 10}, False),
                                      ("write", {"block_bytes_of_1": 0}, False),
                                      ("read", {"block_bytes_of_1": 0}, False),
                                      ("read", {}, True)):
            results = self.run_ranks(2, case, **settings)
            self.assertEqual(results["communicators"], [["0"]] * 2)
            self.assertEqual(results["close"][0] == ["-1 ok"], is_ok)

    @once
    def test_a_rank_may_change_what_it_has_written_in_its_region(self):
        for behind in (OFF, ON):
            results = self.write(3, rank_bytes=1000, bytes=1000, patched=500, block_bytes=100,
                                 write_behind=behind)
            self.expect_same(results, "close", "-1 ok", 3)
            expected = [bytearray(bytes_of(rank, 1000)) for rank in range(3)]
            for part in expected:
                part[500:505] = b"patch"
            self.expect_bytes(b"".join(expected))

    @once
    def test_durable_bytes_are_synced(self):
        for durability, flush, syncs in ((0, 1, 0), (0, 2, 2), (1, 1, 1), (2, 1, 2)):
            for layout in (CONTIGUOUS, APPEND) if EVERY else (CONTIGUOUS,):
                results = self.write(2, layout=layout, rank_bytes=1000, bytes=1000, steps=2,
                                     durability=durability, flush=flush)
                self.expect_same(results, "close", "-1 ok", 2)
                for rank in range(2):
                    self.assertGreaterEqual(int(results["syncs"][rank][0]), syncs)
                    if syncs == 0:
                        self.assertEqual(results["syncs"][rank][0], "0")

    @once
    def test_hints_reach_mpi(self):
        results = self.write(2, hint=7, rank_bytes=10, bytes=10)
        self.assertEqual(results["hint"], [["7"]] * 2)

    # ---- mistakes ----

    @once
    def test_every_rank_hears_that_a_file_cannot_be_opened(self):
        missing = self.folder / "no" / "folder"
        results = self.run_ranks(3, "write", path=missing)
        self.expect_failure(results, "open", 0, "No such file or directory")
        self.assertEqual(results["helper"], [["ok"]] * 3)
        self.file.write_bytes(b"old")
        results = self.run_ranks(3, "write", create=EXCLUSIVE)
        self.expect_failure(results, "open", 0, "File exists")
        self.expect_bytes(b"old")

    def test_a_path_that_can_name_no_file_has_its_reason(self):
        self.file.write_bytes(b"")
        folder = self.folder / "folder"
        folder.mkdir()
        for case, path, reason in (("write", folder, "Is a directory"),
                                   ("read", folder, "Is a directory"),
                                   ("write", self.file / "x", "Not a directory"),
                                   ("write", self.folder / ("n" * 300), "File name too long")):
            if IO == "ompio" and "too long" in reason:
                continue  # OMPIO ends the program
            results = self.run_ranks(2, case, path=path)
            self.expect_failure(results, "open", 0, reason)

    @once
    def test_a_failure_to_open_leaves_the_old_file(self):
        old = b"old" * 1000
        for settings in ({"block_bytes": 0}, {"block_bytes_of_1": 0}, {"blocks_in_flight": 65},
                         {"write_behind": 9}, {"rank_bytes": 2**62}, {"rank_bytes": 2**63},
                         {"record_bytes_of_2": 0, "layout": STRIPED, "record_bytes": 10},
                         {"refused_bytes_of_2": 1}):
            for is_there in (True, False):
                self.file.unlink(missing_ok=True)
                if is_there:
                    self.file.write_bytes(old)
                results = self.run_ranks(3, "write", **settings)
                self.assertNotIn("ok", results["open"][0][0].split(), settings)
                if is_there:
                    self.assertEqual(self.file.read_bytes(), old, settings)
                elif "refused_bytes_of_2" not in settings:
                    self.assertFalse(self.file.exists(), settings)

    @once
    def test_refuses_options_of_one_rank_on_every_rank(self):
        for settings, message in (
                ({"layout": STRIPED}, "option record_bytes"),
                ({"create_of_1": 4}, "option create"),
                ({"durability_of_1": 3}, "option durability"),
                ({"held_bytes_of_1": 0}, "option held_bytes"),
                ({"blocks_in_flight_of_1": 0}, "option blocks_in_flight"),
                ({"block_bytes_of_1": 0}, "option block_bytes")):
            results = self.run_ranks(3, "write", **settings)
            self.expect_failure(results, "open", "layout" not in settings and 1 or 0, message)
        results = self.run_ranks(3, "write", layout_of_1=APPEND)
        self.assertEqual(results["open"], [[f"-1 open {self.file}: the ranks have different values "
                                            "of the option layout"]] * 3)

    @once
    def test_refuses_regions_that_no_file_has(self):
        for each, rank in (((1000, 2**64 - 1, 1000), 1), ((2**62, 2**62, 2**62), 1),
                           ((0, 2**63 - 1, 1), 2)):
            sizes = {f"rank_bytes_of_{rank}": size for rank, size in enumerate(each)}
            results = self.run_ranks(3, "write", **sizes)
            self.expect_failure(results, "open", rank, "option rank_bytes")
        self.file.write_bytes(b"old")
        results = self.run_ranks(2, "write", create=CREATE_APPEND, rank_bytes_of_0=2**63 - 3)
        self.expect_failure(results, "open", 0, "option rank_bytes")

    @once
    def test_a_writer_accepts_nothing_after_a_failure_to_open(self):
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            results = self.run_ranks(3, "write", layout=layout, record_bytes=10, rank_bytes=1000,
                                     bytes=1000, block_bytes=100, block_bytes_of_1=0)
            self.expect_failure(results, "open", 1, "option block_bytes")
            self.assertEqual(results["close"], [found[-1:] for found in results["open"]])
            for rank in range(3):
                self.assertIn("never opened", results["writer"][rank][0])
            self.assertNotIn("lost", results)

    @once
    def test_a_rank_without_memory_leaves_no_rank_waiting(self):
        for refused in (1, 400):
            results = self.run_ranks(3, "write", layout=STRIPED, record_bytes=10,
                                     refused_bytes_of_1=refused)
            for rank in range(3):
                self.assertIn("Cannot allocate memory", results["open"][rank][0])
                self.assertIn("never opened", results["writer"][rank][0])

    def test_every_rank_hears_of_a_call_of_new_that_one_rank_is_refused(self):
        """Each call in turn, and all from each call on: no rank waits, and all have one result."""
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            for victim, are_all in ((0, 0), (0, 1), (1, 0), (1, 1)) if EVERY else (
                    (layout % 2, layout % 2), (1, 1)):
                with self.subTest(layout=layout, victim=victim, are_all=are_all):
                    results = self.run_ranks(2, "no_memory", layout=layout, rank_bytes=3000,
                                             record_bytes=100, bytes=3000, block_bytes=1000,
                                             victim=victim, all=are_all)
                    rounds = results["codes"][0]
                    self.expect_same(results, "codes", "0 0 0 0 0 -1 0 ", 2)
                    self.assertGreater(len(rounds), 10)
                    accepting = [codes for each in results["codes"] for codes in each
                                 if codes.split()[-1] != "0"]
                    self.assertEqual(accepting, [])
                    failed = [codes for codes in rounds if codes != rounds[-1]]
                    self.assertEqual([codes for codes in failed if str(errno.ENOMEM) not in
                                      codes.split()], [])

    @once
    def test_a_rank_stays_in_its_region(self):
        results = self.write(3, rank_bytes=1000, bytes=1000, bytes_of_1=1001, block_bytes=100)
        message = self.expect_failure(results, "close", 1, "the region of this rank is bytes 1000")
        self.assertIn("at byte 2000:", message)
        self.expect_bytes(b"".join(bytes_of(rank, 1000) for rank in range(3)))

    @once
    def test_a_region_that_is_not_filled_is_a_failure(self):
        results = self.write(3, rank_bytes=1000, bytes=1000, bytes_of_1=900)
        message = self.expect_failure(results, "close", 1, "this rank has written 900 bytes")
        self.assertIn("at byte 1900:", message)

    @once
    def test_a_region_with_a_hole_is_a_failure(self):
        results = self.write(3, rank_bytes=1000, bytes=1000, bytes_of_1=900, skipped_of_1=100)
        message = self.expect_failure(results, "close", 1, "this rank has written 900 bytes")
        self.assertIn("at byte 1000:", message)

    @once
    def test_rows_that_stay_incomplete_are_a_failure(self):
        settings = {"layout": STRIPED, "record_bytes": 10, "steps": 2, "flush": 1}
        results = self.write(3, bytes=1000, bytes_of_1=900, **settings)
        message = self.expect_failure(results, "close", 1, "this rank has written 90 records, and "
                                      "another rank 100")
        self.assertIn(f"at byte {(90 * 3 + 1) * 10}:", message)
        self.expect_bytes(striped(3, 90, 10))
        results = self.write(3, bytes=1000, bytes_of_2=1003, **settings)
        self.expect_failure(results, "close", 2, "the last record has only 3 of 10 bytes")
        self.expect_bytes(striped(3, 100, 10))

    @once
    def test_a_rank_that_holds_too_much_fails_on_every_rank(self):
        for layout in (STRIPED, APPEND):
            results = self.write(3, layout=layout, record_bytes=10, bytes=1000, held_bytes=1000,
                                 held_bytes_of_2=990, steps=1)
            self.expect_failure(results, "close", 2, "1000 bytes do not fit: this rank holds 0 "
                                "bytes, and option held_bytes is 990: raise held_bytes")

    @once
    def test_a_rank_that_is_destroyed_reports_lost_bytes_and_stops_nobody(self):
        for layout in (STRIPED, APPEND):
            results = self.write(3, layout=layout, record_bytes=10, bytes=1000, destroyed=1)
            for rank in range(3):
                self.assertRegex(results["lost"][rank][0], f"of rank {rank} was destroyed")
        results = self.write(3, rank_bytes=1000, bytes=1000, destroyed=1)
        self.assertNotIn("lost", results)
        self.expect_bytes(b"".join(bytes_of(rank, 1000) for rank in range(3)))

    @once
    def test_a_region_with_a_hole_is_reported_when_its_rank_is_destroyed(self):
        results = self.write(3, rank_bytes=1000, bytes=1000, bytes_of_1=500, destroyed=1)
        lost = results["lost"]
        self.assertEqual([len(of_rank) for of_rank in lost], [0, 1, 0])
        self.assertIn("at byte 1500: this rank has written 500 bytes, and option rank_bytes is "
                      "1000", lost[1][0])
        results = self.write(3, rank_bytes=1000, bytes=1000, bytes_of_1=500, destroyed=1, flush=1)
        self.assertEqual([len(of_rank) for of_rank in results["lost"]], [0, 1, 0])

    @once
    def test_a_writer_that_outlives_mpi_reports_it(self):
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            for place in (0, 1):
                results = self.write(2, layout=layout, record_bytes=10, rank_bytes=1000,
                                     bytes=1000, finalised=1, place=place)
                is_held = layout != CONTIGUOUS and place == 0
                for rank in range(2):
                    lost = results["lost"][rank]
                    self.assertEqual(len(lost), 2 if is_held else 1)
                    self.assertIn("MPI is finalised", lost[-1])
                    if is_held:
                        self.assertIn("was destroyed", lost[0])
            results = self.write(2, layout=layout, record_bytes=10, rank_bytes=1000, bytes=1000,
                                 finalised=2)
            for rank in range(2):
                self.assertRegex(results["close"][rank][0], rf"^{rank} .*MPI is finalised")

    @once
    def test_calls_in_the_wrong_order_are_failures(self):
        results = self.run_ranks(2, "misuse")
        for rank in range(2):
            self.assertEqual([text.split(": ")[-1] for text in results["before"][rank]],
                             ["the MpiWriter is not open"] * 2)
            self.assertIn("the MpiWriter is open", results["twice"][rank][0])
            self.assertEqual(results["close"][rank], ["-1 ok"] * 2)
            self.assertIn("the MpiReader is not open", results["unread"][rank][0])
            self.assertIn("the MpiReader is open", results["reread"][rank][0])
            self.assertEqual(results["read"][rank], ["-1 ok"] * 4)
        self.expect_bytes(b"yzyz")
        results = self.run_ranks(1, "write", uninitialised=1)
        self.assertIn("MPI is not initialised", results["open"][0][0])

    # ---- faults ----

    def test_every_rank_hears_of_a_limit_of_one_rank(self):
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            with self.subTest(layout=layout):
                results = self.write(4, layout=layout, rank_bytes=600_000, record_bytes=100,
                                     bytes=600_000, limit_of_1=700_000, block_bytes=65_536)
                message = self.expect_failure(results, "close", 1, "")
                offset = int(re.search(r"at byte (\d+)", message)[1])
                self.assertLessEqual(offset, 700_000)
                self.expect_same(results, "again", message, 4)
                expected = (striped(4, 6000, 100) if layout == STRIPED
                            else b"".join(bytes_of(rank, 600_000) for rank in range(4)))
                self.assertEqual(self.file.read_bytes()[:offset], expected[:offset])

    @once
    def test_the_lowest_failure_wins_although_it_comes_later(self):
        """The block of rank 0 is on its way when rank 1 has failed. (A call of ROMIO that fails
        does not tell how much it has written.)"""
        for layout in (STRIPED, APPEND):
            with self.subTest(layout=layout):
                results = self.write(2, layout=layout, record_bytes=100, bytes=10_000, place=1,
                                     block_bytes=4096, limit=5_000, write_behind_of_1=OFF,
                                     delay_of_0=300)
                message = self.expect_failure(results, "close", 0, "")
                offset = int(re.search(r"at byte (\d+):", message)[1])
                self.assertIn(offset, (5_000,) if IO == "ompio" else (4_096, 5_000))
                self.expect_same(results, "again", message, 2)
                expected = striped(2, 100, 100) if layout == STRIPED else bytes_of(0, 10_000)
                self.assertEqual(self.file.read_bytes()[:offset], expected[:offset])

    @once
    def test_a_failure_with_an_offset_wins_over_one_without(self):
        """In the second step rank 0 holds a byte too much. Rank 1 has failed to write before."""
        results = self.write(2, layout=APPEND, steps=2, place=1, bytes_of_0=3, held_bytes_of_0=1,
                             bytes_of_1=6000, limit_of_1=1000, block_bytes_of_1=100,
                             write_behind_of_1=OFF)
        self.assertRegex(results["close"][0][0], r"^1 .* at byte \d+: rank 1: ")
        self.expect_same(results, "close", results["close"][0][0], 2)

    @once
    def test_every_rank_hears_of_an_exchange_that_failed_on_one_rank(self):
        for layout in (STRIPED, APPEND):
            for flush in (0, 1):
                results = self.write(2, layout=layout, record_bytes=10, bytes=1000, flush=flush,
                                     broken_exchange_of_1=1)
                for word in ("flush", "close") if flush else ("close",):
                    self.expect_failure(results, word, 1, ".*MPI")

    @once
    def test_ranks_that_cannot_agree_say_so(self):
        results = self.run_ranks(2, "write", rank_bytes=10, bytes=10, cut_off=1)
        for rank in range(2):
            self.assertRegex(results["close"][rank][0], rf"^{rank} flush .*: rank {rank}: .*MPI")

    def test_a_rank_that_is_killed_ends_the_job(self):
        for layout in (CONTIGUOUS, STRIPED, APPEND) if EVERY else (STRIPED,):
            results = self.run_ranks(4, "write", code=None, layout=layout, rank_bytes=400_000,
                                     record_bytes=100, bytes=400_000, steps=4, place=1,
                                     block_bytes=4096, killed_in_step_of_2=2)
            self.assertNotIn("close", results)

    def test_every_rank_hears_of_a_full_disk(self):
        if os.geteuid() != 0 or not shutil.which("mount"):
            self.skipTest("only root can mount a small disk")
        disk = self.folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=14m", "none", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        for layout in (CONTIGUOUS, STRIPED, APPEND):
            for behind in (OFF, ON) if EVERY else (ON,):
                with self.subTest(layout=layout, behind=behind):
                    self.fill_disk(disk / "shared", layout, behind)

    def fill_disk(self, path, layout, behind):
        results = self.run_ranks(4, "write", path=path, layout=layout, rank_bytes=6_000_000,
                                 record_bytes=100, bytes=6_000_000, steps=3, flush=1, piece=100_000,
                                 block_bytes=65_536, write_behind=behind)
        path.unlink()
        for rank in range(4):
            self.assertRegex(results["close"][rank][0],
                             r"^\d write .* at byte \d+: rank \d: (No space left on device|MPI.*)$")
        self.expect_same(results, "close", results["close"][0][0], 4)
        self.expect_same(results, "flush", results["close"][0][0], 4)

    # ---- reading ----

    def read(self, ranks, data, **settings):
        """Returns the parts of the ranks."""
        self.file.write_bytes(data)
        results = self.run_ranks(ranks, "read", **settings)
        self.expect_same(results, "open", "-1 ok", ranks)
        self.expect_same(results, "close", "-1 ok", ranks)
        parts = [pathlib.Path(f"{self.file}.{rank}").read_bytes() for rank in range(ranks)]
        begin = 0
        for rank, part in enumerate(parts):
            self.assertEqual(results["part"][rank], [f"{begin} {len(part)}"])
            begin += len(part)
        self.assertEqual(b"".join(parts), data)
        return parts

    def test_reads_equal_parts(self):
        for ranks in RANKS:
            parts = self.read(ranks, bytes_of(1, 100_003), block_bytes=4096)
            self.assertLessEqual(max(map(len, parts)) - min(map(len, parts)), 1)
        self.read(4, b"")
        self.read(4, b"ab")

    @once
    def test_reads_whole_records(self):
        for ranks in RANKS:
            parts = self.read(ranks, bytes_of(1, 100_003), partition=RECORDS, record_bytes=100)
            self.assertEqual([len(part) % 100 for part in parts], [0] * (ranks - 1) + [3])

    @once
    def test_splits_no_line(self):
        text = b"".join(b"%d " % n * (n % 30) + b"\n" for n in range(5000))
        long_line = b"short\n" + b"x" * 300_000 + b"\nlast, without a newline"
        short = (b"", b"\n", b"\n\n\n\n\n\n\n", b"no newline", b"a\nb\n" * 2)
        for data in (text, long_line, *(short if EVERY else ())):
            for ranks in RANKS:
                parts = self.read(ranks, data, partition=LINES, block_bytes=4096)
                for before, part in zip(parts, parts[1:]):
                    self.assertTrue(not part or not before or before.endswith(b"\n"))
                self.assertEqual(sum(len(part.splitlines()) for part in parts),
                                 len(data.splitlines()))

    @once
    def test_a_line_belongs_to_the_part_that_has_its_first_byte(self):
        self.assertEqual(self.read(2, b"abc\ndef\n", partition=LINES), [b"abc\n", b"def\n"])
        self.assertEqual(self.read(2, b"abcd\nef\n", partition=LINES), [b"abcd\n", b"ef\n"])
        self.assertEqual(self.read(2, b"ab\ncdef\n", partition=LINES), [b"ab\ncdef\n", b""])

    def test_every_rank_hears_that_a_file_has_become_shorter(self):
        self.file.write_bytes(bytes(400_000))
        results = self.run_ranks(4, "read", shortened=350_000, block_bytes=4096)
        message = self.expect_failure(results, "close", 3, "the file has become shorter")
        self.assertIn("at byte 350000:", message)

    @once
    def test_every_rank_hears_that_a_file_is_missing(self):
        results = self.run_ranks(3, "read")
        self.expect_failure(results, "open", 0, "No such file or directory")
        self.file.write_bytes(b"x")
        results = self.run_ranks(3, "read", partition=RECORDS)
        self.expect_failure(results, "open", 0, "option record_bytes")

    @once
    def test_a_reader_gives_nothing_after_a_failure_to_open(self):
        self.file.write_bytes(b"x" * 10)
        results = self.run_ranks(3, "read", block_bytes_of_1=0)
        self.expect_failure(results, "open", 1, "option block_bytes")
        for rank in range(3):
            self.assertIn("not open", results["reader"][rank][0])
            self.assertEqual(results["close"][rank], results["open"][rank])
            self.assertEqual(pathlib.Path(f"{self.file}.{rank}").read_bytes(), b"")


if __name__ == "__main__":
    tests = [word for word in sys.argv[4:] if not word.startswith("--")]
    unittest.main(argv=[sys.argv[0], *tests])
