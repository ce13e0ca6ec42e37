"""Mutations of the savings that `sluice trace` computes."""
import dataclasses

from mutation import Mutation

SAVINGS = "tools/trace/savings.cc"
RESULT = "tools/trace/traced_result.cc"
MATCHING = "tools/trace/matching.cc"
COMPARE = "tools/trace/compare.cc"
REPORT = "tools/trace/comparison_report.cc"
RUNTIME = "tools/trace/runtime.cc"
OWN_TERMS = "tools/trace/own_terms.cc"
EXPORTED = "tools/trace/exported.cc"
CAUSES = "tools/trace/causes.cc"
SITUATION = "tools/trace/situation.cc"
FILE_RULES = "tools/trace/file_rules.cc"
PROGRAM_RULES = "tools/trace/program_rules.cc"

TRACING = "tools/trace/tracing.cc"
CALL_RULES = "tools/trace/call_rules.cc"
RUNNING = "tools/trace/running.cc"
FOLDER = "tools/launch/temporary_folder.cc"

ON_SAVINGS = "SavedTogether.*"
ON_RESULTS = "TracedResult.*"
ON_MATCHING = "Matching.*"
ON_COMPARING = "Compare.*"
ON_STOPPING = "Stopping.*:ClosedLogFolder.*"
ON_RUNNING = "RunningProcess.*"
ON_REPORTS = "ComparisonReport.*"
ON_RUNTIMES = "Runtime.*:OwnTerms.*"
ON_ADVICE = "Advice.*"

