#!/usr/bin/env python3
"""sluice put, get and cat with gs:// URIs, over fake-gcs-server.

usage: gcs_test.py COMMAND [unittest's arguments]
"""
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import s3_store

COMMAND = ""  # set by main()
TIMEOUT_S = 100
SKIPPED = 77
DATA = bytes(range(256)) * 100_003  # more than two parts


class FakeGcs(s3_store.Process):
    """A server for one test. It accepts everybody."""

    def __init__(self, folder):
        port = s3_store.free_port()
        super().__init__([s3_store.program("fake-gcs-server"), "-scheme", "http", "-host",
                          "127.0.0.1", "-port", str(port), "-public-host", f"127.0.0.1:{port}",
                          "-external-url", f"http://127.0.0.1:{port}", "-backend", "memory"],
                         port, folder)

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        words = None if body is None else json.dumps(body)
        connection.request(method, path, words, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        assert answer.status == 200, text
        return json.loads(text)

    def make_bucket(self, bucket):
        self.ask("POST", "/storage/v1/b?project=test", {"name": bucket})

    def objects(self, bucket):
        items = self.ask("GET", f"/storage/v1/b/{bucket}/o").get("items", [])
        return {item["name"]: int(item["size"]) for item in items}


class Gcs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sluice-gcs-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.store = FakeGcs(cls.folder)
        cls.addClassCleanup(cls.store.stop)
        for bucket in ("bucket", "written"):
            cls.store.make_bucket(bucket)

    def uri(self, name, bucket="bucket"):
        return (f"gs://anonymous@{bucket}/{name}?scheme=http&endpoint_override="
                f"127.0.0.1:{self.store.port}&retry_limit_seconds=5")

    def sluice(self, *words, stdin=b"", code=0):
        result = subprocess.run([COMMAND, *words], input=stdin, capture_output=True,
                                timeout=TIMEOUT_S, check=False, env=s3_store.environment())
        self.assertEqual(code, result.returncode, result.stderr.decode())
        return result

    def test_get_gives_what_put_wrote(self):
        for name, data in (("data", DATA), ("empty", b""), ("folder/small", b"no newline")):
            uri = self.uri(name, "written")
            self.sluice("put", uri, stdin=data)
            self.assertTrue(self.sluice("get", uri).stdout == data, name)
        self.assertEqual({"data": len(DATA), "empty": 0, "folder/small": 10},
                         {name: size for name, size in self.store.objects("written").items()
                          if not name.endswith("/")})

    def test_an_old_object_is_replaced_as_a_whole(self):
        self.sluice("put", self.uri("twice"), stdin=DATA)
        self.sluice("put", self.uri("twice"), stdin=b"new")
        self.assertEqual(b"new", self.sluice("cat", self.uri("twice")).stdout)

    def test_missing_things_are_clear_errors(self):
        result = self.sluice("get", self.uri("nothing"), code=1)
        self.assertIn(b"gs://anonymous@bucket/nothing: ", result.stderr)
        result = self.sluice("put", self.uri("x", "no-such-bucket"), stdin=b"x", code=1)
        self.assertIn(b"gs://anonymous@no-such-bucket/x", result.stderr)


def main():
    global COMMAND
    COMMAND = os.path.abspath(sys.argv.pop(1))
    if s3_store.program("fake-gcs-server") is None:
        print("skipped: fake-gcs-server is missing: ./dev setup --object installs it")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
