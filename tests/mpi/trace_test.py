#!/usr/bin/env python3
"""`sluice trace` makes one report for all ranks of a job.

usage: trace_test.py MPIRUN PROGRAM SLUICE

The program is mpi_cases.
"""
import fcntl
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import patience

MPIRUN, PROGRAM, SLUICE = sys.argv[1:4]
RANKS = 3
SECONDS = 120  # for one run; see patience.py
RANK_BYTES = 40_000
# Rank 1 writes each byte by a call of its own.
SLOW_RANK = """
if test "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1; then size=1; else size=100000; fi
count=$((100000 / size))
dd if=/dev/zero of="$1.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" bs=$size count=$count status=none
"""


def problems_of(report):
    """The problems, but not the kernel's work outside of the calls: on a machine that is slow
    because others use it, page faults and starts take longer than the command allows for."""
    return [problem for problem in report["problems"]
            if not problem.startswith("The kernel worked for about")]


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.shared = self.folder / "shared"
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.report = self.folder / "report"
        self.write = [PROGRAM, "write", self.shared, "block_bytes=4096", f"bytes={RANK_BYTES}",
                      f"rank_bytes={RANK_BYTES}"]

    def environment(self):
        return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                    OMPI_MCA_rmaps_base_oversubscribe="1", TMPDIR=str(self.temporary))

    def run_words(self, *words, code=0, tmpdir=True):
        environment = self.environment()
        if not tmpdir:
            del environment["TMPDIR"]
        ended, output, errors = patience.run(words, SECONDS, environment)
        self.assertEqual(ended, code, output + errors)
        return errors

    def expect_shared_file(self, text):
        """The text and the JSON are of all ranks, which have written the shared file."""
        self.assertEqual(text.count("sluice trace: "), 1, text)
        self.assertRegex(text, rf"\n{RANKS} ranks: rank \d has the most I/O time, ")
        report = json.loads(self.report.read_text(encoding="utf-8"))
        self.assertEqual(problems_of(report), [])
        self.assertEqual(sorted(each["rank"] for each in report["ranks"]["each"]),
                         list(range(RANKS)))
        [file] = [each for each in report["files"] if each["name"] == str(self.shared)]
        self.assertEqual(file["bytes"], RANKS * RANK_BYTES)
        return report

    def expect_nothing_left(self):
        """Open MPI keeps a folder there while it runs."""
        self.assertEqual([path.name for path in self.temporary.iterdir()
                          if path.name.startswith("sluice")], [])

    def test_of_each_rank_is_one_report(self):
        text = self.run_words(MPIRUN, "-n", RANKS, SLUICE, "trace", "--json", self.report, "--",
                              *self.write)
        self.expect_shared_file(text)
        self.expect_nothing_left()

    def test_of_each_rank_needs_no_tmpdir(self):
        text = self.run_words(MPIRUN, "-n", RANKS, SLUICE, "trace", "--json", self.report, "--",
                              *self.write, tmpdir=False)
        self.expect_shared_file(text)

    def test_of_mpirun_is_one_report(self):
        text = self.run_words(SLUICE, "trace", "--json", self.report, "--", MPIRUN, "-n", RANKS,
                              *self.write)
        report = self.expect_shared_file(text)
        self.assertGreater(len(report["processes"]), RANKS)
        self.expect_nothing_left()

    def test_of_several_machines_is_merged(self):
        records = self.folder / "records"
        text = self.run_words(MPIRUN, "-n", RANKS, SLUICE, "trace", "--merge", records, "--",
                              *self.write)
        self.assertEqual(text, "")
        for path in records.glob("*-000002-*/record.json"):  # as if it came from another machine
            record = json.loads(path.read_text(encoding="utf-8"))
            record["machine"] = "another"
            path.write_text(json.dumps(record), encoding="utf-8")
        page = self.folder / "page.html"
        text = self.run_words(SLUICE, "trace", "--merge", records, "--json", self.report, "--html",
                              page)
        report = self.expect_shared_file(text)
        self.assertRegex(text, r" 2 on another\n")
        self.assertIn("another", [each["machine"] for each in report["ranks"]["each"]])
        self.assertIn('"ranks"', page.read_text(encoding="utf-8"))
        self.expect_nothing_left()

    def test_of_two_runs_in_one_folder_warns(self):
        records = self.folder / "records"
        for _ in range(2):
            self.run_words(MPIRUN, "-n", RANKS, SLUICE, "trace", "--merge", records, "--",
                           *self.write)
        text = self.run_words(SLUICE, "trace", "--merge", records)
        self.assertRegex(text, r"Rank \d has 2 records, and this report adds them up")

    def test_names_no_call_of_mpi_itself(self):
        self.run_words(MPIRUN, "-n", RANKS, SLUICE, "trace", "--json", self.report, "--",
                       *self.write)
        report = json.loads(self.report.read_text(encoding="utf-8"))
        self.assertGreater(report["ranks"]["of_mpi_itself_s"], 0)
        sites = [report["call_sites"][each["call_site"]] for each in
                 report["ranks"]["differences"]]
        for site in sites:
            self.assertNotRegex(json.dumps(site), "eventfd|socket|pipe|/proc/")
        for each in report["ranks"]["each"]:
            self.assertLess(each["bytes"], 2 * RANK_BYTES)

    def test_of_a_step_of_slurm_is_one_report_or_is_merged(self):
        """srun starts each rank with these variables; SLURM itself is not needed."""
        records = self.folder / "records"
        for options in (["--json", self.report], ["--merge", records]):
            running = []
            for rank in range(RANKS):
                environment = dict(
                    os.environ, SLURM_PROCID=str(rank), SLURM_STEP_NUM_TASKS=str(RANKS),
                    SLURM_GTIDS="0,1,2", SLURM_JOB_ID="7", SLURM_STEP_ID="0",
                    TMPDIR=str(self.temporary))
                words = [SLUICE, "trace", *options, "--", "dd", "if=/dev/zero", "bs=1000",
                         "count=100", "status=none", f"of={self.shared}.{rank}"]
                running.append(subprocess.Popen(list(map(str, words)), env=environment, text=True,
                                                stderr=subprocess.PIPE))
            text = "".join(patience.wait_for(each, SECONDS)[1] for each in running)
            self.assertEqual([each.returncode for each in running], [0] * RANKS, text)
            if "--merge" in options:
                self.assertEqual(text, "")
                text = self.run_words(SLUICE, "trace", "--merge", records, "--json", self.report)
            self.assertEqual(text.count("sluice trace: "), 1, text)
            report = json.loads(self.report.read_text(encoding="utf-8"))
            self.assertEqual(problems_of(report), [])
            self.assertEqual(sorted(each["rank"] for each in report["ranks"]["each"]),
                             list(range(RANKS)))
            self.expect_nothing_left()

    def test_names_the_slowest_rank_and_its_calls(self):
        text = self.run_words(MPIRUN, "-n", RANKS, SLUICE, "trace", "--json", self.report, "--",
                              "sh", "-c", SLOW_RANK, "sh", self.folder / "out")
        self.assertRegex(text, rf"\n{RANKS} ranks: rank 1 has the most I/O time, ")
        self.assertRegex(text, r" more than the median of the ranks for this call: (write|read), "
                               r".*(zero|out\.1)")
        ranks = json.loads(self.report.read_text(encoding="utf-8"))["ranks"]
        self.assertEqual(ranks["slowest"], 1)
        self.assertGreater(ranks["slowest_s"], 2 * ranks["median_s"])

    def test_one_after_the_other_are_reports_of_their_own(self):
        script = f"'{SLUICE}' trace -- cat /dev/null; '{SLUICE}' trace -- cat /dev/null"
        text = self.run_words(MPIRUN, "-n", RANKS, "sh", "-c", script)
        self.assertEqual(text.count("sluice trace: "), 2, text)
        self.assertEqual(len(re.findall(rf"^{RANKS} ranks: ", text, re.MULTILINE)), 2, text)
        self.expect_nothing_left()

    def test_reports_a_rank_that_fails(self):
        script = 'test "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 1 || exit 7; sleep 0.2'
        text = self.run_words(MPIRUN, "-n", RANKS, SLUICE, "trace", "--json", self.report, "--",
                              "sh", "-c", script, code=7)
        self.assertIn("sluice trace: ", text)
        self.assertEqual(json.loads(self.report.read_text(encoding="utf-8"))["exit_code"], 7)

    def test_reports_before_the_launcher_ends_the_others_after_a_crash(self):
        script = """
            rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
            dd if=/dev/zero of="$1.$rank" bs=1000 count=100 status=none
            test "$rank" != 1 || kill -s SEGV $$
            sleep 30"""
        began = time.monotonic()
        ended, output, errors = patience.run(
            [MPIRUN, "-n", RANKS, SLUICE, "trace", "--json", self.report, "--", "sh", "-c", script,
             "sh", self.shared], SECONDS, self.environment())
        self.assertNotEqual(ended, 0, output + errors)
        self.assertLess(time.monotonic() - began, 25)
        self.assertIn("The program was ended by signal 11", errors)
        self.assertIn("This report was made when rank 1 had failed: ranks 0, 2 still ran", errors)
        report = json.loads(self.report.read_text(encoding="utf-8"))
        self.assertEqual(report["signal"], 11)
        self.assertEqual(sorted(each["rank"] for each in report["ranks"]["each"]),
                         list(range(RANKS)))

    def test_of_a_rank_that_cannot_show_its_logs_still_runs_its_program(self):
        """Another folder has the name of the place where it would show them."""
        job = self.temporary / f"sluice-ranks-{os.geteuid()}-9-0"
        (job / "group-0/begun-0/logs/of-another").mkdir(parents=True)
        job.chmod(0o700)
        folder = os.open(job, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_SH)  # the folder of a job that nobody locks is removed
        environment = dict(os.environ, SLURM_PROCID="0", SLURM_STEP_NUM_TASKS="2",
                           SLURM_GTIDS="0", SLURM_JOB_ID="9", SLURM_STEP_ID="0",
                           TMPDIR=str(self.temporary))
        ended, output, errors = patience.run(
            [SLUICE, "trace", "--json", self.report, "--", "dd", "if=/dev/zero", "bs=1000",
             "count=100", "status=none", f"of={self.shared}"], SECONDS, environment)
        self.assertEqual(ended, 0, output + errors)
        self.assertEqual(self.shared.stat().st_size, 100_000)
        self.assertRegex(errors, r"(?m)^sluice trace: .*begun-0/logs")
        report = json.loads(self.report.read_text(encoding="utf-8"))
        [file] = [each for each in report["files"] if each["name"] == str(self.shared)]
        self.assertEqual(file["bytes"], 100_000)

    def test_refuses_options_that_do_not_go_together(self):
        records = self.folder / "records"
        for words in (["--merge", records, "--json", self.report, "--", "true"],
                      ["--merge", records, "--for", "1"], ["--compare", "--merge", "a", "b", "c"]):
            self.run_words(SLUICE, "trace", *words, code=2)
        text = self.run_words(SLUICE, "trace", "--merge", self.temporary, code=1)
        self.assertIn("there is no record of sluice trace", text)
        text = self.run_words(SLUICE, "trace", "--merge", self.folder / "missing", code=1)
        self.assertIn("missing: there is no record of sluice trace", text)
        text = self.run_words(SLUICE, "trace", "--merge", "/dev/null/no", "--", "true", code=1)
        self.assertIn("/dev/null/no: no record can be kept there", text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
