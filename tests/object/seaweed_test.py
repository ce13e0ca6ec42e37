#!/usr/bin/env python3
"""Objects in SeaweedFS, a store of several servers, while one of them is killed.

usage: seaweed_test.py PROGRAM COMMAND [unittest's arguments]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import s3_store
from slow_link import SlowLink

PROGRAM = COMMAND = ""  # set by main()
TIMEOUT_S = 300
SKIPPED = 77
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def expected_content(number, size):
    return bytes((position // 7 + number) & 255 for position in range(size))


class Seaweed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sluice-object-", dir=IN_MEMORY)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.store = s3_store.Seaweed(self.folder)
        self.addCleanup(self.store.stop)
        self.store.make_bucket("bucket")

    def run_uploads(self, count, seed, max_bytes, endings, port=None):
        base, _, options = s3_store.uri("bucket", "o", port or self.store.port).partition("?")
        result = subprocess.run([PROGRAM, base, f"?{options}", str(count), str(seed),
                                 str(max_bytes), endings], capture_output=True, text=True,
                                timeout=TIMEOUT_S, check=False, env=s3_store.environment())
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        return result.stdout

    def expect_objects(self, output):
        sizes = dict(re.findall(r"^closing (\d+) (\d+)$", output, re.MULTILINE))
        closed = re.findall(r"^closed (\d+)$", output, re.MULTILINE)
        self.assertEqual({f"o{number}": int(sizes[number]) for number in closed},
                         self.store.client.objects("bucket"))
        self.assertEqual([], self.store.client.unfinished_uploads("bucket"))
        return {int(number): int(sizes[number]) for number in closed}

    def kill_after(self, sent_bytes):
        """A port whose user, after so many bytes, sees a volume server killed."""
        link = SlowLink(self.store.port, bytes_per_s=40_000_000, cut_after=sent_bytes,
                        on_cut=self.store.volumes[0].kill)
        self.addCleanup(link.close)
        return link.port

    def test_only_closed_objects_are_visible_and_no_upload_is_left(self):
        output = self.run_uploads(30, 1, 25_000_000, "cdelf")
        self.assertNotIn("failed", output)
        self.assertTrue(self.expect_objects(output))

    def test_a_volume_server_is_killed_while_an_object_is_written(self):
        output = self.run_uploads(2, 3, 100_000_000, "c", self.kill_after(30_000_000))
        print("killed while writing:", output.replace("\n", "; "), file=sys.stderr)
        for number, size in self.expect_objects(output).items():
            self.assertTrue(expected_content(number, size) ==
                            self.store.client.content("bucket", f"o{number}"))

    def test_a_volume_server_is_killed_while_an_object_is_read(self):
        output = self.run_uploads(1, 3, 100_000_000, "c")
        size = self.expect_objects(output)[0]
        link = SlowLink(self.store.port, bytes_per_s=60_000_000)
        self.addCleanup(link.close)
        process = subprocess.Popen(
            [COMMAND, "get", s3_store.uri("bucket", "o0", link.port)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0, env=s3_store.environment())
        begin = process.stdout.read(60_000)
        self.store.volumes[0].kill()
        rest, error = process.communicate(timeout=TIMEOUT_S)
        given = begin + rest
        print("killed while reading:", process.returncode, error, file=sys.stderr)
        self.assertTrue(given == expected_content(0, size)[:len(given)])
        if process.returncode == 0:
            self.assertEqual(size, len(given))
        else:
            self.assertRegex(error.decode(), r"\Asluice get: read s3://bucket/o0 at byte \d+: ")


def main():
    global PROGRAM, COMMAND
    PROGRAM, COMMAND = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    if s3_store.program("weed") is None:
        print("skipped: SeaweedFS is missing: ./dev setup --object installs it")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
