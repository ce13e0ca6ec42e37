#!/usr/bin/env python3
"""sluice put, get and cat with abfs:// URIs, over Azurite.

usage: azure_test.py COMMAND [unittest's arguments]
"""
import base64
import datetime
import hashlib
import hmac
import http.client
import os
import re
import subprocess
import unittest

import s3_store
import store_cases
from store_cases import DATA, TIMEOUT_S

ACCOUNT = "account"
KEY = base64.b64encode(b"a key that nobody should see").decode()


class Azurite(s3_store.Process):
    """A server for one test. It refuses a wrong key, and has no hierarchical namespace."""

    def __init__(self, folder):
        port = s3_store.free_port()
        os.environ["AZURITE_ACCOUNTS"] = f"{ACCOUNT}:{KEY}"
        super().__init__([s3_store.program("azurite-blob"), "--silent", "--skipApiVersionCheck",
                          "--disableTelemetry", "--inMemoryPersistence", "--blobHost", "127.0.0.1",
                          "--blobPort", str(port)], port, folder)

    def ask(self, method, path, query):
        """A request that is signed with the key of the account."""
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S GMT")
        headers = {"x-ms-date": date, "x-ms-version": "2021-12-02"}
        named = "".join(f"{name}:{value}\n" for name, value in sorted(headers.items()))
        asked = "".join(f"\n{name}:{value}" for name, value in sorted(query.items()))
        signed = f"{method}" + "\n" * 12 + f"{named}/{ACCOUNT}/{ACCOUNT}{path}{asked}"
        digest = hmac.digest(base64.b64decode(KEY), signed.encode(), hashlib.sha256)
        headers["Authorization"] = f"SharedKey {ACCOUNT}:{base64.b64encode(digest).decode()}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        words = "&".join(f"{name}={value}" for name, value in query.items())
        connection.request(method, f"/{ACCOUNT}{path}?{words}", headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status in (200, 201), text
        return text

    def make_bucket(self, name):
        self.ask("PUT", f"/{name}", {"restype": "container"})

    def objects(self, container):
        text = self.ask("GET", f"/{container}", {"comp": "list", "restype": "container"})
        return {name: int(size) for name, size in re.findall(
            r"<Name>([^<]*)</Name>.*?<Content-Length>(\d+)</Content-Length>", text, re.DOTALL)}


class Azure(store_cases.Cases, unittest.TestCase):
    Store = Azurite
    buckets = ("container", "written")

    def uri(self, name, container="container"):
        return f"abfs://{ACCOUNT}@127.0.0.1:{self.store.port}/{container}/{name}?enable_tls=false"

    def environment(self):
        return dict(os.environ, AZURE_STORAGE_KEY=KEY)

    def test_an_upload_that_fails_leaves_the_old_object(self):
        self.sluice("put", self.uri("old"), stdin=b"old")
        with subprocess.Popen([self.command, "put", self.uri("old")], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              env=self.environment()) as putting:
            putting.stdin.write(DATA)
            putting.stdin.flush()
            putting.terminate()
            putting.communicate(timeout=TIMEOUT_S)
        self.assertNotEqual(0, putting.returncode)
        self.assertEqual(b"old", self.sluice("cat", self.uri("old")).stdout)
        left = [name for name in self.store.objects("container") if name.startswith(".sluice-")]
        self.assertEqual([], left)

    def test_missing_things_and_a_wrong_key_are_clear_errors(self):
        result = self.sluice("get", self.uri("nothing"), code=1)
        shown = f"abfs://{ACCOUNT}@127.0.0.1:{self.store.port}/container/nothing: "
        self.assertIn(shown.encode(), result.stderr)
        self.sluice("put", self.uri("x", "no-such-container"), stdin=b"x", code=1)
        for wrong in (base64.b64encode(b"another key").decode(), "not base64!"):
            for words in (("get", self.uri("x")), ("put", self.uri("x"))):
                result = self.sluice(*words, code=1, AZURE_STORAGE_KEY=wrong)
                self.assertNotIn(wrong.encode(), result.stderr)
                self.assertNotIn(KEY.encode(), result.stderr)


if __name__ == "__main__":
    store_cases.main("azurite-blob")
