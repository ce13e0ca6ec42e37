"""Mutations of advice that is told once for each cause, and of what is no cause at all."""
import dataclasses

from mutation import Mutation

ADVICE = "tools/trace/advice/advice.cc"
OWN_TERMS = "tools/trace/advice/own_terms.cc"
REPORT = "tools/trace/report/report.cc"

ONE_CAUSE = [dataclasses.replace(mutation, program="sluice_report_test") for mutation in (
    Mutation("small pieces and a small buffer have two cures", ADVICE,
             "  unite_buffers_with_pieces(profile, all);\n", "", "StreamRules.*:Advice.*"),
    Mutation("what sluice run saves needs a larger array", ADVICE,
             "tiny_stdio_writes && advice.by.empty()", "tiny_stdio_writes", "Advice.*"),
    Mutation("a small buffer is surely a part of small pieces", ADVICE,
             "    of_pieces.saved_s += advice.saved_s;",
             "    of_pieces.saved_s += advice.saved_s, "
             "*of_pieces.least_saved_s += advice.saved_s;", "StreamRules.*"),
    Mutation("a loop of a shell saves its calls alone", OWN_TERMS,
             "if (is_loop_of_shell(advice)) {", "if (false) {", "OwnTerms.*"),
    Mutation("awk does the work of commands", OWN_TERMS,
             "return processes * calls_for_a_process <=", "return processes * 0 <=",
             "OwnTerms.*"),
    Mutation("all work of a language belongs to its openings", OWN_TERMS,
             "if (is_about_appending(advice)) {\n    return std::min(",
             "if (false) {\n    return std::min(", "OwnTerms.*"),
    Mutation("a language begins a compression for free", OWN_TERMS,
             "!is_compressed(file) && !is_archive(file)", "!is_archive(file)", "OwnTerms.*"),
    Mutation("a language finds a member of an archive for free", OWN_TERMS,
             "!is_compressed(file) && !is_archive(file)", "!is_compressed(file)", "OwnTerms.*"),
    Mutation("a language takes nothing apart that it reads", OWN_TERMS,
             " &&\n         amounts_.of(use.file, all_reads).bytes == 0;", ";", "OwnTerms.*"),
    Mutation("zlib copies its text for free", "tools/trace/advice/call_rules.cc",
             "  count_decompression(advice, at);\n", "", "CallRules.*"),
    Mutation("zlib copies its text for each write", "tools/trace/advice/reading_rules.cc",
             "if (!at.reads_directly() || average", "if (average", "CallRules.*"),
    Mutation("zlib decompresses what is not compressed", "tools/trace/advice/reading_rules.cc",
             " || average_system_bytes(at.amount) > usual_bytes) return;", ") return;",
             "CallRules.*"),
    Mutation("a small buffer is always a part of small pieces", ADVICE,
             "if (of_pieces.saved_s < advice.saved_s) continue;", "", "StreamRules.*"),
    Mutation("zlib does all of the work between its reads", "tools/trace/advice/reading_rules.cc",
             "std::min(most_share * at.amount.work_before_s, most_for_a_read_s * reads)",
             "(most_share * 0 + most_for_a_read_s * reads)", "CallRules.*"),
    Mutation("a database sorts faster with more memory", OWN_TERMS,
             "name.find(file_of_sorts) != std::string::npos", "name.empty()", "CallRules.*"),
    Mutation("the folder of a journal is a connection", OWN_TERMS,
             "!S_ISDIR(profile_.files[use.file].kind)", "true", "OpeningRules.*"),
    Mutation("the work of other programs is I/O", REPORT,
             "io_s = time.total_s() - waited_s;", "io_s = time.total_s();", "Report.*"),
    Mutation("more than all of the time is I/O", REPORT,
             "std::min(1.0, io_s / lasts_s)", "(io_s / lasts_s)", "Report.*"),
    Mutation("one name that comes again stands for many that do not",
             "tools/trace/profile/profile.cc", "is_again ? text_at(log_, usage.name) : \"\"",
             "is_again || true ? text_at(log_, usage.name) : \"\"", "DamagedLog.*"),
    Mutation("starts that were left out are not said to be", "tools/trace/advice/process_rules.cc",
             "if (profile.processes_left_out == 0) return text;", "return text;",
             "ProcessRules.*"),
)]
