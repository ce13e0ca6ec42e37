#!/usr/bin/env python3
"""`sluice recommend`: what it prints, what it leaves behind, and what it refuses."""
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess

import sluice_command
from sluice_command import CommandTest, IN_MEMORY

SETTINGS = ["compression", "cache", "write-back", "write-behind", "block size"]
PATIENCE_S = 60


class Recommend(CommandTest):
    place = IN_MEMORY

    def recommend(self, *arguments, **options):
        return self.run_command("recommend", "--quick", "--dir", self.folder, *arguments,
                                **options)

    def expect_failure(self, code, words, result):
        self.assertEqual((code, ""), (result.returncode, result.stdout))
        self.assertRegex(result.stderr, rf"\Asluice recommend: .*{words}.*\n")

    def test_every_setting_has_a_line_and_the_json_says_the_same(self):
        json_file = self.inputs / "out.json"
        result = self.recommend("--json", json_file)
        self.expect_ok(result)
        report = json.loads(json_file.read_text())
        self.assertEqual("sluice recommend 1", report["schema"])
        self.assertEqual(os.fspath(self.folder), report["directory"])
        found = [setting["setting"] for setting in report["settings"]]
        self.assertEqual([name for name in SETTINGS if name in found], found)
        self.assertLessEqual(len(found), 5)
        # With compression, which a busy machine may recommend by chance, the block has no size.
        compresses = any(setting["setting"] == "compression" and
                         setting["recommended"] != setting["default"]
                         for setting in report["settings"])
        self.assertEqual(not compresses, "block size" in found)
        for setting in report["settings"]:
            name, value = setting["setting"], setting["recommended"]
            self.assertEqual(value, report["choice"][name])
            if value == setting["default"]:
                words = (rf"leave the default \({re.escape(value)}\): {setting['best_other']} "
                         r"(saves [\d.]+ s of|adds [\d.]+ s to the default's) [\d.]+ s ")
            else:
                words = rf"{value} +saves [\d.]+ s of [\d.]+ s \(\d+ ± \d+ %\)"
            rounds = f"faster in {setting['rounds_faster']} of {setting['rounds']} rounds"
            doubt = ("(: too little|: a small gain, which another run may not find"
                     "|: maybe by chance|: enough together with the other values)?")
            self.assertRegex(result.stdout, rf"\n  {name} +{words}.*{rounds}{doubt}\n")
        self.assertIn(f"\n{report['code']}\n", result.stdout)

    def test_tells_of_programs_that_keep_the_processors_busy(self):
        json_file = self.inputs / "out.json"
        busy = ["sh", "-c", "while :; do :; done"]
        programs = [subprocess.Popen(busy) for _ in range(os.cpu_count())]
        try:
            result = self.recommend("--json", json_file)
        finally:
            for program in programs:
                program.kill()
                program.wait()
        self.expect_ok(result)
        self.assertIs(True, json.loads(json_file.read_text())["disturbance"]["is_busy"])
        self.assertIn("\nOn an idle machine other values may save time.\nOther programs",
                      result.stdout)

    def test_compression_is_not_tried_with_the_repetitions_of_a_small_file(self):
        for lines, is_tried in ((100, False), (100_000, True)):
            sample = self.input("sample", "the same words again and again\n" * lines)
            json_file = self.inputs / "out.json"
            result = self.recommend(sample, "--json", json_file)
            self.expect_ok(result)
            self.assertIn(f"of {sample}, durable at close", result.stdout)
            report = json.loads(json_file.read_text())
            has_zstd = "compression" in report["choice"]
            tried = any(setting["setting"] == "compression" for setting in report["settings"])
            self.assertEqual(is_tried and has_zstd, tried)
            self.assertEqual(has_zstd and not is_tried, not report["compression_was_tried"])
            self.assertEqual(has_zstd and not is_tried,
                             "\n  compression  not tried: FILE is written again and again, and "
                             "needs at least 1 MiB\n" in result.stdout)

    def test_compression_is_tried_by_the_codec_that_suits_the_sample(self):
        doubles = self.inputs / "doubles"
        doubles.write_bytes(struct.pack("<200000d", *(i * 0.1 for i in range(200_000))))
        text = self.input("text", "the same words again and again\n" * 100_000)
        for sample, codec in ((doubles, "series:double"), (text, "zstd")):
            json_file = self.inputs / "out.json"
            self.expect_ok(self.recommend(sample, "--json", json_file))
            report = json.loads(json_file.read_text())
            tried = [setting["best_other"] for setting in report["settings"]
                     if setting["setting"] == "compression"]
            self.assertEqual([codec] if "compression" in report["choice"] else [], tried)

    def test_a_sweep_compares_the_recommended_choice_with_the_best(self):
        json_file = self.inputs / "out.json"
        result = self.recommend("--sweep", "--json", json_file)
        self.expect_ok(result)
        sweep = json.loads(json_file.read_text())["sweep"]
        self.assertIn(f"Of {len(sweep['combinations'])} combinations", result.stdout)
        self.assertEqual(1, result.stdout.count("(recommended)"))
        self.assertEqual(1, min(one["ratio_to_best"] for one in sweep["finalists"]))

    def test_refuses_what_cannot_be_measured(self):
        self.expect_failure(1, "missing: No such file", self.recommend("--dir", "missing"))
        self.expect_failure(1, "No such file", self.recommend(self.inputs / "nothing"))
        self.expect_failure(1, "the file is empty", self.recommend(self.input("empty", "")))
        self.expect_failure(2, "unknown option '--fast'", self.recommend("--fast"))
        self.expect_failure(2, "", self.recommend("--json", ""))
        self.expect_failure(1, "json", self.recommend("--json", self.inputs / "no" / "out.json"))

    def test_an_error_of_the_disk_is_told(self):
        limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 1000; exec "$@"', "-",
                   sluice_command.COMMAND, "recommend", "--quick", "--dir", str(self.folder)]
        result = subprocess.run(limited, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=PATIENCE_S, check=False)
        self.expect_failure(1, "the defaults: .*File too large", result)

    def test_ctrl_c_leaves_nothing_behind(self):
        terminal, terminal_of_command = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = subprocess.Popen(
            [sluice_command.COMMAND, "recommend", "--dir", self.folder], stdout=subprocess.PIPE,
            stderr=terminal_of_command, stdin=subprocess.DEVNULL, start_new_session=True)
        os.close(terminal_of_command)
        shown = ""
        while "trial 5" not in shown:
            ready, _, _ = select.select([terminal], [], [], PATIENCE_S)
            self.assertTrue(ready, "it shows nothing")
            shown += os.read(terminal, 4096).decode(errors="replace")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((128 + signal.SIGINT, b""), (process.returncode, output))
        self.expect_empty(self.folder)


if __name__ == "__main__":
    sluice_command.main()
