"""Mutations of `sluice trace` for the ranks of a job."""
import dataclasses

from mutation import Mutation

JOB = "tools/trace/job.cc"
MEETING = "tools/trace/meeting.cc"
MERGING = "tools/trace/merging.cc"
RANKS = "tools/trace/ranks.cc"
RECORD = "tools/trace/record.cc"
OF_MPI = "tools/trace/mpi_itself.cc"

ON_JOBS = "JobOf.*"
ON_MEETING = "RanksMeet.*"
ON_RANKS = "Ranks.*"
ON_RECORDS = "KeptRecords.*"

RANKS_OF_A_JOB = [
    dataclasses.replace(mutation, program="sluice_report_test") for mutation in [
        Mutation("a job of one rank waits for others", JOB,
                 "if (*ranks == 1) return std::nullopt;", "", ON_JOBS),
        Mutation("the name of a job leads to another folder", JOB,
                 "if (!is_plain) letter = '_';", "", ON_JOBS),
        Mutation("ranks of SLURM on other machines are waited for", JOB,
                 "1 + std::ranges::count(std::string_view(list), ',')",
                 "*number_in(variables.ranks)", ON_JOBS),
        Mutation("the ranks of SLURM's PMI are taken for one machine's", JOB,
                 "(!here && are_those_of_step(*rank, *ranks))", "false", ON_JOBS),
        Mutation("a rank reports although another one runs", MEETING,
                 "if (!has_failed) return Outcome::leave;", "", ON_MEETING),
        Mutation("a failed rank leaves although the launcher ends the others", MEETING,
                 "if (!has_failed) return", "return", ON_MEETING),
        Mutation("a failed rank gives the others no time to end", MEETING,
                 "waited > after_a_failure ?", "true ?", ON_MEETING),
        Mutation("ranks that still run are not in the report of a failed one", MEETING,
                 "if (!still_runs(own)) continue;", "continue;", ON_MEETING),
        Mutation("nobody says that ranks still ran", MERGING,
                 "  note_ranks_that_ran_on(records, profile);\n", "", ON_RECORDS),
        Mutation("calls of ranks that are alike are named", RANKS,
                 "if (more_in_all_s < shortest_s) return {};", "", ON_RANKS),
        Mutation("a rank waits for ranks that never join", MEETING,
                 "are_all_here || waited > patience", "are_all_here",
                 ON_MEETING),
        Mutation("a rank that was killed lives", MEETING,
                 "!has_record(rank_folder) && is_alive(rank_folder)", "!has_record(rank_folder)",
                 ON_MEETING),
        Mutation("the second trace of a rank meets the first one's", MEETING,
                 "!exists(closed_mark(group)) && !exists(rank_folder(group, job_.rank))",
                 "!exists(rank_folder(group, job_.rank))", ON_MEETING),
        Mutation("ranks meet in the folder of another user", MEETING,
                 'if (!is_own) fail(path, "this folder belongs to somebody else");', "",
                 ON_MEETING),
        Mutation("folders of killed jobs stay", MEETING, "  remove_abandoned(parent);\n", "",
                 ON_MEETING),
        Mutation("the folder of a job stays", MEETING,
                 "::flock(entered_, LOCK_EX | LOCK_NB) == 0)", "false)", ON_MEETING),
        Mutation("missing ranks are not named", MERGING,
                 "  note_missing_ranks(records, profile);\n", "", ON_RECORDS),
        Mutation("the records of two runs are added up without a word", MERGING,
                 "  note_repeated_ranks(records, profile);\n", "", ON_RECORDS),
        Mutation("a missing folder of records is a failure of C++", RECORD,
                 "fs::directory_iterator(parent, failed)", "fs::directory_iterator(parent)",
                 ON_RECORDS),
        Mutation("a call is named for less than 10 ms", RANKS,
                 "shortest_s = 0.010;", "shortest_s = 0.001;", ON_RANKS),
        Mutation("what MPI does for itself counts", RANKS,
                 "if (!is_of_mpi) totals", "totals", ON_RANKS),
        Mutation("what MPI does for itself is named", RANKS,
                 "    if (is_of_mpi_itself(profile, use)) continue;\n", "", ON_RANKS),
        Mutation("a socket of MPI is the program's", OF_MPI,
                 "return S_ISSOCK(file.kind) ||", "return", ON_RANKS),
        Mutation("the start of MPI is the program's", OF_MPI,
                 "if (std::ranges::any_of(frames, starts_or_ends_mpi)) return true;", "",
                 ON_RANKS),
        Mutation("a file of the program that MPI writes is MPI's own", OF_MPI,
                 "return joins_processes(file) ||", "return S_ISREG(file.kind) ||", ON_RANKS),
        Mutation("a socket of the program is MPI's own", OF_MPI,
                 "if (frames.empty() || !is_of_mpi(frames.front())) return false;",
                 "if (frames.empty()) return false;", ON_RANKS),
        Mutation("clocks of several machines are taken for one", MERGING,
                 "is_elsewhere ? record", "false ? record", ON_RECORDS),
        Mutation("the processors of all machines count equally fast", MERGING,
                 "  costs.set_tick_s(record.tick_s);\n", "", ON_RECORDS),
        Mutation("a rank that the launcher has ended counts as the failed one", MERGING,
                 "return first == 0 || is_cause ? second : first;",
                 "return first == 0 ? second : first;", ON_RECORDS),
        Mutation("a rank's failure is not the job's", MERGING,
                 "profile.wait_status = worse_of(profile.wait_status, record.wait_status);", "",
                 ON_RECORDS),
        Mutation("a kept log takes the room of its holes", RECORD,
                 "if (std::memcmp(memory + at, zeros.data(), piece) == 0) continue;", "",
                 ON_RECORDS),
        Mutation("a record of another version is read", RECORD,
                 'json.at("schema").get<unsigned>() != record_schema', "false", ON_RECORDS),
        Mutation("the fastest rank is called the slowest", RANKS,
                 "std::ranges::stable_sort(all, std::greater(),",
                 "std::ranges::stable_sort(all, std::less(),", ON_RANKS),
        Mutation("ranks without calls are not in the median", RANKS,
                 "times.resize(ranks);  // the others have not made such calls", "", ON_RANKS),
        Mutation("the median of two is the larger one", RANKS,
                 "(values[middle - 1] + values[middle]) / 2", "values[middle]", ON_RANKS),
    ]
]
