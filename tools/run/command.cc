#include "run/command.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "command_line/output.h"
#include "command_line/usage_error.h"
#include "run/launch.h"
#include "run/program_file.h"
#include "run/records.h"
#include "run/report.h"

namespace sluice::run {
namespace {

struct Program {
  std::string path;
  std::string not_accelerated;  // why; empty when it is
};

void warn(const std::string& text) { complain("sluice run", text); }

int cannot_execute(const std::string& name, int error) {
  warn(fmt::format("{}: {}", name,
                   error == ENOENT ? "there is no such program" : std::strerror(error)));
  return error == ENOENT ? exit_not_found : exit_not_executable;
}

std::vector<std::string> environment_for(const Request& request, const Program& program,
                                         const std::string& records) {
  return program.not_accelerated.empty() ? accelerated_environment(request, records)
                                         : own_environment();
}

int wait_and_report(const Request& request, const Program& program) {
  using Clock = std::chrono::steady_clock;
  if (!request.json_file.empty()) expect_writable(request.json_file);
  const RecordFolder records;
  Outcome outcome{.command = request.command, .not_accelerated = program.not_accelerated};
  const Clock::time_point start = Clock::now();
  int error = 0;
  outcome.wait_status = start_and_wait(program.path, request.command,
                                       environment_for(request, program, records.path()), error);
  if (error != 0) return cannot_execute(program.path, error);
  outcome.wall_s = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.processes = records.read();
  if (!request.json_file.empty()) write_text(request.json_file, json_of(outcome));
  if (request.summary) std::fputs(summary_of(outcome).c_str(), stderr);
  return end_like(outcome.wait_status);
}

}  // namespace

int run(const Request& request) {
  if (request.command.empty() || request.command.front().empty()) {
    throw UsageError("the program is missing: sluice run -- CMD ARGS");
  }
  int error = 0;
  const std::string path = find_program(request.command.front(), error);
  if (path.empty()) return cannot_execute(request.command.front(), error);
  const Program program{path, why_not_accelerated(path)};
  if (!program.not_accelerated.empty()) {
    warn(fmt::format("{}: not accelerated: {}; it runs as it is", path, program.not_accelerated));
  }
  if (request.summary || !request.json_file.empty()) return wait_and_report(request, program);
  return cannot_execute(path, become(path, request.command, environment_for(request, program, "")));
}

}  // namespace sluice::run
