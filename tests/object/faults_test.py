#!/usr/bin/env python3
"""What a store has after uploads that ended in every way, over versitygw.

usage: faults_test.py PROGRAM [unittest's arguments]

SLUICE_OBJECT_TIMES has the number of times that the random tests are longer.
"""
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import s3_store
import uploaded
from slow_link import SlowLink

PROGRAM = ""  # set by main()
TIMES = int(os.environ.get("SLUICE_OBJECT_TIMES", "1"))
TIMEOUT_S = 300 * TIMES
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SKIPPED = 77
MAX_BYTES = 45_000_000  # more than four parts
SEED = int(os.environ.get("SLUICE_OBJECT_SEED", "1"))


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sluice-object-", dir=IN_MEMORY)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.store = s3_store.Versity(self.folder)
        self.addCleanup(self.store.stop)
        self.client = self.store.client
        self.client.make_bucket("bucket")

    def words(self, count, seed, max_bytes, endings, min_bytes=0, port=None, bucket="bucket",
              prefix="o"):
        base, _, options = s3_store.uri(bucket, prefix, port or self.store.port).partition("?")
        return [PROGRAM, base, f"?{options}", *map(str, (count, seed, min_bytes, max_bytes)),
                endings]

    def run_uploads(self, *arguments, secret=s3_store.SECRET, **more):
        result = subprocess.run(self.words(*arguments, **more), capture_output=True, text=True,
                                timeout=TIMEOUT_S, check=False,
                                env=s3_store.environment(secret))
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        for hidden in (s3_store.SECRET, s3_store.KEY, secret):
            self.assertNotIn(hidden, result.stdout)
        return result.stdout

    def link(self, **faults):
        link = SlowLink(self.store.port, **faults)
        self.addCleanup(link.close)
        return link

    def expect_objects(self, output, prefix="o", client=None):
        """Every object of the output that was closed is there, and no other; none is unfinished.
        The largest one has the right bytes."""
        client = client or self.client
        closed = uploaded.closed(output)
        self.assertEqual({f"{prefix}{number}": size for number, size in closed.items()},
                         client.objects("bucket"))
        self.assertEqual([], client.unfinished_uploads("bucket"))
        if closed:
            number = max(closed, key=closed.get)
            self.expect_content(prefix, number, closed[number], client)
        return closed

    def expect_content(self, prefix, number, size, client=None):
        self.assertTrue(uploaded.content(number, size) ==
                        (client or self.client).content("bucket", f"{prefix}{number}"))

    def test_only_closed_objects_are_visible_and_no_upload_is_left(self):
        counts = collections.Counter()
        for turn in range(TIMES):
            output = self.run_uploads(40, SEED + turn, MAX_BYTES, "cdelf")
            self.assertNotIn("failed", output)
            closed = self.expect_objects(output)
            self.assertTrue(closed)
            self.assertEqual(0, self.client.remove_all("bucket"))
            counts += collections.Counter(uploads=40, closed=len(closed),
                                          closed_bytes=sum(closed.values()))
        print("ended, from seed", SEED, dict(counts), file=sys.stderr)

    def test_a_killed_process_shows_only_objects_that_it_closed(self):
        moment = random.Random(SEED)
        states = collections.Counter()
        for number in range(12 * TIMES):
            prefix = f"k{number}-"
            process = subprocess.Popen(
                self.words(1000, SEED + number, MAX_BYTES, "c", prefix=prefix),
                stdout=subprocess.PIPE, text=True, env=s3_store.environment())
            time.sleep(moment.uniform(0.02, 0.6))
            process.kill()
            output = process.communicate()[0]
            begun, closed = uploaded.closing(output), uploaded.closed(output)
            there = {int(name.removeprefix(prefix)): size
                     for name, size in self.client.objects("bucket").items()
                     if name.startswith(prefix)}  # a killed end may come late
            # An object is there if close() was ok, and may be there if close() had begun.
            self.assertLessEqual(closed.items(), there.items())
            self.assertLessEqual(there.items(), begun.items())
            sample = [moment.choice(sorted(closed))] if closed else []
            for seen in [*sample, *(there.keys() - closed.keys())]:
                self.expect_content(prefix, seen, there[seen])
            unfinished = self.client.remove_all("bucket")
            self.assertLessEqual(unfinished, 1)
            states += collections.Counter({
                "kills": 1, "closed": len(closed), "left unfinished": unfinished,
                "whole while closing": len(there) - len(closed)})
        print("killed, from seed", SEED, dict(states), file=sys.stderr)
        self.assertGreater(states["left unfinished"], 0)

    def test_a_wrong_secret_and_a_missing_bucket_are_refused_at_open(self):
        output = self.run_uploads(1, SEED, 1000, "c", secret="another-secret")
        self.assertRegex(output, r"^closing 0 \d+\nfailed 0 open s3://bucket/o0: .*SIGNATURE_DOES_"
                                 r"NOT_MATCH.*\n$")
        output = self.run_uploads(1, SEED, 1000, "c", bucket="missing")
        self.assertRegex(output, r"\nfailed 0 open s3://missing/o0: .*NO_SUCH_BUCKET.*\n$")
        self.expect_objects("")

    def test_a_slow_store_gets_everything(self):
        link = self.link(delay_s=0.02, bytes_per_s=10_000_000)
        output = self.run_uploads(2, SEED, MAX_BYTES, "c", port=link.port)
        self.assertEqual(2, len(self.expect_objects(output)))

    def test_a_store_that_starts_again_in_mid_upload_gets_everything(self):
        def again():
            self.store.kill()
            self.store.start()

        link = self.link(cut_after=12_000_000, on_cut=again, bytes_per_s=60_000_000)
        output = self.run_uploads(1, SEED, 45_000_000, "c", min_bytes=45_000_000, port=link.port)
        self.assertIsNone(link.cut_after, "the store was not started again")
        self.expect_objects(output)
        if "closed 0" not in output:
            self.assertRegex(output, r"failed 0 (write|close) s3://bucket/o0")
        print("restarted:", output.split("\n")[-2], file=sys.stderr)

    def test_an_answer_that_is_lost_at_the_end_is_told(self):
        """The store has replaced the object, and then nobody can ask it."""
        self.client.put("bucket", "o0", b"old")
        link = self.link(lost_answer=b"<CompleteMultipartUploadResult", on_cut=self.store.kill)
        size = 25_000_000
        output = self.run_uploads(1, SEED, size, "c", min_bytes=size, port=link.port)
        self.assertIsNone(link.lost_answer, "no answer was lost")
        self.assertRegex(output, r"\nfailed 0 close s3://bucket/o0: .*NETWORK_CONNECTION.* "
                                 r"\(the store may .*have the object.*\)\n\Z")
        self.store.start()
        self.assertEqual({"o0": size}, self.client.objects("bucket"))
        self.expect_content("o", 0, size)

    def test_a_store_that_stays_away_is_a_clear_error(self):
        link = self.link(cut_after=12_000_000, on_cut=self.store.kill)
        began = time.monotonic()
        output = self.run_uploads(1, SEED, 45_000_000, "c", min_bytes=45_000_000, port=link.port)
        self.assertLess(time.monotonic() - began, 120)
        self.assertRegex(output, r"\nfailed 0 (write|close) s3://bucket/o0.*NETWORK_CONNECTION")
        self.store.start()
        self.assertEqual({}, self.client.objects("bucket"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small file system")
    def test_a_full_store_is_a_clear_error_and_keeps_nothing(self):
        small = pathlib.Path(self.folder, "small")
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24M", "tmpfs", small], check=True)
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        full = s3_store.Versity(small)
        self.addCleanup(full.stop)
        full.client.make_bucket("bucket")
        for size in (10_000_000, 23_000_000, 28_000_000, 31_000_000, 100_000_000):
            output = self.run_uploads(1, SEED, size, "c", min_bytes=size, port=full.port)
            print("full:", output.replace("\n", "; "), file=sys.stderr)
            self.expect_objects(output, client=full.client)
            if size > 24 << 20:
                self.assertRegex(output, r"\nfailed 0 (write|close) s3://bucket/o0")
            full.client.remove_all("bucket")


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    if s3_store.program("versitygw") is None:
        print("skipped: versitygw is missing: ./dev setup --object installs it")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
