#!/usr/bin/env python3
"""Runs the simulation in both forms, interrupts it, and looks at its physics.

usage: trajectories_test.py FOLDER_OF_THE_PROGRAMS
"""
import math
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAMS = pathlib.Path(sys.argv[1])
DOUBLES = 27  # of a record
HOUR = "60"


def run(name, *arguments, code=0):
    done = subprocess.run([PROGRAMS / name, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"{name} ended with {done.returncode}: {done.stderr}")
    return done.stdout if code == 0 else done.stderr


class Trajectories(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def simulate(self, name, steps, form, step=HOUR):
        return run("simulate", self.folder / name, steps, step, form)

    def records(self, name, part="000001.plain"):
        """The records of a plain part, without the first one, which describes it."""
        data = (self.folder / name / part).read_bytes()
        return list(struct.iter_unpack(f"={DOUBLES}d", data))[1:]

    def orbit(self, name, body, code=0):
        svg = self.folder / "orbit.svg"
        said = run("plot", self.folder / name, body, svg, code=code)
        if code != 0:
            return said
        root = xml.etree.ElementTree.parse(svg).getroot()
        return said, root.find("{*}polyline").get("points").split()

    def test_goes_on_exactly_where_it_stopped(self):
        self.simulate("once", 2000, "plain")
        self.simulate("twice", 1300, "plain")
        self.simulate("twice", 700, "plain")
        self.assertEqual(self.records("twice") + self.records("twice", "000002.plain"),
                         self.records("once"))

    def test_series_have_the_same_positions(self):
        self.simulate("plain", 30000, "plain")
        self.simulate("series", 30000, "series")
        plain, series = (self.orbit(name, "Mars") for name in ("plain", "series"))
        self.assertEqual(plain, series)
        sizes = [(self.folder / path).stat().st_size
                 for path in ("plain/000001.plain", "series/000001.series")]
        self.assertGreater(sizes[0], 4 * sizes[1])

    def test_forms_can_be_mixed(self):
        self.simulate("once", 900, "plain")
        self.simulate("mixed", 500, "series")
        self.simulate("mixed", 400, "plain")
        self.assertEqual(self.records("mixed", "000002.plain"), self.records("once")[500:])

    def test_goes_on_after_an_interruption(self):
        self.simulate("once", 30000, "plain")
        self.simulate("cut", 20000, "series")
        part = self.folder / "cut/000001.series"
        data = part.read_bytes()
        part.write_bytes(data[:len(data) * 7 // 10])
        said = self.simulate("cut", 5000, "plain")
        kept = int(re.search(r"interrupted after (\d+) steps", said)[1])
        self.assertGreater(kept, 5000)
        self.assertEqual(self.records("cut", "000002.plain"),
                         self.records("once")[kept:kept + 5000])
        self.assertIn(f"{kept + 5000} steps", self.orbit("cut", "Venus")[0])

    def test_says_that_a_part_is_damaged(self):
        self.simulate("cut", 20000, "series")
        part = self.folder / "cut/000001.series"
        data = part.read_bytes()
        part.write_bytes(data[:len(data) * 7 // 10])
        self.assertIn("the file ends within a compressed frame",
                      self.orbit("cut", "Venus", code=1))

    def damage(self, part):
        """Changes a bit in the middle of the part."""
        data = bytearray(part.read_bytes())
        data[len(data) // 2] ^= 1
        part.write_bytes(data)

    def test_does_not_go_on_behind_a_part_that_was_damaged_later(self):
        for form in ("series", "plain"):  # the parts behind the damaged one
            name = f"damaged-{form}"
            self.simulate(name, 20000, "series")
            for _ in range(2):
                self.simulate(name, 100, form)
            folder = self.folder / name
            self.damage(folder / "000001.series")
            before = {path: path.read_bytes() for path in folder.iterdir()}
            for _ in range(2):
                said = run("simulate", folder, 100, HOUR, form, code=1)
                self.assertIn("000001.series at byte ", said)
                self.assertEqual(before, {path: path.read_bytes() for path in folder.iterdir()})
            self.assertIn("000001.series at byte ", self.orbit(name, "Venus", code=1))

    def test_refuses_a_part_that_begins_at_another_step(self):
        for _ in range(3):
            self.simulate("gap", 100, "plain")
        (self.folder / "gap/000003.plain").rename(self.folder / "gap/000002.plain")
        self.assertIn("000002.plain: the part does not begin after the last step",
                      run("simulate", self.folder / "gap", 100, HOUR, code=1))

    def test_goes_on_after_runs_of_few_steps(self):
        self.simulate("once", 13, "plain")
        for steps in (0, 1, 2, 10):
            self.simulate("often", steps, "plain")
        (self.folder / "often/000005.plain").touch()  # a run that was interrupted at once
        (self.folder / "once/000002.plain").touch()
        self.simulate("often", 3, "plain")
        self.simulate("once", 3, "plain")
        self.assertEqual(self.orbit("once", "Mars"), self.orbit("often", "Mars"))
        self.assertIn("16 steps", self.orbit("often", "Mars")[0])

    def test_knows_two_forms(self):
        self.assertIn("usage: simulate",
                      run("simulate", self.folder / "typo", 10, HOUR, "serie", code=2))
        self.assertIn("'serie' is neither plain nor series",
                      run("simulate", self.folder / "typo", 10, HOUR, "serie", code=2))
        self.assertFalse((self.folder / "typo").exists())

    def test_goes_on_only_with_steps_of_the_same_length(self):
        self.simulate("orbits", 10, "plain")
        said = run("simulate", self.folder / "orbits", 10, "10", code=1)
        self.assertIn("the steps in this folder take 60.0", said)
        parts = [path.name for path in (self.folder / "orbits").iterdir()]
        self.assertEqual(["000001.plain"], parts)

    def test_says_which_argument_is_wrong(self):
        file = self.folder / "file"
        file.touch()
        self.assertIn(f"open {file}: ", run("simulate", file, 10, HOUR, code=1))
        svg = self.folder / "x.svg"
        self.assertIn("nothing has no trajectory",
                      run("plot", self.folder / "nothing", "Mars", svg, code=1))
        self.assertIn("BODY is one of: Sun Mercury",
                      run("plot", self.folder, "Pluto", svg, code=2))
        self.assertFalse(svg.exists())

    def test_refuses_what_is_not_a_number_of_steps_or_minutes(self):
        for steps, step in (("-5", HOUR), ("abc", HOUR), ("1.5", HOUR), ("5 ", HOUR), ("", HOUR),
                            (str(2**64), HOUR), ("5", "0"), ("5", "-1"), ("5", "hour"),
                            ("5", "inf"), ("5", "nan")):
            said = run("simulate", self.folder / "wrong", steps, step, code=2)
            self.assertIn("STEPS is a whole number", said)
        self.assertFalse((self.folder / "wrong").exists())

    def test_ends_soon_when_it_cannot_write(self):
        done = subprocess.run(
            [PROGRAMS / "simulate", self.folder / "full", str(10**12), HOUR],
            capture_output=True, text=True, timeout=60, restore_signals=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("File too large", done.stderr)

    def test_planets_move_as_they_do(self):
        hours = round(365.256 * 24)
        self.simulate("year", hours, "plain")
        records = self.records("year")
        earth = [tuple(record[9 + k] - record[k] for k in range(3)) for record in records]
        radii = [math.hypot(*place) for place in earth]
        self.assertAlmostEqual(min(radii), 0.9833, places=3)
        self.assertAlmostEqual(max(radii), 1.0167, places=3)
        self.assertLess(math.dist(earth[0], earth[-1]), 0.02)  # a sidereal year
        masses = [1, *(1 / mass for mass in (6023600, 408523.71, 328900.56, 3098708, 1047.3486,
                                             3497.898, 22902.98, 19412.24))]
        centre = [sum(m * records[-1][3 * i + k] for i, m in enumerate(masses)) for k in range(3)]
        self.assertLess(math.hypot(*centre), 1e-6)  # the centre of mass stays


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
