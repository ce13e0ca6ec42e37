#!/usr/bin/env python3
"""Runs the simulation on several ranks, interrupts it, and looks at its physics.

usage: ranks_test.py MPIRUN PROGRAM
"""
import contextlib
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "object"))
import s3_store  # noqa: E402  pylint: disable=wrong-import-position

MPIRUN, PROGRAM = sys.argv[1:3]
ROW = struct.Struct("=36d")
DAY = "1440"


class Ranks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, ranks, *words):
        environment = dict(s3_store.environment(), OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1")
        start = [MPIRUN, "-n", str(ranks)] if ranks else []
        return subprocess.Popen([*start, PROGRAM, *map(str, words)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=environment)

    def run_program(self, ranks, *words, code=0):
        return self.end_of(self.program(ranks, *words), code)

    def end_of(self, running, code):
        try:
            said = "".join(running.communicate(timeout=120))
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            raise
        self.assertEqual(running.returncode, code, said)
        return said

    def simulate(self, ranks, name, steps, step=DAY):
        self.run_program(ranks, "simulate", f"mpi:{self.folder / name}", steps, step)

    def data(self, name):
        return (self.folder / name).read_bytes()

    def test_goes_on_exactly_where_it_stopped_on_other_ranks(self):
        self.simulate(4, "once", 500)
        self.simulate(4, "twice", 300)
        with open(self.folder / "twice", "ab") as file:
            file.write(b"half a row, as a run leaves it that is killed")
        self.simulate(3, "twice", 200)
        self.assertEqual(len(self.data("once")), 500 * ROW.size)
        self.assertEqual(self.data("twice"), self.data("once"))

    def test_does_not_go_on_when_durable_rows_are_gone(self):
        for target in ("lost", "mpi:lost"):
            self.simulate(2, "lost", 50)
            short = self.data("lost")[:30 * ROW.size]
            (self.folder / "lost").write_bytes(short)
            place = target.replace("lost", str(self.folder / "lost"))
            said = self.run_program(2, "simulate", place, 20, DAY, code=1)
            self.assertIn(f"lost at byte {30 * ROW.size}: the file ends here, and 20 durable rows "
                          "are missing", said)
            self.assertEqual(self.data("lost"), short)
            self.assertEqual(self.data("lost.rows"), b"50\n")
            (self.folder / "lost").unlink()
            (self.folder / "lost.rows").unlink()

    def test_does_not_begin_anew_over_rows_whose_number_is_unknown(self):
        self.simulate(2, "rows", 50)
        rows = self.data("rows")
        for number in (None, b"", b"many\n"):
            (self.folder / "rows.rows").unlink()
            if number is not None:
                (self.folder / "rows.rows").write_bytes(number)
            said = self.run_program(2, "simulate", f"mpi:{self.folder / 'rows'}", 20, DAY, code=1)
            said += self.run_program(0, "plot", self.folder / "rows", "Mars",
                                     self.folder / "none", code=1)
            self.assertEqual(said.count("rows.rows: this file must have the number of durable "
                                        f"rows of {self.folder / 'rows'}"), 2, said)
            self.assertEqual(self.data("rows"), rows)
            (self.folder / "rows.rows").write_bytes(b"50\n")
        self.simulate(2, "rows", 20)

    def test_a_first_run_that_is_interrupted_may_begin_anew(self):
        self.simulate(2, "rows", 0)
        (self.folder / "rows").write_bytes(b"what a run leaves before it has flushed any row")
        self.simulate(2, "rows", 20)
        self.assertEqual(len(self.data("rows")), 20 * ROW.size)

    def test_every_rank_stops_when_the_number_of_rows_cannot_be_noted(self):
        for target in ("rows", "mpi:rows"):
            place = target.replace("rows", str(self.folder / "rows"))
            note = self.folder / "rows.rows"
            running = self.program(2, "simulate", place, 10**12, DAY)
            while running.poll() is None and (not note.exists() or note.read_bytes() == b"0\n"):
                pass
            self.replace_by_a_folder(note)
            self.assertIn(f"{note}: Is a directory", self.end_of(running, 1))
            note.rmdir()
            (self.folder / "rows").unlink()

    def replace_by_a_folder(self, file):
        """A program writes the file anew again and again."""
        while not file.is_dir():
            with contextlib.suppress(FileNotFoundError):
                file.unlink()
            with contextlib.suppress(FileExistsError):
                file.mkdir()

    def test_a_file_that_cannot_be_cut_is_one_clear_line(self):
        self.simulate(2, "rows", 50)
        rows = self.folder / "rows"
        if subprocess.run(["chattr", "+i", rows], capture_output=True, check=False).returncode:
            self.skipTest("chattr cannot forbid changes of a file here")
        self.addCleanup(subprocess.run, ["chattr", "-i", rows], check=True)
        said = self.run_program(2, "simulate", f"mpi:{rows}", 20, DAY, code=1)
        self.assertEqual(said.count(f"{rows}: Operation not permitted"), 1, said)
        self.assertNotIn("terminate called", said)

    def test_refuses_another_length_of_the_step(self):
        for rows in (1, 2, 50):
            name = f"rows{rows}"
            self.simulate(2, name, rows, step=60)
            before = self.data(name)
            said = self.run_program(3, "simulate", f"mpi:{self.folder / name}", 10, 30, code=1)
            self.assertIn("the last row does not follow by a step of 30.000000 minutes: use the "
                          "step of the run before", said)
            self.assertEqual(self.data(name), before)
            self.assertIn(f"{name}: rows {rows} to {rows + 10}", self.run_program(
                3, "simulate", f"mpi:{self.folder / name}", 10, 60))

    def test_the_earth_comes_back_after_a_year(self):
        self.simulate(1, "orbit", 1461, step=360)  # steps of a quarter of a day
        rows = list(ROW.iter_unpack(self.data("orbit")))
        angles = []
        for row in (rows[0], rows[-1]):
            angles.append(math.atan2(row[10] - row[1], row[9] - row[0]))
            self.assertAlmostEqual(math.dist(row[0:3], row[9:12]), 0.98, delta=0.01)
        self.assertAlmostEqual(angles[0], angles[1], delta=0.02)

    def test_plots_an_orbit(self):
        self.simulate(2, "orbit", 100)
        self.assertEqual(len(self.points(self.folder / "orbit").split()), 100)

    def points(self, target):
        """What the picture of an orbit has."""
        svg = self.folder / "mercury.svg"
        said = self.run_program(0, "plot", target, "Mercury", svg)
        self.assertRegex(said, r"^Mercury: \d+ rows, \d+ points$")
        return xml.etree.ElementTree.parse(svg).getroot().find("{*}polyline").get("points")

    def expect_the_same(self, target):
        """The target has the same rows as a shared file after two runs, and the same orbit."""
        self.run_program(3, "simulate", target, 60, DAY)
        self.run_program(2, "simulate", target, 40, DAY)
        self.simulate(2, "shared", 100)
        self.assertEqual(self.points(target), self.points(f"mpi:{self.folder / 'shared'}"))

    def test_one_process_may_write_the_file(self):
        self.expect_the_same(self.folder / "alone")
        self.assertEqual(self.data("alone"), self.data("shared"))

    def test_a_file_and_a_shared_file_are_the_same(self):
        self.simulate(2, "mixed", 60)
        self.run_program(2, "simulate", self.folder / "mixed", 40, DAY)
        self.simulate(2, "shared", 100)
        self.assertEqual(self.data("mixed"), self.data("shared"))

    def test_the_rows_may_be_objects(self):
        if s3_store.program("versitygw") is None:
            self.skipTest("versitygw is not installed: ./dev setup --object")
        store = s3_store.Versity(self.folder)
        self.addCleanup(store.stop)
        store.client.make_bucket("bucket")
        target = s3_store.uri("bucket", "orbits", store.port)
        if "without object stores" in self.said(target):
            self.skipTest("the example was built without object stores")
        self.expect_the_same(target)
        objects = [store.client.content("bucket", f"orbits.{run}") for run in (1, 2)]
        self.assertEqual(b"".join(objects), self.data("shared"))

    def said(self, target):
        done = subprocess.run([PROGRAM, "plot", target, "Mars", self.folder / "none"],
                              env=s3_store.environment(), capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_refuses_a_number_of_ranks_that_leaves_bodies(self):
        self.run_program(5, "simulate", self.folder / "five", 10, DAY, code=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
