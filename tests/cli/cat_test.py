#!/usr/bin/env python3
"""sluice cat and sluice put --compress: compressed files, also of other programs."""
import gzip
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import unittest

import sluice_command
from sluice_command import CommandTest, TIMEOUT_S

TEXT = b"".join(b"line %d of a text that compresses\n" % (i * 7919 % 100_003)
                for i in range(60_000))
SOURCES = pathlib.Path(__file__).resolve().parents[2]
NOISE = random.Random(1).randbytes(1_000_000)

# How another program makes a file of standard input, and standard output of a file.
PROGRAMS = {"zstd": (["zstd", "-c"], ["zstd", "-dc"]), "lz4": (["lz4", "-c"], ["lz4", "-dc"]),
            "gzip": (["gzip", "-c"], ["gzip", "-dc"])}


def output_of(words, data):
    return subprocess.run(words, input=data, stdout=subprocess.PIPE, timeout=TIMEOUT_S,
                          check=True).stdout


class Cat(CommandTest):
    def run_bytes(self, *arguments, stdin=b"", **options):
        result = subprocess.run([sluice_command.COMMAND, *map(str, arguments)], input=stdin,
                                capture_output=True, timeout=TIMEOUT_S, check=False, **options)
        result.stderr = result.stderr.decode()
        return result

    def cat(self, *arguments, **options):
        return self.run_bytes("cat", *arguments, **options)

    def bytes_input(self, name, content):
        path = self.inputs / name
        path.write_bytes(content)
        return path

    def expect_bytes(self, result, expected):
        self.expect_ok(result)
        self.assertTrue(result.stdout == expected, f"{len(result.stdout)} bytes")

    def put(self, data, *options):
        path = self.inputs / "put"
        self.expect_ok(self.run_bytes("put", *options, path, stdin=data))
        return path

    def test_reads_what_put_compresses(self):
        for option in ("--compress", "--compress=zstd", "--compress=lz4"):
            for data in (b"", b"x", TEXT, NOISE):
                with self.subTest(option=option, bytes=len(data)):
                    path = self.put(data, option)
                    self.expect_bytes(self.cat(path), data)
                    size = path.stat().st_size
                    self.assertLess(size, len(data) / 2 if data == TEXT else len(data) * 1.001 + 99)

    def test_put_compresses_at_the_level_that_follows_the_format(self):
        for name, low, high in (("zstd", -5, 12), ("lz4", 1, 9), ("series:int8", -5, 12)):
            sizes = []
            for level in (low, high):
                path = self.put(TEXT, f"--compress={name}:{level}")
                self.expect_bytes(self.cat(path), TEXT)
                sizes.append(path.stat().st_size)
            self.assertLess(sizes[1], sizes[0] * 0.95, name)
        small = self.put(TEXT, "--compress=zstd:1", "--compress=zstd:12").stat().st_size
        for options in (["--compress=zstd:12", "--compress=zstd:-5"],
                        ["--compress=zstd:12", "--compress"]):
            self.assertLess(small, self.put(TEXT, *options).stat().st_size * 0.95, options)

    def test_put_refuses_a_level_that_the_format_does_not_have(self):
        old = self.bytes_input("old", b"the old file")
        self.expect_usage(self.run_bytes("put", "--compress=lz4:99999999999", old),
                          "the level 99999999999 is too large")
        for level in ("", "best", "3x", "1.5"):
            for name in ("zstd", "series:double"):
                self.expect_usage(self.run_bytes("put", f"--compress={name}:{level}", old),
                                  f"'{level}' is no level. A level is a whole number: "
                                  f"--compress={name}:3")
        self.expect_usage(self.run_bytes("put", "--compress=brotli:3", old),
                          "'brotli:3' is no format that sluice writes")
        for name, lowest, highest in (("zstd", -7, 22), ("lz4", -10, 12), ("series:int8", -7, 22)):
            for level in (lowest - 1, highest + 1):
                for options in ([], ["--atomic"]):
                    self.expect_usage(self.run_bytes("put", *options, f"--compress={name}:{level}",
                                                     old),
                                      f"sluice put: --compress: {name} has no level {level}. "
                                      f"Its levels are {lowest} to {highest}\n")
        self.assertEqual(b"the old file", old.read_bytes())

    def test_put_offers_every_format_that_the_library_writes(self):
        source = (SOURCES / "src/compression/series.cc").read_text()
        names = {"zstd", "lz4", *re.findall(r'Series\("(series:\w+)", SeriesType', source)}
        self.assertEqual(12, len(names))
        said = self.run_bytes("put", "--compress=brotli", "x").stderr
        self.assertEqual(names, set(re.search(r"Formats: (.*)", said)[1].split(", ")))
        for name in names:
            self.expect_bytes(self.cat(self.put(TEXT, f"--compress={name}")), TEXT)

    def test_reads_numbers_that_put_compresses(self):
        counter = struct.pack("=30000q", *range(0, 90000, 3))
        for kind in ("int64", "uint64", "double", "int8"):
            for data in (counter, counter + b"odd", b"", b"x", NOISE):
                with self.subTest(kind=kind, bytes=len(data)):
                    path = self.put(data, f"--compress=series:{kind}")
                    self.expect_bytes(self.cat(path), data)
                    small = data.startswith(counter) and kind.endswith("64")
                    self.assertLess(path.stat().st_size, 2000 if small else len(data) * 1.001 + 99)

    def test_put_takes_no_format_behind_a_blank(self):
        for words in (["lz4"], ["lz4", "q"]):
            self.expect_usage(self.run_bytes("put", "--compress", *words, cwd=self.inputs),
                              "for the format, write '--compress=lz4'")
        self.assertEqual([], os.listdir(self.inputs))
        self.put(TEXT, "--compress")
        self.run_bytes("put", "--compress", "./lz4", cwd=self.inputs, stdin=TEXT)
        self.assertTrue((self.inputs / "lz4").exists())

    def test_put_compresses_with_its_other_options(self):
        path = self.put(b"old")
        path.chmod(0o640)
        for options in (["--atomic", "--compress"], ["--compress=lz4", "--durable"],
                        ["--durable", "--atomic", "--compress=lz4"]):
            self.put(TEXT, *options)
            self.expect_bytes(self.cat(path), TEXT)
            self.assertEqual(0o640, path.stat().st_mode & 0o777)
            self.assertEqual(["put"], os.listdir(self.inputs))

    def put_in_pieces(self, data, name, seed):
        size = random.Random(seed)
        path = self.inputs / "pieces"
        with subprocess.Popen([sluice_command.COMMAND, "put", f"--compress={name}", path],
                              stdin=subprocess.PIPE, bufsize=0) as command:
            while data:
                data = data[command.stdin.write(data[:size.randrange(1, 70_000)]):]
            command.stdin.close()
            self.assertEqual(0, command.wait(TIMEOUT_S))
        return path.read_bytes()

    def test_put_makes_the_same_file_however_the_input_comes(self):
        data = TEXT * 6
        source = self.bytes_input("source", data)
        for name in ("zstd", "lz4", "series:int8"):
            whole = self.inputs / "whole"
            with open(source, "rb") as file:
                subprocess.run([sluice_command.COMMAND, "put", f"--compress={name}", whole],
                               stdin=file, timeout=TIMEOUT_S, check=True)
            for seed in (1, 2):
                self.assertTrue(self.put_in_pieces(data, name, seed) == whole.read_bytes(),
                                f"{name}, seed {seed}")

    def test_other_programs_read_what_put_compresses(self):
        for name in ("zstd", "lz4"):
            if not shutil.which(name):
                self.skipTest(f"no {name}")
            for data in (TEXT, NOISE, b"x"):
                path = self.put(data, f"--compress={name}")
                self.assertTrue(output_of([*PROGRAMS[name][1], path], b"") == data)
                subprocess.run([name, "-t", path], stderr=subprocess.DEVNULL, check=True)

    def test_reads_files_of_other_programs(self):
        for name, (compress, _) in PROGRAMS.items():
            if not shutil.which(name):
                self.skipTest(f"no {name}")
            for data in (TEXT, NOISE, b""):
                with self.subTest(program=name, bytes=len(data)):
                    file = output_of(compress, data)
                    self.expect_bytes(self.cat(stdin=file), data)
                    self.expect_bytes(self.cat("-", stdin=file + file), data + data)

    def test_reads_several_files(self):
        plain = self.bytes_input("plain", b"plain\n")
        zipped = self.bytes_input("zipped", gzip.compress(b"one\n") + gzip.compress(b"two\n"))
        compressed = self.put(b"put\n", "--compress")
        self.expect_bytes(self.cat(plain, zipped, "-", compressed, stdin=b"input\n"),
                          b"plain\none\ntwo\ninput\nput\n")
        joined = self.bytes_input("joined", zipped.read_bytes() + compressed.read_bytes())
        self.expect_bytes(self.cat(joined), b"one\ntwo\nput\n")

    def test_names_a_damaged_file_and_goes_on(self):
        path = self.put(TEXT, "--compress")
        file = bytearray(path.read_bytes())
        file[len(file) * 3 // 4] ^= 1  # in the second of three frames
        damaged = self.bytes_input("damaged", file)
        plain = self.bytes_input("plain", b"plain\n")
        result = self.cat(damaged, plain)
        whole = len(result.stdout) - len(b"plain\n")
        self.assertEqual(TEXT[:whole] + b"plain\n", result.stdout)
        self.assertEqual(1 << 20, whole, "the first frame")
        self.expect_line(result, rf"read {damaged} at byte {whole}: .* of the file\)")
        # What was written before the damage stays, also without a further file.
        result = self.cat(damaged)
        self.assertEqual(TEXT[:whole], result.stdout)
        self.assertEqual(1, result.returncode)

    def test_damage_in_a_member_above_8_mib_is_reported_after_bytes_were_written(self):
        file = bytearray(gzip.compress(bytes(20 << 20), 0))  # stored blocks
        file[1 << 20] ^= 1
        damaged = self.bytes_input("damaged", file)
        result = self.cat(damaged)
        self.assertGreater(len(result.stdout), 8 << 20)
        self.expect_line(result, rf"read {damaged} at byte \d+: the frame is damaged.*"
                         r"\(gzip, in the frame at byte \d+ of the file\)")
        file = bytearray(gzip.compress(bytes(7 << 20), 0))
        file[1 << 20] ^= 1
        result = self.cat(self.bytes_input("damaged", file))
        self.assertEqual((1, b""), (result.returncode, result.stdout))

    def test_names_a_file_that_was_cut(self):
        cut = self.bytes_input("cut", gzip.compress(TEXT)[:-1])
        self.expect_line(self.cat(cut), f"read {cut} at byte 0: the file ends within a compressed "
                         r"frame \(gzip, in the frame at byte 0 of the file\)")

    def test_names_files_that_cannot_be_read(self):
        plain = self.bytes_input("plain", b"plain\n")
        missing = self.inputs / "missing"
        result = self.cat(missing, self.folder, plain)
        self.assertEqual(b"plain\n", result.stdout)
        self.assertEqual(1, result.returncode)
        self.assertEqual(f"sluice cat: open {missing}: No such file or directory\n"
                         f"sluice cat: open {self.folder}: Is a directory\n", result.stderr)
        closed = self.cat(preexec_fn=lambda: os.close(0))
        self.expect_line(closed, "open standard input: the descriptor is not open for reading")

    def test_does_not_read_what_it_writes(self):
        path = self.bytes_input("path", b"bytes\n")
        with open(path, "ab") as output:
            result = subprocess.run([sluice_command.COMMAND, "cat", path], stdout=output,
                                    stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S,
                                    check=False)
        self.expect_line(result, f"open {path}: the file is also standard output")
        self.assertEqual(b"bytes\n", path.read_bytes())

    def test_tells_of_output_that_cannot_be_written(self):
        path = self.put(TEXT, "--compress")
        with open("/dev/full", "wb") as full:
            result = subprocess.run([sluice_command.COMMAND, "cat", path], stdout=full,
                                    stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S,
                                    check=False)
        self.expect_line(result, "write standard output at byte 0: No space left on device")

    def start_with_no_reader(self, path, **options):
        process = subprocess.Popen([sluice_command.COMMAND, "cat", path], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **options)
        process.stdout.close()
        self.addCleanup(process.stderr.close)
        process.wait(TIMEOUT_S)
        return process

    def test_ends_by_sigpipe(self):
        path = self.put(TEXT * 10, "--compress")
        process = self.start_with_no_reader(path)
        self.assertEqual(-signal.SIGPIPE, process.returncode)
        self.assertEqual("", process.stderr.read())
        process = self.start_with_no_reader(
            path, restore_signals=False,
            preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
        self.assertEqual(1, process.returncode)
        self.assertRegex(process.stderr.read(), "^sluice cat: write standard output.*Broken pipe")

    def test_gives_bytes_out_as_they_come(self):
        process = subprocess.Popen([sluice_command.COMMAND, "cat"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        for line in (b"first\n", b"second\n"):
            process.stdin.write(line)
            process.stdin.flush()
            self.assertEqual(line, process.stdout.readline())
        process.stdin.close()
        self.assertEqual(b"", process.stdout.read())
        self.assertEqual(0, process.wait(TIMEOUT_S))
        process.stdout.close()

    def test_reads_a_bomb_in_little_memory(self):
        # 64 KiB of zstd, blocks of one repeated byte, become 2 GiB.
        bomb = b"\x28\xb5\x2f\xfd\x00\x38" + b"\x02\x00\x10x" * 16_384
        command = f"ulimit -v 500000; '{sluice_command.COMMAND}' cat | head -c 2000000000 | wc -c"
        count = subprocess.run(["sh", "-c", command], input=bomb, stdout=subprocess.PIPE,
                               timeout=TIMEOUT_S, check=True).stdout
        self.assertEqual(2_000_000_000, int(count))

    def test_wrong_command_lines(self):
        self.expect_usage(self.cat(""), "the name is empty")
        self.expect_usage(self.cat("--all"), "unknown option '--all'")
        for format_name in ("gzip", "brotli"):
            self.expect_usage(self.run_bytes("put", f"--compress={format_name}", "x"),
                              f"'{format_name}' is no format that sluice writes")
        dashed = self.bytes_input("-x", b"dashed")
        self.expect_bytes(self.cat("--", dashed.name, cwd=self.inputs), b"dashed")


if __name__ == "__main__":
    sluice_command.main()
