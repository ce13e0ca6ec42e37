#!/usr/bin/env python3
"""`sluice trace` sees the names that a program looks up, and the locks of its files."""
import json
import os
import pathlib
import shutil
import sys
import tempfile

import both_ways

ANSWERED = {"stat": "stat", "lstat": "stat", "fstatat": "stat", "statx": "stat",
            "statx by number": "stat", "__xstat": "stat", "__lxstat": "stat", "__fxstatat": "stat",
            "access": "access", "eaccess": "access", "faccessat": "access",
            "realpath": "realpath"}
LISTED = {"scan": "opendir", "folder": "open"}
OPENED = {"open": "open", "openat": "open", "fopen": "fopen"}


class NamesTest(both_ways.BothWaysTest):
    traced = True

    def trace(self, *words):
        path = self.root / "report"
        result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--", *words])
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(path.read_text()), result.stderr.decode()

    def ask(self, how, times):
        return self.trace(self.subject("asks_names"), how, times)

    def uses(self, report, *calls):
        return [use for use in report["call_sites"] if use["call"] in calls]

    def sums(self, report, *calls):
        """(calls, failures, repeated) of all call sites."""
        uses = self.uses(report, *calls)
        return tuple(sum(use[what] for use in uses) for what in ("calls", "failures", "repeated"))

    def advice(self, report, kind="looked-up-again"):
        return [advice for advice in report["advice"] if advice["id"] == kind]


class LookUps(NamesTest):

    def test_are_counted_with_the_names_that_come_again(self):
        for how, call in ANSWERED.items():
            with self.subTest(how=how):
                report, _ = self.ask(how, 500)
                self.assertEqual((1000, 500, 998), self.sums(report, *ANSWERED.values()))
                self.assertEqual((1000, 500, 998), self.sums(report, call))

    def test_may_be_openings_that_fail(self):
        for how, call in OPENED.items():
            with self.subTest(how=how):
                report, _ = self.ask(how, 500)
                self.assertEqual((500, 500, 499), self.sums(report, "failed_open"))
                self.assertEqual(500 + (how != "fopen"), self.sums(report, call)[0])

    def test_have_one_of_the_names(self):
        report, _ = self.ask("access", 500)
        [use] = self.uses(report, "access")
        self.assertIn(use["file"], ("there", "gone"))

    def test_of_other_names_are_not_repeated(self):
        report, _ = self.ask("once", 30_000)
        self.assertEqual((30_000, 30_000), self.sums(report, "stat")[:2])
        self.assertEqual((30_000, 30_000), self.sums(report, "failed_open")[:2])
        self.assertEqual(0, self.sums(report, "stat", "access", "failed_open")[2])
        self.assertEqual([], self.advice(report))

    def test_of_thousands_of_names_are_known_again(self):
        """But for 64 names that come first, and some that others push out of the table."""
        report, _ = self.ask("twice", 3_000)
        for call in ("stat", "access", "failed_open"):
            self.assertAlmostEqual(3_000, self.sums(report, call)[2], delta=150)
            self.assertLessEqual(self.sums(report, call)[2], 3_000)
        self.assertEqual([], self.advice(report))

    def test_of_one_name_in_many_folders_are_not_repeated(self):
        for how in ("folders", "changes"):
            with self.subTest(how=how):
                report, _ = self.ask(how, 300)
                self.assertEqual((600, 300, 0), self.sums(report, "stat"))
                self.assertEqual((300, 0, 0), self.sums(report, "access"))
                self.assertEqual((300, 300, 0), self.sums(report, "failed_open"))

    def test_of_open_files_are_counted_after_a_few(self):
        report, _ = self.ask("descriptor", 500)
        self.assertEqual([], self.uses(report, "stat"))
        self.assertEqual((5 * 500 - 16, 0, 0), self.sums(report, "fstat"))
        self.assertEqual({True}, {use["file"].endswith("there")
                                  for use in self.uses(report, "fstat")})

    def test_of_closed_files_are_failures(self):
        report, _ = self.ask("closed", 500)
        self.assertEqual((500 - 16, 500 - 16, 0), self.sums(report, "fstat"))

    def test_of_one_name_in_a_row_are_counted(self):
        for how, calls in (("stat", 0), ("in a row", 2 * 500)):
            with self.subTest(how=how):
                report, _ = self.ask(how, 500)
                uses = self.uses(report, "stat", "access")
                self.assertEqual(calls, sum(use["in_a_row"] for use in uses))

    def test_of_each_opened_file_take_no_room(self):
        report, _ = self.ask("openings", 500)
        self.assertEqual([], self.uses(report, "fstat"))

    def test_may_be_lists_of_folders(self):
        report, _ = self.ask("scan", 500)
        self.assertEqual((1500, 500, 1497), self.sums(report, "opendir"))

    def test_may_be_for_hosts_that_begin_with_a_digit(self):
        report, _ = self.trace(self.subject("user_names"), "digits", 300, 1)
        asked = [use["calls"] for use in self.uses(report, "stat") if use["file"] == "(hosts)"]
        self.assertEqual([300], asked)

    def test_by_a_filter_of_a_list_count_for_themselves(self):
        report, _ = self.ask("filter", 500)
        self.assertEqual((500, 0, 499), self.sums(report, "opendir"))
        self.assertEqual(500 * 4, self.sums(report, "stat")[0])
        took = {use["call"]: sum(use["time"].values()) for use in report["call_sites"]}
        self.assertLess(took["opendir"], took["stat"] / 2)

    def test_have_the_same_answers(self):
        for how in [*ANSWERED, *OPENED, "once", "folders", "changes", "descriptor", "openings",
                    "in a row", "bad", *LISTED, "glob", "own glob",
                    "filter"]:
            with self.subTest(how=how):
                self.expect_same([self.subject("asks_names"), how, 20])


