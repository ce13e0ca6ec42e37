#!/usr/bin/env python3
"""Every kind of bad input to the command gives one clear line and the exit code."""
import os
import re
import subprocess

import sluice_command
from sluice_command import CommandTest

TINY = ["write-lines", "--size", "64K", "--rounds", "1"]


class Folder(CommandTest):
    def test_missing(self):
        result = self.bench(*TINY, "--dir", "/no/such/folder")
        self.expect_refused(result, "open /no/such/folder: No such file or directory")

    def test_is_a_file(self):
        file = self.input("file", "content")
        self.expect_refused(self.bench(*TINY, "--dir", file), f"open {file}: Not a directory")
        self.assertEqual("content", file.read_text())

    def test_cannot_be_written_to(self):
        result = self.bench(*TINY, "--dir", "/proc")
        self.expect_refused(result, "create a scratch folder in /proc: .+")

    def test_no_permission(self):
        command, user = self.command_without_privileges()
        locked = self.root / "locked"
        locked.mkdir(mode=0o555)
        result = subprocess.run([command, "bench", *TINY, "--dir", locked], capture_output=True,
                                text=True, check=False, **user)
        self.expect_refused(result, f"create a scratch folder in {locked}: Permission denied")
        hidden = self.root / "hidden"
        hidden.mkdir(mode=0o000)
        result = subprocess.run([command, "bench", *TINY, "--dir", hidden], capture_output=True,
                                text=True, check=False, **user)
        self.expect_refused(result, f"open {hidden}: Permission denied")

    def test_too_small(self):
        result = self.bench("mixed", "--size", "1024T")
        self.expect_refused(
            result, f"{re.escape(str(self.folder))} .* available but experiment mixed needs "
                    ".*: choose another --dir or a smaller --size")

    def test_of_a_size_that_needs_more_than_there_is(self):
        for experiment in "numbers", "random":
            for size in "1T", "1024T":
                with self.subTest(experiment=experiment, size=size):
                    result = self.bench(experiment, "--quick", "--size", size)
                    self.expect_refused(
                        result, f"{re.escape(str(self.folder))} .* available but experiment "
                                f"{experiment} needs .*: choose another --dir or a smaller --size")

    def test_that_no_whole_number_of_values_has(self):
        result = self.bench("random", "--size", "10", "--rounds", "1", "--rows", "pwrite")
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        self.assertIn("\nrandom moves 8 bytes, not the 10 bytes of --size.\n", result.stdout)
        result = self.bench("numbers", "--size", "2M", "--rounds", "1", "--rows", "fprintf")
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        self.assertIn("written and read (2 MiB)", result.stdout)
        self.assertNotIn("of --size", result.stdout)

    def test_of_a_size_that_nothing_can_have(self):
        for size in "1025T", "8388607T", str(2**63 - 1):
            with self.subTest(size=size):
                self.expect_usage(self.bench("random", "--size", size), "--size",
                                  "is more than 1024 TiB")

    def command_without_privileges(self):
        """The command, and how to start it as a user whom permissions bind (root is not)."""
        if os.geteuid() != 0:
            return sluice_command.COMMAND, {}
        return sluice_command.copy_for_everyone(self.root), {"user": 65534, "group": 65534}


