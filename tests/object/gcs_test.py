#!/usr/bin/env python3
"""sluice put, get and cat with gs:// URIs, over fake-gcs-server.

usage: gcs_test.py COMMAND [unittest's arguments]
"""
import http.client
import json
import unittest

import s3_store
import store_cases


class FakeGcs(s3_store.Process):
    """A server for one test. It accepts everybody."""

    def __init__(self, folder):
        port = s3_store.free_port()
        super().__init__([s3_store.program("fake-gcs-server"), "-scheme", "http", "-host",
                          "127.0.0.1", "-port", str(port), "-public-host", f"127.0.0.1:{port}",
                          "-external-url", f"http://127.0.0.1:{port}", "-backend", "memory"],
                         port, folder)

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                timeout=store_cases.TIMEOUT_S)
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


class Gcs(store_cases.Cases, unittest.TestCase):
    Store = FakeGcs
    buckets = ("bucket", "written")

    def uri(self, name, bucket="bucket"):
        return (f"gs://anonymous@{bucket}/{name}?scheme=http&endpoint_override="
                f"127.0.0.1:{self.store.port}&retry_limit_seconds=5")

    def test_missing_things_are_clear_errors(self):
        result = self.sluice("get", self.uri("nothing"), code=1)
        self.assertIn(b"gs://anonymous@bucket/nothing: ", result.stderr)
        result = self.sluice("put", self.uri("x", "no-such-bucket"), stdin=b"x", code=1)
        self.assertIn(b"gs://anonymous@no-such-bucket/x", result.stderr)


if __name__ == "__main__":
    store_cases.main("fake-gcs-server")