class AdviceAboutNames(NamesTest):

    def test_is_given_if_they_come_again(self):
        for how in ("stat", "access", "open", "fopen", "realpath"):
            with self.subTest(how=how):
                report, shown = self.ask(how, 200_000)
                [advice] = self.advice(report)
                self.assertLess(0, advice["least_saved_s"])
                self.assertLessEqual(advice["saved_s"], report["wall_s"])
                self.assertRegex(advice["seen"],
                                 "(199,999|399,998) of them ask for a name once more")
                self.assertNotIn("no noticeable time", shown)
                # Opening a file to ask whether it exists has the same cause.
                self.assertEqual([], self.advice(report, "reopened"))

    def test_is_given_if_an_open_file_is_asked_about_again(self):
        report, _ = self.ask("descriptor", 100_000)
        [advice] = self.advice(report, "asked-again")
        self.assertIn("on the open file", advice["seen"])
        self.assertLess(0, advice["least_saved_s"])
        self.assertLessEqual(advice["saved_s"], report["wall_s"])
        report, _ = self.ask("openings", 100_000)
        self.assertEqual([], self.advice(report, "asked-again"))

    def test_is_given_if_a_folder_is_listed_again(self):
        for how, call in LISTED.items():
            with self.subTest(how=how):
                report, _ = self.ask(how, 10_000)
                advice = self.advice(report, "listed-again")
                self.assertEqual({call}, {each["call"] for each in advice})
                self.assertEqual([], self.advice(report, "reopened"))
                self.assertLess(0, advice[0]["least_saved_s"])
                self.assertLessEqual(advice[0]["saved_s"], report["wall_s"])

    def test_shows_a_name_that_comes_often(self):
        python = ("import os\n"
                  "for i in range(40): os.path.exists('seldom')\n"
                  "for i in range(100000): os.path.exists('often')")
        report, _ = self.trace(sys.executable, "-c", python)
        [advice] = self.advice(report)
        self.assertEqual("often", advice["file"])

    def expect_terms(self, name, terms, script):
        program = shutil.which(name)
        if program is None:
            self.skipTest(f"{name} is not installed")
        report, _ = self.trace(program, *script)
        [advice] = self.advice(report)
        self.assertIn(terms, advice["fix"])

    def test_is_in_the_terms_of_the_program(self):
        loop = "i=0; while [ $i -lt 100000 ]; do [ -f gone ]; i=$((i + 1)); done; true"
        node = 'const fs = require("fs"); for (let i = 0; i < 1e5; ++i) fs.%s'
        lua = self.root / "asks.lua"
        lua.write_text("for i = 1, 100000 do io.open('gone') end")
        python = "import os\nfor i in range(100000): os.path.exists('gone')"
        for name, terms, script in (
                ("dash", "`[ -f file ]` in a variable", ("-c", loop)),
                ("bash", "`[ -f file ]` in a variable", ("-c", loop)),
                ("perl", "`-e`", ("-e", "for (1..100000) { $n += -e 'gone' ? 1 : 0 }")),
                ("node", "`fs.existsSync`", ("-e", node % 'existsSync("gone")')),
                ("node", "`fs.statSync`", ("-e", node % 'statSync("/")')),
                ("lua", "`io.open`", (lua,)),
                ("ruby", "`File.exist?`", ("-e", "100000.times { File.exist?('gone') }")),
                (sys.executable, "`os.path.exists`", ("-c", python))):
            with self.subTest(name=name, terms=terms):
                self.expect_terms(name, terms, script)


