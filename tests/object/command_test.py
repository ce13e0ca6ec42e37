#!/usr/bin/env python3
"""sluice put, get and cat with the URIs of objects, over versitygw.

usage: command_test.py COMMAND [unittest's arguments]
"""
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import s3_store
from slow_link import SlowLink

COMMAND = ""  # set by main()
TIMEOUT_S = 200
SKIPPED = 77
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
DATA = bytes(range(256)) * 100_003  # more than two parts


def peak_bytes(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)[1]) << 10


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sluice-object-", dir=IN_MEMORY)
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.store = s3_store.Versity(cls.folder)
        cls.addClassCleanup(cls.store.stop)
        cls.store.client.make_bucket("bucket")

    def uri(self, name, port=None):
        return s3_store.uri("bucket", name, port or self.store.port)

    def sluice(self, *words, stdin=b"", secret=s3_store.SECRET):
        result = subprocess.run([COMMAND, *words], input=stdin, capture_output=True,
                                timeout=TIMEOUT_S, check=False,
                                env=s3_store.environment(secret))
        result.stderr = result.stderr.decode()
        for hidden in (s3_store.SECRET, s3_store.KEY, secret):
            self.assertNotIn(hidden, result.stderr)
        return result

    def expect_bytes(self, result, expected):
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        self.assertTrue(result.stdout == expected, f"{len(result.stdout)} bytes")

    def expect_line(self, result, line):
        self.assertEqual(1, result.returncode, result.stderr)
        self.assertRegex(result.stderr, rf"\A{line}\n\Z")

    def test_get_gives_what_put_wrote(self):
        for name, data in (("data", DATA), ("empty", b""), ("folder/small", b"no newline")):
            self.expect_bytes(self.sluice("put", self.uri(name), stdin=data), b"")
            self.expect_bytes(self.sluice("get", self.uri(name)), data)
            self.expect_bytes(self.sluice("cat", self.uri(name)), data)
        both = self.sluice("get", self.uri("folder/small"), self.uri("data"))
        self.expect_bytes(both, b"no newline" + DATA)

    def test_put_needs_no_more_memory_than_its_parts(self):
        """Four parts are under way, and the next one takes the memory of a part that was sent."""
        part = 10 << 20
        with subprocess.Popen([COMMAND, "put", self.uri("large")], stdin=subprocess.PIPE,
                              env=s3_store.environment()) as process:
            process.stdin.write(bytes(1 << 20))  # now the object is open
            opened = peak_bytes(process)
            for _ in range(40):
                process.stdin.write(bytes(part))
            beyond = peak_bytes(process) - opened
        self.assertEqual(0, process.returncode)
        self.assertLess(beyond, 4.5 * part)

    def test_cat_decompresses_what_put_compressed(self):
        for option in ("--compress", "--compress=lz4"):
            self.expect_bytes(self.sluice("put", option, self.uri("packed"), stdin=DATA), b"")
            self.assertLess(self.store.client.objects("bucket")["packed"], len(DATA) / 5)
            self.expect_bytes(self.sluice("cat", self.uri("packed")), DATA)

    def test_put_compresses_at_the_level_that_follows_the_format(self):
        text = b"".join(b"line %d of a text\n" % (i * 7919 % 100_003) for i in range(100_000))
        sizes = []
        for level in (-5, 12):
            self.expect_bytes(self.sluice("put", f"--compress=zstd:{level}", self.uri("level"),
                                          stdin=text), b"")
            sizes.append(self.store.client.objects("bucket")["level"])
        self.assertLess(sizes[1], sizes[0] * 0.95)
        refused = self.sluice("put", "--compress=zstd:99", self.uri("level"), stdin=b"new")
        self.assertEqual((2, b"", "sluice put: --compress: zstd has no level 99. "
                          "Its levels are -7 to 22\n"),
                         (refused.returncode, refused.stdout, refused.stderr))
        self.expect_bytes(self.sluice("cat", self.uri("level")), text)
        self.assertEqual([], self.store.client.unfinished_uploads("bucket"))

    def test_a_missing_arrow_is_named_with_a_remedy(self):
        """Copies of the executables have another name of Arrow's folder, as long as the old one."""
        moved = pathlib.Path(self.folder, "moved")
        command = pathlib.Path(COMMAND)
        parts = command.parent.parent / "lib" / "sluice"
        for path in (command, parts / "sluice-object"):
            copy = moved / path.relative_to(command.parent.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes()
            if b"/pyarrow" not in content:
                self.skipTest("this sluice was not built with the Python package pyarrow")
            copy.write_bytes(content.replace(b"/pyarrow", b"/moved-x"))
            copy.chmod(0o755)
        with unittest.mock.patch(f"{__name__}.COMMAND", moved / "bin" / "sluice"):
            for words in (("put", self.uri("x")), ("get", self.uri("x")), ("cat", self.uri("x")),
                          ("bench", "--dir", self.uri("x"))):
                self.expect_line(self.sluice(*words),
                                 rf"sluice {words[0]}: \S*/moved-x/libarrow\.so\.\d+ is missing: "
                                 "this sluice was built with it, .*LD_LIBRARY_PATH.*")
            arrow = re.search(rb"(/[^\0]*/pyarrow)/libarrow\.so", command.read_bytes())[1].decode()
            with unittest.mock.patch.dict(os.environ, LD_LIBRARY_PATH=arrow):
                self.expect_bytes(self.sluice("put", self.uri("x"), stdin=b"text"), b"")

    def test_files_go_through_the_same_commands(self):
        path = pathlib.Path(self.folder, "file of text")
        uri = f"file://{str(path).replace(' ', '%20')}"
        self.expect_bytes(self.sluice("put", uri, stdin=b"text"), b"")
        self.assertEqual(b"text", path.read_bytes())
        self.expect_bytes(self.sluice("cat", str(path), uri), b"texttext")

    def test_an_old_object_stays_after_a_signal(self):
        self.expect_bytes(self.sluice("put", self.uri("old"), stdin=b"old"), b"")
        process = subprocess.Popen([COMMAND, "put", self.uri("old")], stdin=subprocess.PIPE,
                                   env=s3_store.environment())
        process.stdin.write(DATA)
        process.stdin.flush()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(-signal.SIGTERM, process.wait(TIMEOUT_S))
        process.stdin.close()
        self.expect_bytes(self.sluice("get", self.uri("old")), b"old")
        self.assertEqual([], self.store.client.unfinished_uploads("bucket"))

    def start_put(self, uri):
        process = subprocess.Popen([COMMAND, "put", uri], stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=s3_store.environment())
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdin.close)
        return process

    def expect_end_at_a_second_signal(self, process):
        """Without this end, put would wait for the store for half a minute at least."""
        process.send_signal(signal.SIGTERM)
        for _ in range(2000):
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGINT)  # the first one may be on its way
            time.sleep(0.01)
        self.assertIn(process.poll(), (-signal.SIGINT, -signal.SIGTERM))

    def test_a_second_signal_ends_put_although_the_store_does_not_answer(self):
        self.store.client.make_bucket("unanswered")  # uploads stay there
        link = SlowLink(self.store.port)
        self.addCleanup(link.close)
        uri = s3_store.uri("unanswered", "name", link.port)
        process = self.start_put(uri)
        process.stdin.write(DATA)
        process.stdin.flush()
        link.answers.clear()
        self.expect_end_at_a_second_signal(process)
        before = link.sent_bytes
        opening = self.start_put(uri)
        while link.sent_bytes == before and opening.poll() is None:
            time.sleep(0.001)
        self.expect_end_at_a_second_signal(opening)
        self.assertEqual({}, self.store.client.objects("unanswered"))

    def test_put_says_after_a_signal_that_parts_may_stay(self):
        store = s3_store.Versity(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(store.stop)
        store.client.make_bucket("bucket")
        process = self.start_put(self.uri("parts", store.port))
        process.stdin.write(DATA)
        process.stdin.flush()
        store.kill()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(-signal.SIGTERM, process.wait(TIMEOUT_S))
        self.assertRegex(process.stderr.read().decode(),
                         r"\Asluice put: (discard|write) s3://bucket/parts.*NETWORK_CONNECTION.*"
                         r"the parts that were sent may stay in the store\n\Z")

    def test_bad_input_is_one_clear_line(self):
        get = "sluice get: open "
        self.expect_line(self.sluice("get", self.uri("missing")), get +
                         "s3://bucket/missing: the store has no such object, or no such bucket")
        self.expect_line(self.sluice("get", self.uri("name"), secret="wrong-one"),
                         get + "s3://bucket/name: .*ACCESS_DENIED.*the store refuses the cred.*")
        self.expect_line(self.sluice("get", "https://bucket.host/name"),
                         get + "https://bucket.host/name: .*endpoint_override=HOST:PORT.*")
        self.expect_line(self.sluice("get", self.uri("name").replace("scheme=http&", "")),
                         get + "s3://bucket/name: .* needs the option scheme=http.*")
        self.expect_line(self.sluice("get", "abfs://bucket/name"),
                         get + "abfs://bucket/name: .*use abfs://CONTAINER@ACCOUNT.dfs.core.*")
        self.expect_line(self.sluice("get", "s3://"), get + "s3://: the URI names no bucket: .*")
        self.expect_line(self.sluice("get", "s3://bucket"),
                         get + "s3://bucket: the URI names no object: .*")
        self.store.client.make_bucket("other")
        self.expect_line(self.sluice("put", self.uri("../other/x"), stdin=b"x"),
                         "sluice put: open s3://bucket/../other/x: a part of the name is .*")
        self.assertEqual({}, self.store.client.objects("other"))
        self.expect_line(self.sluice("put", "foo://bucket/name"),
                         "sluice put: open foo://bucket/name: sluice does not know the scheme .*")
        self.expect_line(self.sluice("put", f"s3://{s3_store.KEY}:{s3_store.SECRET}@bucket/name"),
                         "sluice put: open s3://bucket/name: a URI must not hold credentials.*")
        self.expect_line(self.sluice("put", self.uri("name"), secret="wrong-one"),
                         "sluice put: open s3://bucket/name: .*SIGNATURE_DOES_NOT_MATCH.*")
        self.expect_line(self.sluice("get", "file"), get + "file: this is no URI such as .*")

    def test_hdfs_says_which_library_is_missing(self):
        java = os.path.realpath(shutil.which("java") or "/none/bin/java")
        for home in ("/none", os.path.dirname(os.path.dirname(java))):
            places = {"JAVA_HOME": home, "ARROW_LIBHDFS_DIR": "/none", "HADOOP_HOME": "/none"}
            with unittest.mock.patch.dict(os.environ, places):
                for word in ("get", "put"):
                    result = self.sluice(word, "hdfs://host:8020/folder/name")
                    self.expect_line(
                        result, f"sluice {word}: open hdfs://host:8020/folder/name: hdfs:// needs "
                        "(Java, and libjvm.so was not found: install .* JAVA_HOME .*|"
                        "Hadoop's library, and libhdfs.so was not found: .* HADOOP_HOME .*)")

    def test_a_gs_store_that_is_away_is_an_error_after_some_seconds(self):
        began = time.monotonic()
        result = self.sluice("get", "gs://anonymous@bucket/x?scheme=http&endpoint_override="
                             f"127.0.0.1:{s3_store.free_port()}")
        self.expect_line(result, "sluice get: open gs://anonymous@bucket/x: .*")
        self.assertLess(time.monotonic() - began, 60)

    def test_bench_compares_the_ways_and_leaves_nothing(self):
        self.store.client.make_bucket("measured")
        page = pathlib.Path(self.folder, "bench.json")
        result = self.sluice("bench", "--dir", s3_store.uri("measured", "folder", self.store.port),
                             "--size", "12M", "--rounds", "1", "--json", str(page))
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        for text in (b"object-write: ", b"object-read: ", b"Arrow OutputStream 10M a call",
                     b"sluice parts_in_flight=4", b"12 MiB in s3://measured/folder/",
                     b"1 round after the warm-up", b"In short: sluice"):
            self.assertIn(text, result.stdout)
        self.assertEqual(1, result.stdout.count(b"Larger is faster."), result.stdout)
        report = json.loads(page.read_text())
        for experiment in report["experiments"]:
            self.assertEqual({1}, {len(row["seconds"]) for row in experiment["rows"]})
        self.assertEqual({}, self.store.client.objects("measured"))

    def test_bench_leaves_nothing_when_it_cannot_print(self):
        self.store.client.make_bucket("unprinted")
        with open("/dev/full", "wb") as full:
            result = subprocess.run(
                [COMMAND, "bench", "--dir", s3_store.uri("unprinted", "folder", self.store.port),
                 "--size", "1M", "--rounds", "1", "object-read"], stdout=full,
                stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False,
                env=s3_store.environment())
        self.assertNotEqual(0, result.returncode)
        self.assertEqual({}, self.store.client.objects("unprinted"))

    def test_bench_leaves_nothing_after_a_signal(self):
        self.store.client.make_bucket("interrupted")
        link = SlowLink(self.store.port, bytes_per_s=60_000_000)
        self.addCleanup(link.close)
        numbers = (signal.SIGINT, signal.SIGTERM)
        for number, sent_bytes in zip(numbers * 4, range(1_000_000, 90_000_000, 11_111_111)):
            link.sent_bytes = 0
            with subprocess.Popen(
                    [COMMAND, "bench", "--dir", s3_store.uri("interrupted", "x/y", link.port),
                     "--size", "12M", "--rounds", "1"], stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE, env=s3_store.environment()) as process:
                while link.sent_bytes < sent_bytes and process.poll() is None:
                    time.sleep(0.001)
                process.send_signal(number)
                error = process.communicate(timeout=TIMEOUT_S)[1].decode()
            self.assertEqual(128 + number, process.returncode, error)
            self.assertEqual(f"sluice bench: ended by signal {number}; its object is removed\n",
                             error)
            self.assertEqual({}, self.store.client.objects("interrupted"))
            self.assertEqual([], self.store.client.unfinished_uploads("interrupted"))

    def kill_when_it_hangs(self, process):
        """Each short wait counts as one second, however long this script stands still meanwhile."""
        is_over = threading.Event()

        def watch():
            if not any(is_over.wait(1) for _ in range(TIMEOUT_S)):
                process.kill()

        watching = threading.Thread(target=watch)
        watching.start()
        self.addCleanup(watching.join)
        self.addCleanup(is_over.set)  # runs before the other

    def full_pipe(self):
        """A pipe that has no room: a program that writes there waits until this test reads."""
        reading, writing = os.pipe()
        room = fcntl.fcntl(writing, fcntl.F_GETPIPE_SZ)
        os.write(writing, bytes(room))
        return os.fdopen(reading, "rb"), os.fdopen(writing, "wb"), room

    def wait_until_it_prints(self, process):
        """Into a pipe that has no room."""
        where = pathlib.Path(f"/proc/{process.pid}/wchan")
        while "pipe_write" not in where.read_text(encoding="utf-8"):
            self.assertIsNone(process.poll())
            time.sleep(0.001)

    def test_bench_removes_its_object_although_a_signal_comes_meanwhile(self):
        """The command prints before it removes the object. So it waits for this test with that."""
        self.store.client.make_bucket("removed")
        link = SlowLink(self.store.port)
        self.addCleanup(link.close)
        reading, writing, room = self.full_pipe()
        with reading, subprocess.Popen(
                [COMMAND, "bench", "--dir", s3_store.uri("removed", "x/y", link.port),
                 "--size", "1M", "--rounds", "1", "object-read"], stdout=writing,
                stderr=subprocess.PIPE, env=s3_store.environment()) as process:
            writing.close()
            self.kill_when_it_hangs(process)
            self.wait_until_it_prints(process)
            link.delay_s = 2  # until the signal is sent
            before = link.sent_bytes
            reading.read(room)
            while link.sent_bytes == before and process.poll() is None:
                time.sleep(0.001)
            self.assertIsNone(process.poll(), "the removal was over before the signal")
            process.send_signal(signal.SIGINT)
            link.delay_s = 0
            error = process.communicate(timeout=TIMEOUT_S)[1].decode()
        self.assertEqual("sluice bench: ended by signal 2; its object is removed\n", error)
        self.assertEqual(128 + signal.SIGINT, process.returncode)
        self.assertEqual({}, self.store.client.objects("removed"))

    def test_bench_leaves_an_empty_folder_alone_that_was_there(self):
        self.store.client.make_bucket("kept")
        self.store.client.put("kept", "folder/", b"")
        before = self.store.client.objects("kept")
        self.assertEqual({"folder/": 0}, before)
        result = self.sluice("bench", "--dir", s3_store.uri("kept", "folder", self.store.port),
                             "--size", "1M", "--rounds", "1", "object-read")
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        self.assertEqual(before, self.store.client.objects("kept"))

    def test_an_object_that_was_replaced_by_a_shorter_one_is_a_clear_error(self):
        uri = self.uri("replaced")
        size = 60_000_000
        for short in (size - 1, size - 5, size - 300_000, 50_000_000):
            self.store.client.put("bucket", "replaced", b"a" * size)
            with subprocess.Popen([COMMAND, "get", uri], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, bufsize=0,
                                  env=s3_store.environment()) as process:
                given = process.stdout.read(60_000)
                self.assertTrue(given, "no byte came")
                self.store.client.put("bucket", "replaced", b"b" * short)
                rest, error = process.communicate(timeout=TIMEOUT_S)
            given += rest
            self.assertEqual(0, len(given.translate(None, b"ab")), "bytes that never came")
            self.assertLessEqual(len(given), short)
            self.assertEqual(1, process.returncode)
            self.assertRegex(error.decode(), r"\Asluice get: read s3://bucket/replaced at byte "
                                             r"\d+: .*replaced by a shorter one.*\n\Z")

    def test_bench_refuses_what_makes_no_sense(self):
        place = f"--dir={self.uri('folder')}"
        for words, line in ((["mixed", place], "mixed cannot be measured on an object store"),
                            ([place, "--html", "x"], "--html: it does not go with an object"),
                            ([place, "--rows", "x"], "--rows: it does not go with an object")):
            result = self.sluice("bench", *words)
            self.assertEqual(2, result.returncode, result.stderr)
            self.assertIn(line, result.stderr)
        result = self.sluice("bench", "--dir", self.uri("x").replace("bucket", "no-such"),
                             "--size", "1M")
        self.assertEqual(1, result.returncode, result.stderr)
        self.assertIn("no-such", result.stderr)

    def test_a_store_that_dies_while_it_is_read_is_a_clear_error(self):
        store = s3_store.Versity(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(store.stop)
        store.client.make_bucket("bucket")
        self.expect_bytes(self.sluice("put", self.uri("data", store.port), stdin=DATA), b"")
        link = SlowLink(store.port, bytes_per_s=20_000_000)
        self.addCleanup(link.close)
        process = subprocess.Popen([COMMAND, "get", self.uri("data", link.port)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                                   env=s3_store.environment())
        begin = process.stdout.read(100_000)
        store.kill()
        rest, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(1, process.returncode)
        self.assertRegex(error.decode(), r"\Asluice get: read s3://bucket/data at byte \d+: .*\n\Z")
        given = begin + rest
        self.assertTrue(given == DATA[:len(given)])
        self.assertLess(len(given), len(DATA))


def main():
    global COMMAND
    COMMAND = os.path.abspath(sys.argv.pop(1))
    if s3_store.program("versitygw") is None:
        print("skipped: versitygw is missing: ./dev setup --object installs it")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
