#include "run/command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "command_line/command_error.h"
#include "command_line/output.h"
#include "launch/launch.h"
#include "launch/program_file.h"
#include "run/logs.h"
#include "run/report.h"

namespace sluice::run {
namespace {

std::string options_text(const Request& request, const std::string& logs) {
  std::vector<std::string> options;
  if (request.unlocked) options.emplace_back("unlocked");
  if (!request.children) options.emplace_back("no-children");
  if (!logs.empty()) options.push_back("logs=" + logs);
  return fmt::format("{}", fmt::join(options, ","));
}

std::vector<std::string> environment_for(const Request& request, const Program& program,
                                         const ObjectPath& object, const std::string& logs) {
  if (!program.not_covered.empty()) return own_environment();
  return environment_with(object, options_text(request, logs));
}

ObjectPath object_path(const Request& request) {
  return ObjectPath(
      path_of_object(request.coalesce ? "libsluice_coalesce.so" : "libsluice_run.so"));
}

// The folder of logs is removed before this function returns, because after it a signal may end
// this process.
Outcome wait_for(const Request& request, const Program& program) {
  const LogFolder logs;
  const ObjectPath object = object_path(request);
  Outcome outcome{.command = request.command,
                  .not_accelerated = program.not_covered,
                  .coalesce = request.coalesce};
  outcome.ended = start_and_wait(program.path, request.command,
                                 environment_for(request, program, object, logs.path()));
  Logs read = read_logs(logs);
  outcome.processes = std::move(read.processes);
  outcome.processes_without_counts = read.empty;
  return outcome;
}

int wait_and_report(const Request& request, const Program& program) {
  if (!request.json_file.empty()) expect_writable(request.json_file);
  const Outcome outcome = wait_for(request, program);
  std::vector<ReportItem> report;
  if (request.summary) report.emplace_back([&] { write_report(summary_of(outcome)); });
  if (!request.json_file.empty())
    report.emplace_back([&] { write_private_text(request.json_file, json_of(outcome)); });
  return report_and_end("sluice run", outcome.ended.wait_status, report);
}

// Becomes the program, unless a link has to be removed after the program's end. Then waits for the
// program and returns its wait status.
int become_or_wait_for(const Request& request, const Program& program) {
  const ObjectPath object = object_path(request);
  const std::vector<std::string> environment = environment_for(request, program, object, "");
  if (object.is_temporary())
    return start_and_wait(program.path, request.command, environment).wait_status;
  throw ProgramError(program.path, become(program.path, request.command, environment));
}

}  // namespace

int run(const Request& request) {
  if (request.command.empty()) {
    throw UsageError("the program is missing: sluice run -- CMD ARGS");
  }
  const Program program = program_for(request.command.front());
  if (!program.not_covered.empty()) {
    complain("sluice run", fmt::format("{}: not accelerated, because {}; it runs as it is",
                                       program.path, program.not_covered));
  }
  if (request.summary || !request.json_file.empty()) return wait_and_report(request, program);
  return end_like(become_or_wait_for(request, program));
}

}  // namespace sluice::run