class Changes(NamesTest):

    def test_by_many_programs_of_one_file_are_one_cause(self):
        table = self.root / "table"
        table.write_text("a line of a table\n" * 100_000)
        loop = f"i=0; while [ $i -lt 25 ]; do sed -i s/a$i/b/ {table}; i=$((i + 1)); done; true"
        report, _ = self.trace("sh", "-c", loop)
        [advice] = report["advice"]
        self.assertEqual("started-programs", advice["id"])
        self.assertIn("25 starts of sed", advice["seen"])
        self.assertIn("one start of sed", advice["fix"])

    def test_are_counted_and_timed(self):
        self.expect_same([self.subject("changes_names"), 20, 100])
        report, _ = self.trace(self.subject("changes_names"), 300, 3000)
        for call, counts in {
                "mkdir": (301, 0), "chmod": (300, 0), "chown": (300, 0), "utimensat": (300, 0),
                "link": (300, 0), "symlink": (300, 0), "rename": (300, 0), "unlink": (1200, 300),
                "rmdir": (600, 300), "ftruncate": (300, 0), "fallocate": (300, 0),
                "readlink": (300, 0), "realpath": (600, 300), "opendir": (601, 300)}.items():
            with self.subTest(call=call):
                self.assertEqual(counts, self.sums(report, call)[:2])
                for use in self.uses(report, call):
                    self.assertLess(0, sum(use["time"].values()))
        self.assertEqual({"(names that were changed)"},
                         {use["file"] for use in self.uses(report, "unlink")})
        [renaming] = self.uses(report, "rename")
        self.assertEqual(("folder/renamed", 299), (renaming["file"], renaming["repeated"]))

    def test_that_give_files_one_name_again_and_again_are_seen(self):
        program = ("import os, tempfile\n"
                   "for i in range(1000):\n"
                   "    file, name = tempfile.mkstemp(dir='.')\n"
                   "    os.write(file, b'x' * 100); os.close(file)\n"
                   "    os.rename(name, {}, src_dir_fd=None, dst_dir_fd={})")
        for new, folder, count in (("'state'", "None", 1), ("'state'", "os.open('.', 0)", 0),
                                   ("name + '.new'", "None", 0)):
            with self.subTest(new=new, folder=folder):
                report, _ = self.trace(sys.executable, "-c", program.format(new, folder))
                self.assertEqual(count, len(self.advice(report, "written-anew")))

    def test_are_told_from_lists_that_come_out_of_a_buffer(self):
        report, _ = self.trace(self.subject("changes_names"), 300, 3000)
        uses = self.uses(report, "getdents")
        self.assertEqual({"(folders that were listed)"}, {use["file"] for use in uses})
        fills = sum(use["calls"] for use in uses) - 2 * 300
        self.assertIn(fills, range(4, 20))  # 3,000 names of 20 bytes, 32 KiB in each


class TemporaryFiles(NamesTest):

    # The call of mkstemp is the C library's own. It may make a name again that was removed: then
    # both files are one for the trace.
    SCRIPT = ("import ctypes, os\nmake = ctypes.CDLL(None).mkstemp\nnames = set()\n"
              "for i in range({}):\n  name = ctypes.create_string_buffer(b'fileXXXXXX')\n"
              "  file = make(name)\n  os.write(file, b'an item')\n"
              "  os.lseek(file, 0, 0); os.read(file, 7); os.close(file)\n"
              "  names.add(name.value)\n  {}\nos.write(2, b'%d\\n' % len(names))")

    def test_for_each_item_are_seen(self):
        for items in (2_000, 10_000):  # a log has room for 8,192
            with self.subTest(items=items):
                report, messages = self.trace(sys.executable, "-c",
                                              self.SCRIPT.format(items, "os.unlink(name.value)"))
                [advice] = self.advice(report, "temporary-files")
                self.assertEqual(int(messages.split()[0]), advice["files"])
                self.assertIn("In Python, keep the bytes in memory", advice["fix"])
                openings = sum(use["calls"] for use in self.uses(report, "open"))
                self.assertGreaterEqual(openings, items)
                self.assertLessEqual(advice["saved_s"], report["wall_s"])

    def test_that_stay_are_left_alone(self):
        report, _ = self.trace(sys.executable, "-c", self.SCRIPT.format(3_000, "pass"))
        self.assertEqual([], self.advice(report, "temporary-files"))