class Words(CommandTest):
    def test_unknown_experiment(self):
        result = self.bench("tsunami")
        self.expect_usage(result, "sluice bench: unknown experiment 'tsunami'. Experiments:\n",
                          "\n  bytes ", "\n  replay ", "\n  small-files ")

    def test_experiment_on_objects_without_a_store(self):
        result = self.bench("object-write")
        self.expect_usage(result, "sluice bench: object-write needs an object store: give --dir ")

    def test_uri_where_a_path_is_needed_shows_nothing_behind_its_scheme(self):
        uri = "s3://KEYID:SECRET@bucket/name?token=SECRET"
        for words in (["recommend", "--dir", uri], ["recommend", uri], ["recommend", "--json", uri],
                      ["bench", "bytes", "--json", uri], ["trace", "--json", uri, "--", "true"],
                      ["trace", "--merge", uri], ["run", "--json", uri, "--", "true"]):
            with self.subTest(words=words):
                result = self.run_command(*words)
                self.expect_usage(result, "s3://... is a URI, and a file or folder is needed")
                self.assertNotRegex(result.stderr + result.stdout, "KEYID|SECRET")

    def test_unknown_experiment_beside_a_known_one(self):
        self.expect_usage(self.bench("write-lines", "tsunami"), "'tsunami'")

    def test_unknown_option(self):
        result = self.bench("--fast")
        self.expect_usage(result, "--fast", "--quick", "--size", "--rounds", "--json", "--list")

    def test_unknown_option_is_one_line_that_says_what_to_do(self):
        for command in ("bench", "cat", "put", "recommend", "run", "trace"):
            with self.subTest(command=command):
                result = self.run_command(command, "--nonsense")
                self.expect_usage(result)
                expected = (rf"\Asluice {command}: unknown option '--nonsense'\. "
                            rf"(For .*)?Options: -.*\. Try: sluice {command} --help\n\Z")
                self.assertRegex(result.stderr, expected)

    def test_option_without_its_value(self):
        self.expect_usage(self.bench("--size"), "sluice bench: --size needs a value\n")
        self.expect_usage(self.run_command("run", "--json"), "--json needs a value\n")
        for words in (("bench", "--dir="), ("run", "--json="), ("put", "--compress=", "f")):
            expected = (f"sluice {words[0]}: {words[1]} ends with '=': give a value, or leave the "
                        "'=' out\n")
            self.expect_usage(self.run_command(*words), expected)

    def test_flag_with_a_value(self):
        for words in (("bench", "--quick=true"), ("run", "--summary=yes", "--", "true"),
                      ("trace", "--no-children=x", "--", "true")):
            flag, _, value = words[1].partition("=")
            self.expect_usage(self.run_command(*words), f"sluice {words[0]}: {flag} takes no "
                              f"value: leave '={value}' out\n")

    def test_sizes_that_make_no_sense(self):
        for size in ["0", "-1", "-64K", "ten", "1.5M", "64KB", "99999999999T"]:
            with self.subTest(size=size):
                self.expect_usage(self.bench("write-lines", f"--size={size}"), "--size",
                                  f"'{size}' is not a positive whole number")

    def test_runs_that_make_no_sense(self):
        for rounds in ["0", "-3", "many", "2.5"]:
            with self.subTest(rounds=rounds):
                self.expect_usage(self.bench("write-lines", f"--rounds={rounds}"), "--rounds",
                                  f"'{rounds}' is not a positive whole number, such as 5\n")

    def test_no_subcommand(self):
        self.expect_usage(self.run_command(), "sluice: ", "bench")

    def test_unknown_subcommand(self):
        self.expect_usage(self.run_command("tsunami"), "sluice: unknown command 'tsunami'. ",
                          "bench")
        self.expect_usage(self.run_command("--bogus"), "sluice: unknown option '--bogus'. ",
                          "bench")

    def test_help(self):
        for topic in [[], ["run"], ["help"], ["trace"], ["bench"]]:
            with self.subTest(topic=topic):
                result = self.run_command("help", *topic)
                self.expect_ok(result)
                self.assertEqual(self.run_command(*topic, "--help").stdout, result.stdout)
        for name in ("run", "trace", "bench"):
            with self.subTest(name=name):
                self.assertIn("--json", self.run_command("--help", name).stdout)

    def test_an_option_before_the_subcommand(self):
        for name in ("run", "trace", "bench"):
            with self.subTest(name=name):
                result = self.run_command("--nonsense", name)
                self.expect_usage(result, f"sluice {name}: ", "--nonsense", "--json")

    def test_help_for_an_unknown_command(self):
        self.expect_usage(self.run_command("help", "tsunami"), "sluice help: ", "tsunami", "bench")


