#!/usr/bin/env python3
"""Compares what examples/read_series.py reads with what the library wrote.

usage: read_series_test.py SAMPLES READER FOLDER   (a program, a script, a folder for packages)
"""

import os
import pathlib
import runpy
import struct
import subprocess
import sys
import tempfile
import zlib

SKIPPED = 77
PACKAGES = ["numpy", "zstandard"]


def find_packages(folder):
    """Makes the packages importable. Returns why that cannot be done, or nothing."""
    try:
        __import__("numpy"), __import__("zstandard")
        return None
    except ImportError:
        pass
    sys.path.insert(0, str(folder))
    if not (folder / "installed").exists():
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--retries", "0",
                               "--timeout", "10", "--target", folder, *PACKAGES],
                              capture_output=True, text=True)
        if done.returncode != 0:
            return f"{' and '.join(PACKAGES)} cannot be installed: {done.stderr.strip()[-300:]}"
        (folder / "installed").touch()
    return None


def main(samples, reader, folder):
    reason = find_packages(pathlib.Path(folder))
    if reason:
        print("skipped:", reason)
        return SKIPPED
    read_series = runpy.run_path(reader)["read_series"]
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([samples, scratch], check=True)
        filters = set()
        names = sorted(pathlib.Path(scratch).glob("*.series"))
        for name in names:
            numbers, tail, problem = read_series(name)
            assert not problem, problem
            assert numbers.tobytes() + tail == name.with_suffix(".plain").read_bytes(), name
            filters.add(name.read_bytes()[5])
            kind = int(name.name.split("-")[0])
            assert numbers.dtype.str[1:] == f"{'?uif'[kind >> 4]}{kind & 15}", numbers.dtype
            assert len(tail) == 80_003 % (kind & 15), tail
        assert len(names) == 80, len(names)
        assert {code >> 4 for code in filters} == {0, 1, 2}, "every layout occurs"
        assert {code & 15 for code in filters} >= {0, 1, 2, 8}, "several predictions occur"
        refuses_damage(read_series, names[-1])
        refuses_another_size(read_series, names[-1])
        refuses_headers_that_make_no_sense(read_series, names[-1])
        reads_the_whole_frames_of_a_cut_file(read_series, names[-1])
        refuses_several_types(read_series, names[0], names[-1])
        prints_numbers_or_one_line(reader, folder, names[-1])
        prints_the_numbers_before_a_cut(reader, folder, names[-1])
        ends_quietly_with_its_reader(reader, folder, names[-1])
    print(f"{len(names)} files are read, with {len(filters)} filters")
    return 0


def expect_problem(read_series, path, reason, expected):
    """What stands before the problem is read."""
    numbers, tail, problem = read_series(path)
    assert problem.startswith(f"{path}: the frame at byte "), problem
    assert reason in problem, f"{problem!r}, not {reason}"
    assert numbers.tobytes() + tail == expected, problem


def refuses_damage(read_series, path):
    data = bytearray(path.read_bytes())
    for at in (0, 7, 13, 17, 21, 40):
        damaged = path.with_suffix(".damaged")
        changed = bytearray(data)
        changed[at] ^= 1
        damaged.write_bytes(changed)
        expect_problem(read_series, damaged, " at byte 0 cannot be read: ", b"")
    last = list(frame_ends(data))[1]
    data[last + 40] ^= 1
    damaged.write_bytes(data)
    before = path.with_suffix(".plain").read_bytes()[:60_006]
    expect_problem(read_series, damaged, f" at byte {last} cannot be read: its checksum", before)


def refuses_another_size(read_series, path):
    """The header is whole, but the payload becomes fewer bytes than it says."""
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, 8, struct.unpack_from("<I", data, 8)[0] + 8)
    struct.pack_into("<I", data, 20, zlib.crc32(data[:20]))
    changed = path.with_suffix(".size")
    changed.write_bytes(data)
    expect_problem(read_series, changed, "it has another size than its header says", b"")


