#include "trace/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "command_line/command_error.h"
#include "command_line/output.h"
#include "html/page.h"
#include "launch/launch.h"
#include "launch/program_file.h"
#include "trace/advice/advice.h"
#include "trace/advice/savings.h"
#include "trace/comparison/compare.h"
#include "trace/comparison/comparison_report.h"
#include "trace/comparison/traced_result.h"
#include "trace/profile/merging.h"
#include "trace/profile/profile.h"
#include "trace/recording/tracing.h"
#include "trace/report/report.h"
#include "trace/report/stacks.h"

namespace sluice::trace {
namespace {

// Mistakes in the names of files are reported before the program runs.
// A device such as /dev/null loses nothing by being named twice.
bool are_one_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(a, ignored)) {
    return fs::weakly_canonical(fs::absolute(a)) == fs::weakly_canonical(fs::absolute(b));
  }
  return fs::equivalent(a, b, ignored) && fs::is_regular_file(a, ignored);
}

void expect_files(const Request& request) {
  if (!request.html_file.empty()) html::expect_charts();
  std::vector<std::string> files;
  for (const std::string& file :
       {request.json_file, request.html_file, request.sizes_file, request.stacks_file}) {
    if (file.empty()) continue;
    expect_writable(file);
    for (const std::string& other : files) {
      if (!are_one_file(file, other)) continue;
      throw UsageError(file + ": two options name this file: give each a file of its own");
    }
    files.push_back(file);
  }
}

bool asks_for_files(const Request& request) {
  return !request.json_file.empty() || !request.html_file.empty() || !request.stacks_file.empty() ||
         !request.sizes_file.empty();
}

// `profile` and `advice` must outlive the result.
std::vector<ReportItem> files_to_write(const Request& request, const Profile& profile,
                                       const std::vector<Advice>& advice) {
  std::vector<ReportItem> files;
  const auto add = [&](const std::string& file, const std::function<std::string()>& make_text) {
    if (!file.empty()) files.emplace_back([=] { write_private_text(file, make_text()); });
  };
  const auto json = std::make_shared<std::string>();  // the page has it too
  const auto make_json = [json, &profile, &advice] {
    if (json->empty()) *json = json_of(profile, advice);
    return *json;
  };
  add(request.sizes_file, [&] { return profile.sizes; });
  add(request.stacks_file, [&] { return folded_stacks(profile); });
  add(request.json_file, make_json);
  add(request.html_file, [make_json, &profile] {
    return html::page(fmt::format("sluice trace: {}", profile.command.front()), make_json(),
                      html::Kind::trace);
  });
  return files;
}

// A report while the program runs.
void report_now(const Request& request, const Profile& profile) {
  const std::vector<Advice> advice = advice_for(profile);
  std::vector<ReportItem> report = files_to_write(request, profile, advice);
  if (report.empty()) report.emplace_back([&] { write_report(summary_of(profile, advice)); });
  write_items("sluice trace", report);
}

// For a request with a limit. If the program failed, its own exit code stays.
int judge(const Request& request, const Profile& profile, double saved_s, int exit_code) {
  if (exit_code != 0) return exit_code;
  if (profile.processes.empty()) {
    complain("sluice trace",
             "nothing was seen, so nobody knows whether more could be saved than the seconds of "
             "--fail-over: trace a program that can be seen, or leave --fail-over out");
    return EXIT_FAILURE;
  }
  if (saved_s <= *request.fail_over_s) return exit_code;
  complain("sluice trace",
           fmt::format("{:.3f} s could be saved in all, more than the {:.3f} s of --fail-over: see "
                       "the advice above",
                       saved_s, *request.fail_over_s));
  return exit_over_limit;
}

