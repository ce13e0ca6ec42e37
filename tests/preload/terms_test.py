#!/usr/bin/env python3
"""The advice of `sluice trace` speaks of what the program's language or library has."""
import importlib.util
import os
import shutil
import sys

import both_ways
from advising import AdviceTest


class InTheTermsOfTheProgram(AdviceTest):

    def program(self, name):
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed")
        return path

    def expect_terms(self, kinds, runtime, terms, words):
        """The first advice is of one of these kinds, in the program's terms and in no words of
        C."""
        report, result = self.trace(words)
        self.assertNotEqual([], report["advice"], result.stderr)
        first = report["advice"][0]
        self.assertIn(first["id"], kinds.split())
        self.assertEqual(runtime, first["runtime"])
        self.assertIn(terms, first["fix"])
        self.assertIn(first["fix"], result.stderr.decode())
        if runtime != "C++ iostreams":
            self.assertNotRegex(first["fix"], r"setvbuf|fwrite|fflush|iostream|sluice::")
        return first

    def test_of_python(self):
        lines = "for i in range(100000): "
        scripts = {
            "flush=True": f"f = open('file', 'w')\n{lines}print(i, file=f, flush=True)",
            "buffering=0": f"f = open('file', 'wb', buffering=0)\n{lines}f.write(b'a line\\n')",
            "os.write": f"import os\nf = os.open('file', 65)\n{lines}os.write(f, b'a line\\n')",
        }
        for terms, script in scripts.items():
            with self.subTest(terms=terms):
                self.expect_terms("tiny-writes", "Python", terms, [sys.executable, "-c", script])

    def test_of_perl(self):
        script = 'open F, ">", "file"; select F; $| = 1; for (1..200000) { print "line $_\\n" }'
        self.expect_terms("tiny-writes", "Perl", "$| = 1", [self.program("perl"), "-e", script])

    def test_of_node(self):
        script = ('const fs = require("fs"); const file = fs.openSync("file", "w");'
                  'for (let i = 0; i < 200000; ++i) fs.writeSync(file, "line " + i + "\\n");')
        self.expect_terms("tiny-writes", "Node", "fs.createWriteStream",
                          [self.program("node"), "-e", script])

    def test_of_writes_that_node_waits_for(self):
        script = ('const file = require("fs").createWriteStream("file"); (async () => {'
                  'for (let i = 0; i < 30000; ++i) '
                  'await new Promise(done => file.write("line " + i + "\\n", done)); })();')
        first = self.expect_terms("tiny-writes", "Node", "waits for each write",
                                  [self.program("node"), "-e", script])
        self.assertNotIn("createWriteStream", first["fix"])

    def test_of_ruby(self):
        script = 'f = File.open("file", "w"); f.sync = true; 100000.times { |i| f.puts i }'
        self.expect_terms("tiny-writes", "Ruby", "`file.sync = true`",
                          [self.program("ruby"), "-e", script])

    def test_of_java(self):
        self.program("javac")
        source = self.root / "Lines.java"
        source.write_text("""class Lines {
            public static void main(String[] words) throws Exception {
                var file = new java.io.FileOutputStream("file");
                for (int i = 0; i < 100000; ++i) file.write("a line\\n".getBytes());
            }
        }""")
        self.expect_terms("tiny-writes", "Java", "`BufferedOutputStream`",
                          [self.program("java"), source])

    def test_of_tcl(self):
        script = self.root / "lines.tcl"
        script.write_text("set f [open file w]; fconfigure $f -buffering line\n"
                          "for {set i 0} {$i < 100000} {incr i} { puts $f $i }\n")
        first = self.expect_terms("tiny-writes", "Tcl", "-buffering full -buffersize 65536",
                                  [self.program("tclsh"), script])
        self.assertEqual("Tcl", first["place"])

    def test_of_r(self):
        script = 'f <- file("file", "w"); for (i in 1:30000) cat(i, "\\n", file = f)'
        self.expect_terms("flush-after-each", "R", "`writeLines(lines, con)`",
                          [self.program("Rscript"), "-e", script])

    def test_of_ocaml(self):
        compiler = self.program("ocamlopt")
        source = self.root / "lines.ml"
        source.write_text('let () = let file = open_out "file" in\n'
                          'for i = 1 to 200000 do Printf.fprintf file "%d\\n%!" i done')
        self.execute([compiler, "-o", self.root / "lines", source])
        self.expect_terms("tiny-writes", "OCaml", "`%!`", [self.root / "lines"])

    def test_of_lua(self):
        script = ('local f = io.open("file", "w")\n'
                  'for i = 1, 100000 do f:write(i, "\\n") f:flush() end')
        path = self.root / "lines.lua"
        path.write_text(script)
        self.expect_terms("flush-after-each", "Lua", "`file:flush()`", [self.program("lua"), path])

    def test_of_lmdb(self):
        """The program has LMDB's code in itself, without names."""
        rows = self.root / "rows"
        rows.write_text("".join(f"key{i}\nvalue\n" for i in range(20_000)))
        self.expect_terms("sync-after-each synchronous-writes", "LMDB", "one write transaction",
                          [self.program("mdb_load"), "-n", "-T", "-f", rows, "file.mdb"])

    def test_of_the_shell(self):
        loop = "i=0; while [ $i -lt 200000 ]; do echo line; i=$((i + 1)); done > file"
        self.expect_terms("tiny-writes", "shell", "`echo`", ["dash", "-c", loop])

    def test_of_reading_lines_in_a_shell(self):
        path = self.root / "input"
        path.write_bytes(b"a line\n" * 100_000)
        for shell in ("bash", "dash"):
            with self.subTest(shell=shell):
                loop = f"while read -r line; do :; done < {path}"
                report, _ = self.trace([self.program(shell), "-c", loop])
                fixes = {each["fix"] for each in report["advice"]}
                self.assertEqual(1, len(fixes), fixes)
                self.assertIn("let one command such as awk read the lines", *fixes)

    def test_of_awk(self):
        script = "BEGIN { while (i++ < 200000) { print i > \"file\"; fflush(\"file\") } }"
        for name in ("gawk", "mawk"):
            with self.subTest(name=name):
                report, _ = self.trace([self.program(name), script])
                advice = report["advice"][0]  # the copies may be a small one on a busy machine
                self.assertEqual(("flush-after-each", "awk"), (advice["id"], advice["runtime"]))
                self.assertTrue(advice["fix"].startswith("In awk, leave out `fflush()`"))

    def test_of_busybox(self):
        self.program("busybox")
        if b"statically linked" in self.trace(["busybox", "true"])[1].stderr:
            self.skipTest("this busybox is statically linked")
        awk = ["busybox", "awk", 'BEGIN { while (i++ < 100000) { print i > "f"; fflush("f") } }']
        link = self.root / "awk"
        link.symlink_to(self.program("busybox"))
        for words in (awk, [link, *awk[2:]], ["sh", "-c", 'busybox awk "$0"; true', awk[2]]):
            with self.subTest(words=words[:2]):
                advice = self.trace(words)[0]["advice"][0]
                self.assertEqual(("flush-after-each", "awk"), (advice["id"], advice["runtime"]))
                self.assertTrue(advice["fix"].startswith("In awk, leave out `fflush()`"))
        self.expect_terms("tiny-writes", "busybox", "busybox makes these calls, and you cannot",
                          ["busybox", "dd", "if=/dev/zero", "of=file", "bs=16", "count=300000"])

    def test_of_iostreams(self):
        self.expect_terms("tiny-writes", "C++ iostreams", "std::endl",
                          [self.subject("flushed_lines"), "file", 200_000])

    def test_of_iostreams_that_are_a_part_of_the_program(self):
        program = self.subject("flushed_lines_with_runtime")
        if not os.path.exists(program):
            self.skipTest("the compiler has no static C++ library")
        self.expect_terms("tiny-writes", "C++ iostreams", "std::endl", [program, "file", 200_000])

    def test_of_standard_input_that_is_tied_to_standard_output(self):
        numbers = self.root / "numbers"
        numbers.write_text("".join(f"{i}\n" for i in range(200_000)))
        command = f"exec {self.subject('tied_streams')} < {numbers} > file"
        first = self.expect_terms("flush-after-each", "C++ iostreams", "`std::cin.tie(nullptr)`",
                                  ["sh", "-c", command])
        self.assertNotIn("std::endl", first["fix"])

    def expect_measured(self, kind, terms, how, command):
        first = self.expect_terms(kind, "C++ iostreams", terms, ["sh", "-c", f"exec {command}"])
        self.assertIn(how, first["why"])
        self.assertEqual("costs of streams", first["computed"]["kind"])

    def test_of_words_that_are_measured_after_the_run(self):
        numbers = self.root / "numbers"
        numbers.write_text("".join(f"{i} {i * 7} {i * 11} {i * 13}\n" for i in range(100_000)))
        self.expect_measured("char-at-a-time", "sync_with_stdio(false)",
                             "comes from words of this file",
                             f"{self.subject('numbers_in_step')} < {numbers}")

    def test_of_calls_that_are_measured_after_the_run(self):
        self.expect_measured("stream-pieces", "std::to_chars",
                             "measured on this machine after the run",
                             f"{self.subject('stream_numbers')} 1000000 > file")

    def test_of_a_place_outside_of_the_headers(self):
        path = self.input_file(4 << 20)
        report, _ = self.trace(["sh", "-c", f"exec {self.subject('upper_case')} < {path} > file"])
        functions = {use["stack"][0]["function"] for use in self.uses(report, "fputc")}
        self.assertEqual({"main"}, functions)

    def test_of_c(self):
        advice = self.expect("tiny-writes", "written_lines", "file", 200_000)[0]
        self.assertEqual("C", advice["runtime"])
        self.assertIn("fwrite", advice["fix"])

    INSERTIONS = ("import sqlite3\nrows = sqlite3.connect('rows', isolation_level=None)\n"
                  "rows.execute('create table numbers(n)')\n"
                  "for i in range(100): rows.execute('insert into numbers values(?)', (i,))")

    def test_of_a_database(self):
        """Its journal, its file, its folder and the log for which it looks have one cause, and
        nobody may change its calls."""
        if importlib.util.find_spec("sqlite3") is None:
            self.skipTest("this Python has no sqlite3")
        # The kind is that of the largest saving. On a fast disk these are the openings, or the
        # journal that is written anew.
        first = self.expect_terms("sync-after-each reopened written-anew", "SQLite",
                                  "one transaction", [sys.executable, "-c", self.INSERTIONS])
        self.assertIn("Change how programs use SQLite. ", first["fix"])
        # A file with next to no saving, such as the log that is not there, does not count.
        self.assertIn(first["files"], (3, 4))
        self.assertEqual("", first["by"])


if __name__ == "__main__":
    both_ways.main()
