#!/usr/bin/env python3
"""Compares what examples/read_series.py reads with what the library wrote.

usage: read_series_test.py SAMPLES READER FOLDER   (a program, a script, a folder for packages)
"""

import pathlib
import runpy
import subprocess
import sys
import tempfile

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
            array = read_series(name)
            assert array.tobytes() == name.with_suffix(".plain").read_bytes(), name
            filters.add(name.read_bytes()[5])
            kind = int(name.name.split("-")[0])
            assert array.dtype.str[1:] == f"{'?uif'[kind >> 4]}{kind & 15}", array.dtype
        assert len(names) == 80, len(names)
        assert {code >> 4 for code in filters} == {0, 1, 2}, "every layout occurs"
        assert {code & 15 for code in filters} >= {0, 1, 2, 8}, "several predictions occur"
        refuses_damage(read_series, names[-1])
    print(f"{len(names)} files are read, with {len(filters)} filters")
    return 0


def refuses_damage(read_series, path):
    data = bytearray(path.read_bytes())
    for at in (0, 7, 13, 17, 21, 40):
        damaged = path.with_suffix(".damaged")
        changed = bytearray(data)
        changed[at] ^= 1
        damaged.write_bytes(changed)
        try:
            read_series(damaged)
        except Exception:  # whatever says that it cannot be read
            continue
        raise AssertionError(f"a changed byte {at} is not noticed")

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