class InputFiles(CommandTest):
    def test_replay_without_a_file(self):
        self.expect_usage(self.bench("replay"), "replay needs a file", "SIZE COUNT")

    def test_replay_of_a_missing_file(self):
        result = self.bench("replay", "/no/such.sizes")
        self.expect_refused(result, "open /no/such.sizes: No such file or directory")

    def test_two_dashes_end_the_options(self):
        for words in (["replay", "--", "-x"], ["--", "replay", "-x"], ["--", "replay", "--quick"]):
            result = self.bench(*words)
            self.expect_refused(result, f"open {words[-1]}: No such file or directory")

    def test_a_pipe_is_not_waited_for(self):
        pipe = self.inputs / "pipe"
        os.mkfifo(pipe)
        for arguments in [["replay", pipe], ["read-lines", "--text", pipe]]:
            self.expect_refused(self.bench(*arguments), f"open {pipe}: Not a regular file")

    def test_names_do_not_command_the_terminal(self):
        result = self.bench("replay", "no\x1b[31msuch")
        self.expect_refused(result, r"open no\\x1b\[31msuch: No such file or directory")

    def test_rows_that_there_are_not(self):
        self.expect_usage(self.bench("overlap", "--rows", "tsunami"), "'tsunami'", "--list overlap")

    def test_empty_names(self):
        for option in ["--json", "--dir", "--text", "--replay"]:
            self.expect_usage(self.bench(*TINY, option, ""), option, "the name is empty")

    def test_replay_of_a_folder(self):
        result = self.bench("--replay", self.inputs)
        self.expect_refused(result, f"open {self.inputs}: Is a directory")

    def test_replay_of_a_file_that_is_no_list_of_sizes(self):
        for content in ["not sizes\n", "12\n", "12 x\n", "-1 5\n", "4 4 4\n", ""]:
            with self.subTest(content=content):
                file = self.input("some.sizes", content)
                self.expect_refused(self.bench("replay", file), f".*{file}.*")

    def test_replay_of_a_piece_of_more_than_two_gibibytes(self):
        file = self.input("some.sizes", "8 1\n3000000000 1\n")
        self.expect_refused(self.bench("replay", file), f".*{file} line 2.*3000000000.*")

    def test_replay_of_more_than_the_disk_holds(self):
        file = self.input("some.sizes", "1000000000 500000\n")
        self.expect_refused(self.bench("replay", file), ".*available but experiment replay needs.*")

    def test_missing_text(self):
        result = self.bench("read-lines", "--text", "/no/such.text")
        self.expect_refused(result, "open /no/such.text: No such file or directory")

    def test_text_that_is_a_folder(self):
        result = self.bench("read-lines", "--text", self.inputs)
        self.expect_refused(result, f"open {self.inputs}: Is a directory")


class Output(CommandTest):
    def test_full_device(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in [["bench", "--dir", self.folder, *TINY], ["bench", "--list"],
                              ["--version"], ["bench", "--help"]]:
                with self.subTest(arguments=arguments):
                    self.expect_line(self.run_command(*arguments, stdout=full),
                                     "write standard output.*: No space left on device")

    def test_pipe_that_nobody_reads(self):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            self.expect_line(self.bench(*TINY, stdout=pipe), "write standard output.*: Broken pipe")

    def test_pipe_whose_reader_leaves(self):
        with subprocess.Popen([sluice_command.COMMAND, "bench", "--dir", self.folder, *TINY],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            process.stdout.close()
            error = process.stderr.read()
        self.assertEqual(1, process.returncode, "an exit code, no death by SIGPIPE")
        self.assertRegex(error, r"\Asluice bench: write standard output.*: Broken pipe\n\Z")

    def test_closed(self):
        result = subprocess.run(
            ["sh", "-c", 'exec "$0" "$@" >&-', sluice_command.COMMAND, "bench", "--dir",
             self.folder, *TINY], stderr=subprocess.PIPE, text=True, check=False)
        self.expect_line(result, "open standard output: the descriptor is not open for writing")

    def test_json_in_a_missing_folder(self):
        result = self.bench(*TINY, "--json", "/no/such/folder/x.json")
        self.expect_refused(result, "open /no/such/folder/x.json: No such file or directory")

    def test_json_that_is_a_folder(self):
        result = self.bench(*TINY, "--json", self.inputs)
        self.expect_refused(result, f"open {self.inputs}: Is a directory")

    def test_json_on_a_full_device(self):
        result = self.bench(*TINY, "--json", "/dev/full")
        self.expect_line(result, "write /dev/full.*: No space left on device")
        self.assertIn("write-lines", result.stdout)

    def test_json_that_was_there_stays_when_nothing_is_measured(self):
        file = self.input("x.json", "kept")
        result = self.bench(*TINY, "--json", file, "--dir", "/no/such/folder")
        self.expect_refused(result, "open /no/such/folder: .*")
        self.assertEqual("kept", file.read_text())


if __name__ == "__main__":
    sluice_command.main()
