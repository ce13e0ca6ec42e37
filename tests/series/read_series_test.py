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
            numbers, tail = read_series(name)
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
        reads_the_whole_frames_of_a_cut_file(read_series, names[-1])
        refuses_several_types(read_series, names[0], names[-1])
        prints_numbers_or_one_line(reader, folder, names[-1])
    print(f"{len(names)} files are read, with {len(filters)} filters")
    return 0


def expect_refused(read_series, path, reason):
    try:
        read_series(path)
    except Exception as refusal:
        assert reason in str(refusal), f"{refusal!r}, not {reason}"
        return
    raise AssertionError(f"the file is read, although {reason}")


def refuses_damage(read_series, path):
    data = bytearray(path.read_bytes())
    for at in (0, 7, 13, 17, 21, 40):
        damaged = path.with_suffix(".damaged")
        changed = bytearray(data)
        changed[at] ^= 1
        damaged.write_bytes(changed)
        expect_refused(read_series, damaged, "")  # whatever says that it cannot be read


def refuses_another_size(read_series, path):
    """The header is whole, but the payload becomes fewer bytes than it says."""
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, 8, struct.unpack_from("<I", data, 8)[0] + 8)
    struct.pack_into("<I", data, 20, zlib.crc32(data[:20]))
    changed = path.with_suffix(".size")
    changed.write_bytes(data)
    expect_refused(read_series, changed, "a frame has another size than its header says")


def prints_numbers_or_one_line(reader, folder, path):
    """As a program of its own; `path` has doubles."""
    def run(argument):
        return subprocess.run([sys.executable, reader, argument], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(folder)})
    plain = path.with_suffix(".plain").read_bytes()
    done = run(path)
    printed = b"".join(struct.pack("<d", float(line)) for line in done.stdout.splitlines())
    assert printed == plain[:len(printed)] and len(printed) == len(plain) // 8 * 8, len(printed)
    for wrong in (path.with_suffix(".missing"), path.with_suffix(".damaged"), reader):
        done = run(wrong)
        assert done.returncode == 1 and not done.stdout, done
        assert done.stderr.startswith("read_series.py: ") and done.stderr.count("\n") == 1, done


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
        numbers, tail = read_series(cut, allow_cut=True)
        assert numbers.tobytes() + tail == plain[:30_003 * frames], end
        if end not in ends:
            expect_refused(read_series, cut, "the file ends within the frame at byte")


def refuses_several_types(read_series, one, other):
    joined = one.with_suffix(".joined")
    joined.write_bytes(other.read_bytes() + one.read_bytes())
    expect_refused(read_series, joined, "the file has numbers of several types")
    joined.write_bytes(one.read_bytes() * 2)
    numbers, tail = read_series(joined)
    assert numbers.tobytes() + tail == one.with_suffix(".plain").read_bytes() * 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