// Throws unless two files are to be compared, and no option for a program is given.
void expect_comparison(const Request& request) {
  const bool is_named = std::ranges::none_of(request.command, &std::string::empty);
  if (request.command.size() != 2 || !is_named) {
    throw UsageError("--compare takes two results of --json: sluice trace --compare BEFORE AFTER");
  }
  if (request.for_s || !request.children || !request.html_file.empty() ||
      !request.sizes_file.empty() || !request.stacks_file.empty() ||
      !request.merge_folder.empty()) {
    throw UsageError(
        "--compare runs no program: leave out --for, --no-children, --html, --merge, --sizes and "
        "--stacks");
  }
  for (const std::string& input : request.command) {
    if (request.json_file.empty() || !are_one_file(request.json_file, input)) continue;
    throw UsageError(input + ": --json would overwrite this input of --compare: name another file");
  }
  if (!request.json_file.empty()) expect_writable(request.json_file);
}

int judge(const Request& request, const Comparison& comparison) {
  const double lost_s = -comparison.saved_s();
  if (!request.fail_over_s || lost_s <= *request.fail_over_s) return 0;
  complain(
      "sluice trace",
      fmt::format("{} has {:.3f} s more I/O time than {}, more than the {:.3f} s of "
                  "--fail-over: see the new or larger costs above",
                  comparison.after.path, lost_s, comparison.before.path, *request.fail_over_s));
  return exit_over_limit;
}

int compare_results(const Request& request) {
  expect_comparison(request);
  TracedResult before = read_traced_result(request.command[0]);
  const Comparison comparison = compare(std::move(before), read_traced_result(request.command[1]));
  for (const std::string& warning : comparison.warnings) {
    complain("sluice trace", on_one_line(warning));
  }
  if (!request.json_file.empty()) write_private_text(request.json_file, json_of(comparison));
  write_output(printable(summary_of(comparison)));
  return judge(request, comparison);
}

// The folder is made if it is missing.
void expect_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw std::runtime_error(fmt::format("{}: no record can be kept there: {}", folder,
                                         failed ? failed.message() : std::strerror(errno)));
  }
}

// Throws unless the options are for a command whose record is kept.
void expect_keeping(const Request& request) {
  if (asks_for_files(request) || request.fail_over_s) {
    throw UsageError(
        "--merge DIR -- CMD only keeps the record of CMD: give --json, --html, --stacks, --sizes "
        "and --fail-over to sluice trace --merge DIR");
  }
  expect_folder(request.merge_folder);
}

int report_all(const Request& request, const Profile& profile, const Traced& traced) {
  const std::vector<Advice> advice = advice_for(profile);
  std::vector<ReportItem> report = files_to_write(request, profile, advice);
  report.insert(report.begin(), [&] { write_report(summary_of(profile, advice)); });
  const int exit_code = report_and_end("sluice trace", traced.wait_status, report);
  if (!request.fail_over_s) return exit_code;
  return judge(request, profile, saved_together_s(profile, advice), exit_code);
}

// Reports what several commands have recorded.
int merge_records(const Request& request) {
  if (request.for_s || !request.children) {
    throw UsageError("--merge DIR without CMD runs no program: leave out --for and --no-children");
  }
  expect_files(request);
  const std::vector<Record> records = kept_records(request.merge_folder);
  Profile profile = profile_of(records);
  if (!request.sizes_file.empty()) add_sizes(profile, records);
  return report_all(request, profile, Traced{});
}

}  // namespace

int run(const Request& request) {
  if (request.compare) return compare_results(request);
  if (!request.merge_folder.empty() && request.command.empty()) return merge_records(request);
  if (request.command.empty()) {
    throw UsageError("the program is missing: sluice trace -- CMD ARGS");
  }
  const Program program = program_for(request.command.front());
  if (!program.not_covered.empty()) {
    complain("sluice trace", fmt::format("{}: nothing will be seen, because {}; it runs as it is",
                                         program.path, program.not_covered));
  }
  if (!request.merge_folder.empty()) expect_keeping(request);
  expect_files(request);
  // Once for the whole process: at its end the kernel takes back the memory of thousands of entries
  // sooner than destructors do.
  static const Traced& traced = *new Traced(
      trace(request, program, [&](const Profile& so_far) { report_now(request, so_far); }));
  if (traced.profile) return report_all(request, *traced.profile, traced);
  std::vector<ReportItem> report;
  if (!traced.problem.empty())
    report.emplace_back([&] { throw std::runtime_error(traced.problem); });
  return report_and_end("sluice trace", traced.wait_status, report);
}

}  // namespace sluice::trace
