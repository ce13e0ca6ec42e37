"""Mutations of advice about programs that are started for each record, about files that are written
anew or only appended to, and about standard streams of C++."""
import dataclasses

from mutation import Mutation

PROCESS_RULES = "tools/trace/process_rules.cc"
RENEWAL_RULES = "tools/trace/renewal_rules.cc"
FILE_RULES = "tools/trace/file_rules.cc"
OWN_TERMS = "tools/trace/own_terms.cc"
CAUSES = "tools/trace/causes.cc"
SAVINGS = "tools/trace/savings.cc"

ON_PROCESSES = "ProcessRules.*"
ON_RENEWALS = "RenewalRules.*"

HABITS = [dataclasses.replace(mutation, program="sluice_report_test") for mutation in (
    Mutation("what a program keeps in a file is read back for nothing", FILE_RULES,
             "at.file.remains || at.file.is_many) return {};", "at.file.is_many) return {};",
             "WholeFileRules.*"),
    Mutation("values in a stream are made without work", FILE_RULES,
             "is_text ? share * (reads.work_before_s + writes.work_before_s) : 0", "0",
             "WholeFileRules.*"),
    Mutation("syncs of large records wait for nothing but the disk", FILE_RULES,
             "const double gathered = 1 - piece / gathered_bytes;", "const double gathered = 1;",
             "WholeFileRules.*"),
    Mutation("a single seek is a habit", FILE_RULES,
             "constexpr std::uint64_t many_seeks = 10;", "constexpr std::uint64_t many_seeks = 1;",
             "WholeFileRules.*"),
    Mutation("a flush compresses nothing", OWN_TERMS,
             "  advice.saved_s += added_s;\n  advice.by_runtime_s = added_s;\n  advice.why +=\n"
             "      \" The compression",
             "  advice.by_runtime_s = added_s;\n  advice.why +=\n      \" The compression",
             "Runtime.*:OwnTerms.*"),
    Mutation("programs that compute are started for nothing", PROCESS_RULES,
             "start_s < least_share_of_start * (start_s + habit.work_s)", "false", ON_PROCESSES),
    Mutation("a program that waits for a long one is a short one", PROCESS_RULES,
             "wall_s <= most_of_a_short_life_s && last->ended", "last->ended", ON_PROCESSES),
    Mutation("many different programs are one habit", PROCESS_RULES,
             "habit.starts < starts_of_a_habit ||", "", ON_PROCESSES),
    Mutation("a few programs are many", PROCESS_RULES,
             "constexpr std::size_t many_starts = 50;", "constexpr std::size_t many_starts = 49;",
             ON_PROCESSES),
    Mutation("a subshell is a program", PROCESS_RULES,
             "if (!is_copy(found->second)) return number;", "return number;", ON_PROCESSES),
    Mutation("a process is each program that it became", PROCESS_RULES,
             "if (last == nullptr || process.begun_s >= last->begun_s) last = &process;",
             "if (last == nullptr) last = &process;", ON_PROCESSES),
    Mutation("the recorder's log before a program is a part of its start", PROCESS_RULES,
             "std::max(0.0, life.last->begun_s - recorder_s)", "life.last->begun_s", ON_PROCESSES),
    Mutation("a shell's programs are nobody's", PROCESS_RULES,
             "      if (!starter.is_short()) return 0;\n", "      return 0;\n", ON_PROCESSES),
    Mutation("the programs' own work is saved in any case", PROCESS_RULES,
             ".least_saved_s = start_s * all / at_once,",
             ".least_saved_s = (start_s + work_s) * all / at_once,", ON_PROCESSES),
    Mutation("starting programs takes longer than the program works", PROCESS_RULES,
             "std::min(origin.own_work_s, most_of_starting", "std::max(0.0, most_of_starting",
             ON_PROCESSES),
    Mutation("processes without a log were not started", PROCESS_RULES,
             "static_cast<double>(profile.processes_left_out)", "0.0", ON_PROCESSES),
    Mutation("programs at once save their sum", PROCESS_RULES,
             "std::max(1.0, seen_s / origin.wall_s)", "1.0", ON_PROCESSES),
    Mutation("advice about no call is limited by the time of the calls", SAVINGS,
             "(each.uses.empty() ? others_s : of_calls_s)", "of_calls_s", "SavedTogether.*"),
    Mutation("a file that is written anew is only to be kept open", FILE_RULES,
             "  if (is_written_anew(at)) return written_anew(at);\n", "", ON_RENEWALS),
    Mutation("appended records are the whole file", RENEWAL_RULES,
             "!at.is_regular() || (at.file.flags & O_APPEND) != 0", "!at.is_regular()",
             ON_RENEWALS),
    Mutation("a small part of a file is the whole file", RENEWAL_RULES,
             "written >= 0.4 * openings * size_of(at.file)", "true", ON_RENEWALS),
    Mutation("a file that is read is written anew", RENEWAL_RULES,
             "!is_read(at) && written > 0", "written > 0", ON_RENEWALS),
    Mutation("texts take longer than the program works", RENEWAL_RULES,
             "std::min(work_s, share * bytes * byte_s)", "share * bytes * byte_s", ON_RENEWALS),
    Mutation("texts that are made again cost nothing for sure", RENEWAL_RULES,
             "constexpr double unseen_share = 0.5;", "constexpr double unseen_share = 1;",
             ON_RENEWALS),
    Mutation("each language makes texts as fast as C", RENEWAL_RULES,
             "is_compiled ? 10e-9 : 80e-9", "10e-9", ON_RENEWALS),
    Mutation("the texts that stdio makes are made for nothing", RENEWAL_RULES,
             "share * writes.time.copying_s + ", "", ON_RENEWALS),
    Mutation("changes in place are appended", RENEWAL_RULES,
             "record > large_record_bytes || !appends(at, seeks)", "record > large_record_bytes",
             ON_RENEWALS),
    Mutation("large records are small", RENEWAL_RULES,
             "record < 1 || record > large_record_bytes", "record < 1", ON_RENEWALS),
    Mutation("a seek costs nothing but its write", RENEWAL_RULES,
             ".saved_s = total_s - writes_s + writes_s * share_of_calls(record),",
             ".saved_s = writes_s * share_of_calls(record),", ON_RENEWALS),
    Mutation("tied streams and streams in step with stdio are two causes", CAUSES,
             "|| all[i].cure.starts_with(both) ||", "||", "Causes.*"),
    Mutation("two programs have one standard input", CAUSES,
             "return is_cured && ", "return is_cured || ",
             "Causes.*"),
)]
