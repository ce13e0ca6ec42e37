"""Mutations of `sluice bench ranks`, and of `sluice trace` where ranks meet, which the Python tests
of tests/mpi notice."""
import dataclasses

from mutation import Mutation

COMMAND_LINE = "tools/ranks/command_line.cc"
EXPERIMENT = "tools/ranks/experiment.cc"
FOLDER = "tools/ranks/folder.cc"
MAIN = "tools/ranks/main.cc"
REPORT = "tools/ranks/report.cc"
WAYS = "tools/ranks/ways.cc"

WRONG_WORDS = "BenchRanks.test_a_wrong_command_line_ends_with_2_and_one_rank_complains"
OPTIONS = "BenchRanks.test_options_choose_the_bytes_and_the_ways"
TABLE = "BenchRanks.test_the_table_says_what_its_columns_mean_and_how_sluice_compares"
LEFT_FILES = "Files.test_a_run_leaves_the_files_of_others_and_none_of_its_own"

BENCH_OF_RANKS = [
    dataclasses.replace(mutation, program="mpi/bench_test.py") for mutation in [
        Mutation("an experiment that is misspelt is not refused", COMMAND_LINE,
                 '      ->check(CLI::IsMember({"blocks", "computing", "waiting", "accelerator", '
                 '"records"}))\n', "", WRONG_WORDS),
        Mutation("every rank complains", MAIN, "if (rank == 0 && exit_code != 0) complain",
                 "if (exit_code != 0) complain", WRONG_WORDS),
        Mutation("collective ways are not left out", MAIN,
                 "if (request.has_no_collective_ways)", "if (false)", OPTIONS),
        Mutation("the size of the records does not count", MAIN,
                 "request.records_bytes == 0 ? usual : request.records_bytes", "usual", OPTIONS),
        Mutation("the name of the MPI has a zero byte", REPORT,
                 "const std::string name(library);",
                 "const std::string name(library, static_cast<std::size_t>(length));", OPTIONS),
        Mutation("slower ways have larger ratios", EXPERIMENT,
                 "seconds[baseline] / seconds[i]", "seconds[i] / seconds[baseline]", OPTIONS),
        Mutation("a way is compared with itself in place of the reference", REPORT,
                 "other.seconds[round] / way.seconds[round]",
                 "way.seconds[round] / way.seconds[round]", OPTIONS),
        Mutation("a block is written over that of another rank", WAYS,
                 "thread.give(&block, job.begin() + at);", "thread.give(&block, at);", TABLE),
        Mutation("a record is written over that of another rank", WAYS,
                 "(row + static_cast<std::uint64_t>(job.rank)) * record_bytes;",
                 "row * record_bytes;", OPTIONS),
        Mutation("the count of a write is not looked at", WAYS,
                 "if (code == MPI_SUCCESS && count == static_cast<int>(bytes)) return;",
                 "if (code == MPI_SUCCESS) return;",
                 "BenchRanks.test_a_full_disk_is_named_with_the_rank_and_the_file",
                 needs_root=True),
    ]
]
BENCH_OF_RANKS += [
    dataclasses.replace(mutation, program="mpi/bench_files_test.py") for mutation in [
        Mutation("a run leaves its folder", FOLDER, "  MPI_Barrier(MPI_COMM_WORLD);\n  remove();",
                 "  MPI_Barrier(MPI_COMM_WORLD);", LEFT_FILES),
        Mutation("nobody says that the folder is missing", MAIN,
                 "return answer(folder.status().message(), 1);", "return 1;",
                 "Files.test_a_folder_that_is_missing_is_one_clear_line"),
    ]
]
TRACED_RANKS = [
    Mutation("a rank that cannot show its logs to the others runs no program",
             "tools/trace/recording/tracing.cc", "    show_to_other_ranks();\n",
             "    if (meeting_) meeting_->begin(record({.running = ::getpid()}));\n",
             "Trace.test_of_a_rank_that_cannot_show_its_logs_still_runs_its_program",
             program="mpi/trace_test.py"),
]