def refuses_headers_that_make_no_sense(read_series, path):
    """Their checksum is right, so a wrong program has made them."""
    for at, value in ((3, 0x13), (3, 0x31), (3, 0x48), (5, 9), (5, 0x31), (6, 0), (7, 8)):
        data = bytearray(path.read_bytes())
        assert data[6] != 0, "the frame has a prediction"
        data[at] = value
        struct.pack_into("<I", data, 20, zlib.crc32(data[:20]))
        changed = path.with_suffix(".nonsense")
        changed.write_bytes(data)
        expect_problem(read_series, changed, "it is no frame of a series", b"")


def run(reader, folder, path):
    return subprocess.run([sys.executable, reader, path], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(folder)})


def prints_numbers_or_one_line(reader, folder, path):
    """As a program of its own; `path` has doubles."""
    plain = path.with_suffix(".plain").read_bytes()
    done = run(reader, folder, path)
    printed = b"".join(struct.pack("<d", float(line)) for line in done.stdout.splitlines())
    assert printed == plain[:len(printed)] and len(printed) == len(plain) // 8 * 8, len(printed)
    path.with_suffix(".garbage").write_bytes(bytes(range(100)))
    for wrong in (path.with_suffix(".missing"), path.with_suffix(".garbage"), reader):
        done = run(reader, folder, wrong)
        assert done.returncode == 1 and not done.stdout, done
        assert done.stderr.startswith("read_series.py: ") and done.stderr.count("\n") == 1, done
    done = subprocess.run([sys.executable, reader], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(folder)})
    assert done.returncode == 1 and "usage: " in done.stderr and not done.stdout, done
    assert len(pathlib.Path(reader).read_text().splitlines()) <= 60, "the reader is short"


def prints_the_numbers_before_a_cut(reader, folder, path):
    """And then one line; 30,003 bytes of a frame are 3,750 doubles and a part of one."""
    data, plain = path.read_bytes(), path.with_suffix(".plain").read_bytes()
    cut = path.with_suffix(".cut")
    ends = list(frame_ends(data))
    for end, at in ((ends[0] + 100, ends[0]), (ends[0] - 1, 0), (10, 0)):
        cut.write_bytes(data[:end])
        done = run(reader, folder, cut)
        printed = b"".join(struct.pack("<d", float(line)) for line in done.stdout.splitlines())
        assert printed == plain[:30_000 if at else 0], len(printed)
        assert done.returncode == 1, done
        assert done.stderr == (f"read_series.py: {cut}: the frame at byte {at} cannot be read: "
                               "the file ends within it\n"), done.stderr


def ends_quietly_with_its_reader(reader, folder, path):
    """As `cat` does if `head` reads its output."""
    with subprocess.Popen([sys.executable, reader, path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": str(folder)}) as script:
        script.stdout.readline()
        script.stdout.close()
        assert script.stderr.read() == ""


def frame_ends(data):
    at = 0
    while data[at:at + 3] == b"\xe5SL":
        at += 24 + struct.unpack_from("<I", data, at + 12)[0]
        yield at


def reads_the_whole_frames_of_a_cut_file(read_series, path):
    data, plain = path.read_bytes(), path.with_suffix(".plain").read_bytes()
    ends = list(frame_ends(data))
    assert len(ends) == 3, ends  # of 30,003 bytes each
    cut = path.with_suffix(".cut")
    for end in [1, 3, 7, 23, 24, 25, ends[0] - 1, *(end + more for end in ends for more in
                                                    (0, 1, 3, 4, 7, 8, 15)), len(data) - 1]:
        cut.write_bytes(data[:end])
        frames = sum(each <= end for each in ends)
        if end in ends:
            numbers, tail, problem = read_series(cut)
            assert not problem and numbers.tobytes() + tail == plain[:30_003 * frames], end
        else:
            expect_problem(read_series, cut, "the file ends within it", plain[:30_003 * frames])


def refuses_several_types(read_series, one, other):
    joined = one.with_suffix(".joined")
    joined.write_bytes(other.read_bytes() + one.read_bytes())
    expect_problem(read_series, joined, "it has numbers of another type than the frames before",
                   other.with_suffix(".plain").read_bytes())
    joined.write_bytes(one.read_bytes() * 2)
    numbers, tail, problem = read_series(joined)
    assert not problem and numbers.tobytes() + tail == one.with_suffix(".plain").read_bytes() * 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
