#!/usr/bin/env python3
"""Objects in SeaweedFS, a store of several servers, while one of them is killed.

usage: seaweed_test.py PROGRAM COMMAND [unittest's arguments]
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import s3_store
import uploaded
from slow_link import SlowLink

PROGRAM = COMMAND = ""  # set by main()
TIMEOUT_S = 300
SKIPPED = 77
LARGE = 80_000_000  # more bytes than a Reader or a Writer has in memory
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Seaweed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sluice-object-", dir=IN_MEMORY)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.store = s3_store.Seaweed(self.folder)
        self.addCleanup(self.store.stop)
        self.store.make_bucket("bucket")

    def run_uploads(self, count, min_bytes, max_bytes, endings, port=None):
        base, _, options = s3_store.uri("bucket", "o", port or self.store.port).partition("?")
        words = [PROGRAM, base, f"?{options}", *map(str, (count, 1, min_bytes, max_bytes)), endings]
        result = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S,
                                check=False, env=s3_store.environment())
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        return result.stdout

    def expect_objects(self, output):
        closed = uploaded.closed(output)
        self.assertEqual({f"o{number}": size for number, size in closed.items()},
                         self.store.client.objects("bucket"))
        self.assertEqual([], self.store.client.unfinished_uploads("bucket"))
        return closed

    def test_only_closed_objects_are_visible_and_no_upload_is_left(self):
        output = self.run_uploads(30, 0, 25_000_000, "cdelf")
        self.assertNotIn("failed", output)
        self.assertTrue(self.expect_objects(output))

    def test_a_volume_server_is_killed_while_an_object_is_written(self):
        link = SlowLink(self.store.port, bytes_per_s=40_000_000, cut_after=30_000_000,
                        on_cut=self.store.volumes[0].kill)
        self.addCleanup(link.close)
        output = self.run_uploads(2, LARGE, LARGE, "c", link.port)
        print("killed while writing:", output.replace("\n", "; "), file=sys.stderr)
        self.assertIsNotNone(self.store.volumes[0].process.returncode, "no server was killed")
        self.assertEqual({0: LARGE, 1: LARGE}, self.expect_objects(output))
        for number in range(2):
            self.assertTrue(uploaded.content(number, LARGE) ==
                            self.store.client.content("bucket", f"o{number}"))

    def test_a_volume_server_is_killed_while_an_object_is_read(self):
        self.assertEqual({0: LARGE}, self.expect_objects(self.run_uploads(1, LARGE, LARGE, "c")))
        link = SlowLink(self.store.port, bytes_per_s=60_000_000)
        self.addCleanup(link.close)
        process = subprocess.Popen(
            [COMMAND, "get", s3_store.uri("bucket", "o0", link.port)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0, env=s3_store.environment())
        begin = process.stdout.read(60_000)
        self.store.volumes[0].kill()
        # What it has in memory, and what the pipe holds, is less than the object.
        self.assertIsNone(process.poll(), "the object was read before the server was killed")
        rest, error = process.communicate(timeout=TIMEOUT_S)
        print("killed while reading:", process.returncode, error, file=sys.stderr)
        self.assertEqual((0, b""), (process.returncode, error))
        self.assertTrue(begin + rest == uploaded.content(0, LARGE))


def main():
    global PROGRAM, COMMAND
    PROGRAM, COMMAND = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    if s3_store.program("weed") is None:
        print("skipped: SeaweedFS is missing: ./dev setup --object installs it")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