class MovedFiles(NamesTest):

    def moved(self, how, files, file_bytes=1, to=None):
        """The advice for a program that moves files of different sizes."""
        source, target = self.root / "source", to or self.root / "target"
        for folder in (source, target):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        for i in range(files):
            (source / str(i)).write_bytes(bytes(file_bytes + 3 * (i % 500)))
        report, _ = self.trace(self.subject("moves_files"), how, files, source, target)
        ids = [advice["id"] for advice in report["advice"]]
        self.assertNotIn("unused-openings", ids)
        self.assertEqual(how == "read again", "temporary-files" in ids)
        return report, self.advice(report, "moved-by-copy")

    def test_by_copying_and_removing_are_seen(self):
        # A log has no room for the calls on 3,000 files.
        for how, files, file_bytes in (("sendfile", 300, 200_000), ("stdio", 3_000, 1)):
            with self.subTest(how=how):
                report, [advice] = self.moved(how, files, file_bytes)
                self.assertIn(advice["files"], (files - 1, files))
                self.assertIn("std::filesystem::rename", advice["fix"])
                self.assertEqual(how == "stdio", "what is in them" in advice["why"])
                self.assertLessEqual(advice["saved_s"], report["wall_s"])

    def test_that_change_or_stay_are_left_alone(self):
        for how in ("longer", "kept", "read again"):
            with self.subTest(how=how):
                self.assertEqual([], self.moved(how, 3_000)[1])

    def test_into_another_file_system_are_left_alone(self):
        if os.stat("/dev/shm").st_dev == os.stat(self.root).st_dev:
            self.skipTest("there is one file system")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            target = pathlib.Path(folder) / "target"
            self.assertEqual([], self.moved("stdio", 3_000, to=target)[1])


class Locks(NamesTest):

    def test_for_each_record_are_seen(self):
        for how in ("flock", "lockf", "fcntl"):
            with self.subTest(how=how):
                self.expect_same([self.subject("asks_names"), how, 20])
                report, _ = self.ask(how, 100_000)
                self.assertEqual((200_000, 0, 0), self.sums(report, "flock"))
                self.assertEqual([], self.uses(report, "fcntl"))
                [advice] = self.advice(report, "locked-for-each")
                self.assertLessEqual(advice["saved_s"], report["wall_s"])


class InlinedFunctions(both_ways.BothWaysTest):

    def test_are_on_the_stack_whatever_the_form_of_the_debug_information(self):
        path = self.root / "report"
        for form in ("", "_lto", "_split", "_without_ranges"):
            with self.subTest(form=form):
                result = self.execute([both_ways.COMMAND, "trace", "--json", path, "--",
                                       self.subject(f"inlined_places{form}"), "file", 10])
                self.assertEqual((0, b"10\n"), (result.returncode, result.stdout))
                report = json.loads(path.read_text())
                stacks = [[frame for frame in report["stacks"][use["stack"]] if frame["source"]]
                          for use in report["call_sites"]
                          if use["call"] == "fwrite" and use["file"].endswith("/file")]
                names = [[frame["function"] for frame in stack] for stack in stacks]
                all_of_them = [f"write_below<{depth}>" for depth in range(1, 31)] + ["main"]
                self.assertEqual([all_of_them[first:] for first in range(30)],
                                 sorted(names, key=len, reverse=True))
                for stack in stacks:
                    lines = [frame["source"].rsplit("/", 1)[-1] for frame in stack]
                    self.assertEqual(["inlined_places.cc:15"] +
                                     ["inlined_places.cc:16"] * (len(stack) - 2) +
                                     ["inlined_places.cc:24"], lines)


if __name__ == "__main__":
    both_ways.main()
