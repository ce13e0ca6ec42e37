"""What holds for sluice put, get and cat in each store, and how such a test begins."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import s3_store

TIMEOUT_S = 100
SKIPPED = 77
DATA = bytes(range(256)) * 100_003  # more than two parts


class Cases:
    """A base beside unittest.TestCase. The test says `Store`, the class of the server, `buckets`,
    which the server gets, and `uri(name, bucket)`. The second bucket belongs to the cases here."""
    command = ""  # set by main()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sluice-object-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.store = cls.Store(cls.folder)
        cls.addClassCleanup(cls.store.stop)
        for bucket in cls.buckets:
            cls.store.make_bucket(bucket)

    def environment(self):
        return s3_store.environment()

    def sluice(self, *words, stdin=b"", code=0, **other_environment):
        result = subprocess.run([self.command, *words], input=stdin, capture_output=True,
                                timeout=TIMEOUT_S, check=False,
                                env=self.environment() | other_environment)
        self.assertEqual(code, result.returncode, result.stderr.decode())
        return result

    def test_get_gives_what_put_wrote(self):
        bucket = self.buckets[1]
        for name, data in (("data", DATA), ("empty", b""), ("folder/small", b"no newline")):
            uri = self.uri(name, bucket)
            self.sluice("put", uri, stdin=data)
            self.assertTrue(self.sluice("get", uri).stdout == data, name)
        self.assertEqual({"data": len(DATA), "empty": 0, "folder/small": 10},
                         {name: size for name, size in self.store.objects(bucket).items()
                          if not name.endswith("/")})

    def test_an_old_object_is_replaced_as_a_whole(self):
        uri = self.uri("twice", self.buckets[0])
        self.sluice("put", uri, stdin=DATA)
        self.sluice("put", uri, stdin=b"new")
        self.assertEqual(b"new", self.sluice("cat", uri).stdout)


def main(server):
    """Runs the tests of a script whose first word is the command, if `server` is installed."""
    Cases.command = os.path.abspath(sys.argv.pop(1))
    if s3_store.program(server) is None:
        print(f"skipped: {server} is missing: ./dev setup --object installs it")
        sys.exit(SKIPPED)
    unittest.main()