VERDICTS = [dataclasses.replace(mutation, program="sluice_report_test") for mutation in (
    Mutation("the same calls are saved twice", SAVINGS,
             "const double taken_s = std::min(inside_s, left_s);",
             "const double taken_s = inside_s;", ON_SAVINGS),
    Mutation("calls that threads make at once save the time of each thread", SAVINGS,
             "sum_of(left_s_, advice) / advice.at_once;", "sum_of(left_s_, advice);", ON_SAVINGS),
    Mutation("more is saved than the whole I/O time", SAVINGS,
             "return std::min(sum, io_s(profile));", "return sum;", ON_SAVINGS),
    Mutation("waits for page faults do not count as I/O time", SAVINGS,
             "sum += process.fault_wait_s;", "sum += 0;", ON_SAVINGS),
    Mutation("a busy machine adds to the savings", SAVINGS,
             "advice.least_saved_s.value_or(advice.saved_s)", "advice.saved_s", ON_SAVINGS),
    Mutation("another schema is read", RESULT,
             "found != schema)", "found == 0)", ON_RESULTS),
    Mutation("another report is taken for a trace", RESULT,
             "  at(json, \"timeline\");", "  ", ON_RESULTS),
    Mutation("a trace that saw nothing is compared", RESULT,
             "  expect_seen(json);\n", "", ON_RESULTS),
    Mutation("a negative number is taken for a count", RESULT,
             "!value.is_number_unsigned()", "!value.is_number()", ON_RESULTS),
    Mutation("a moved line is taken for the line that was there before", MATCHING,
             "if (group.is_in_both() && !has_same_keys(group.before, group.after)) {",
             "if (false) {", ON_MATCHING),
    Mutation("a line is compared with another one of its function", MATCHING,
             "    pair.files = key.first;\n", "    pair.files = key.first;\n"
             "    std::swap(pair.after, pairs.begin()->second.after);\n", ON_MATCHING),
    Mutation("a file of the same name is taken for the file although there are several", MATCHING,
             " || from->second.size() != 1 || names.size() != 1) continue;", ") continue;",
             ON_MATCHING),
    Mutation("numbers in names tell files apart", MATCHING,
             "if (number < name.size()) pattern += '*';",
             "pattern += name.substr(number, name.find_first_not_of(digits, number) - number);",
             ON_MATCHING),
    Mutation("unknown places count as one function", MATCHING,
             "group.is_in_both() || function == unknown_function", "group.is_in_both()",
             ON_MATCHING),
    Mutation("the calls that do the work now cost nothing", COMPARE,
             "std::min({own_s, of_files_s, before_s})", "std::min({own_s, before_s})",
             ON_COMPARING),
    Mutation("an advice saves what other advice has saved", COMPARE,
             "std::min({own_s, of_files_s, before_s})", "std::min({of_files_s, before_s})",
             ON_COMPARING),
    Mutation("an advice saves more than its calls took", COMPARE,
             "std::min({own_s, of_files_s, before_s})", "std::min({own_s, of_files_s})",
             ON_COMPARING),
    Mutation("an advice takes the savings of other calls", COMPARE,
             "if (is_own) found.push_back(&site);", "found.push_back(&site);", ON_COMPARING),
    Mutation("advice may name call sites that do not exist", RESULT,
             "index >= result.sites.size()", "false", ON_RESULTS),
    Mutation("a saving beyond the time of the calls does not count", SAVINGS,
             "return taken_s + saved_s - inside_s;", "return taken_s;", ON_SAVINGS),
    Mutation("the saving of threads at once is not shared", COMPARE,
             " / advice.at_once;", ";", ON_COMPARING),
    Mutation("advice is followed whatever is left", COMPARE,
             "if (left <= followed_share) return Followed::yes;", "return Followed::yes;",
             ON_COMPARING),
    Mutation("no warning says that the commands differ", COMPARE,
             "if (before.command != after.command) {", "if (false) {", ON_COMPARING),
    Mutation("no warning says that the programs ended differently", COMPARE,
             "if (before.end != after.end) {", "if (false) {", ON_COMPARING),
    Mutation("no warning says that the first run was disturbed", COMPARE,
             "is_disturbed(before.disturbance) || ", "", ON_COMPARING),
    Mutation("no warning says that the second run was disturbed", COMPARE,
             " || is_disturbed(after.disturbance)", "", ON_COMPARING),
    Mutation("a program that still runs has an exit code", RESULT,
             'return "still running";', 'return "exit code 0";', ON_RESULTS),
    Mutation("a process is not told to stop", TRACING, "offsetof(preload::Log, stopped)", "0",
             ON_STOPPING),
    Mutation("a process that begins its log is not told to stop", TRACING,
             "  if (file < 0) return;\n",
             "  if (file < 0 || std::filesystem::file_size(log) == 0) return;\n", ON_STOPPING),
    Mutation("new processes find the folder of logs", FOLDER,
             "  if (!failed) path_ = path;", "  if (!failed) fs::rename(path, path_);",
             ON_STOPPING),
    Mutation("a closed folder of logs is not removed", FOLDER,
             "  if (!failed) path_ = path;", "", ON_STOPPING),
    Mutation("an ended process still runs", RUNNING, 'state == "Z" || ', "", ON_RUNNING),
    Mutation("a process that runs has worked for no time", RUNNING,
             "i < 4 && words", "i < 0 && words", ON_RUNNING),
    Mutation("new costs are not shown", REPORT,
             "if (site.saved_s() <= -least_shown_s) costs.insert(costs.begin(), &site);", "",
             ON_REPORTS),
    Mutation("the control characters of a name are printed", REPORT,
             "return on_one_line(*part.files.begin());", "return *part.files.begin();",
             ON_REPORTS),
    Mutation("the wait for a processor is predicted to be saved", "tools/trace/advice.cc",
             "advice.saved_s * left", "advice.saved_s", ON_ADVICE),
    Mutation("a function around the address has its name", EXPORTED,
             "if (found != nullptr && at->begin != found->begin) break;", "", "FunctionAt.*"),
    Mutation("a Python program is told the words of C", OWN_TERMS,
             "!cure.empty()) advice.fix", "cure.empty()) advice.fix", ON_RUNTIMES),
    Mutation("a language without words is told the words of C", RUNTIME,
             "text.empty() && runtime.kind == language", "false", ON_RUNTIMES),
    Mutation("the beginning of a name is taken for the whole", RUNTIME,
             "return name.starts_with(object) &&\n", "return name.starts_with(object) || ",
             ON_RUNTIMES),
    Mutation("SQLite inside of a program is not known", RUNTIME,
             "if (is_of_sqlite(profile_.files[use.file].name)) return of_sqlite;\n", "\n",
             ON_RUNTIMES),
    Mutation("the bytes of a database are held back", OWN_TERMS,
             "    advice.by.clear();\n", "", ON_RUNTIMES),
    Mutation("the syncs of a database are three causes", CAUSES,
             "if (all[i].is_of_database) unite(i, ", "if (false) unite(i, ", ON_RUNTIMES),
    Mutation("a far function is near", EXPORTED,
             "address >= last.end && address - last.end >= far_bytes", "false", "NameNear.*"),
    Mutation("code is near the function that begins after it", EXPORTED,
             "*std::prev(next)", "*next", "NameNear.*"),
    Mutation("the page of a trace has no flame graph", "tools/html/page.cc",
             "std::string(parts::flames_js) + ", "", "Page.*"),
    Mutation("one change mends two runtimes", CAUSES,
             'all[i].id + " of " + all[i].runtime;', "all[i].id;", ON_RUNTIMES),
    Mutation("without advice there is no table of the processes", "tools/trace/report.cc",
             "    return text + processes_text(profile);", "    return text;", "Report.*"),
    Mutation("a shell's reads and seeks are two causes", OWN_TERMS,
             "advice.keeps_file = true;", "", ON_RUNTIMES),
    Mutation("busybox awk is a tool without a language", RUNTIME,
             "if (found.kind == language) return found;", "", ON_RUNTIMES),
    Mutation("a shell's copies of descriptors are not saved", FILE_RULES,
             "if (copies < openings) return 0;", "return 0;", ON_ADVICE),
    Mutation("copies of descriptors by another process are saved", FILE_RULES,
             "if (!share_a_process(use, at.use)) continue;", "", ON_ADVICE),
    Mutation("the time for which a write waits is not writing", PROGRAM_RULES,
             "  return use.amount.time.system_s + use.amount.time.sleep_s;",
             "  return use.amount.time.system_s;", ON_ADVICE),
    Mutation("waiting for a processor counts as writing", PROGRAM_RULES,
             "    turns.writing_s -= profile.processes[i].queued_s;", "    ", ON_ADVICE),
    Mutation("another thread is advised where no processor is idle", PROGRAM_RULES,
             "if (profile.idle_processors * profile.wall_s < saved_s) return std::nullopt;", "",
             ON_ADVICE),
    Mutation("large reads are not said to need fewer system calls", CALL_RULES,
             "  if (has_small_buffer(at) && reads_past_buffer(at)) {", "  if (false) {", ON_ADVICE),
    Mutation("one change of the program gets two pieces of advice", CALL_RULES,
             "  if (has_tiny_stdio_calls(at) && reads_past_buffer(at)) return std::nullopt;",
             "", ON_ADVICE),
    Mutation("pieces of mixed sizes cost as much as pieces of one size", "tools/trace/profile.cc",
             "return are_alike ? Sizes::alike : Sizes::mixed;", "return Sizes::alike;",
             "DamagedLog.*"),
    Mutation("writes that other calls keep apart are to be coalesced", SITUATION,
             "return others < few * writes;", "return true;", ON_ADVICE),
    Mutation("the calls of another process keep writes apart", SITUATION,
             "return of.first == thread.first;", "return of.second == thread.second;", ON_ADVICE),
    Mutation("reads from a buffer keep writes apart", SITUATION,
             "always ? 0 : std::min(use.amount.copies, use.amount.calls);", "0;", ON_ADVICE),
)]
