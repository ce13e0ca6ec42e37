#include "trace/tracing.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "command_line/output.h"
#include "launch/launch.h"
#include "launch/log_folder.h"
#include "trace/missing_work.h"
#include "trace/sizes.h"
#include "trace/symbols.h"

namespace sluice::trace {
namespace {

// Without an object the program runs as it is.
std::vector<std::string> environment_for(const Request& request,
                                         const std::optional<ObjectPath>& object,
                                         const std::string& logs) {
  if (!object) return own_environment();
  const char* const children = request.children ? "" : "no-children,";
  const char* const sizes = request.sizes_file.empty() ? "" : "sizes,";
  return environment_with(*object, fmt::format("{}{}logs={}", children, sizes, logs));
}

// The number of processes that came after the last one with a log.
std::uintmax_t left_out(const LogFolder& logs) {
  const std::string file = logs.path() + "/" + preload::count_of_logs;
  std::error_code unknown;
  const std::uintmax_t count = std::filesystem::file_size(file, unknown);
  return unknown || count < preload::max_logs ? 0 : count - preload::max_logs;
}

std::vector<std::string> sorted_files(const LogFolder& logs) {
  std::vector<std::string> files = logs.files();
  std::sort(files.begin(), files.end());
  return files;
}

bool is_log(const std::string& file) { return file.ends_with(".log"); }

void note_left_out(const LogFolder& logs, Profile& profile) {
  const std::uintmax_t count = left_out(logs);
  if (count == 0) return;
  profile.problems.push_back(fmt::format(
      "{} processes (counting each program that a process became) are not in this report: "
      "only the first {} are recorded",
      count, preload::max_logs));
}

// A program and its logs.
class Tracing {
 public:
  Tracing(const Request& request, const Program& program) : request_(request), program_(program) {
    if (program.not_covered.empty()) object_.emplace(path_of_object("libsluice_trace.so"));
  }

  Profile run(const std::function<void(const Profile&)>& report_now) {
    const Waiting waiting{.leave_after_s = request_.for_s,
                          .at_request = [&](const Ended& so_far) { report(so_far, report_now); }};
    const Ended ended = start_and_wait(program_.path, request_.command,
                                       environment_for(request_, object_, logs_.path()), waiting);
    stop_recording();
    return profile(ended);
  }

 private:
  // What hinders the report does not hinder the program.
  void report(const Ended& so_far, const std::function<void(const Profile&)>& report_now) const
      try {
    report_now(profile(so_far));
  } catch (const std::exception& error) {
    complain("sluice trace", error.what());
  }

  // Processes may outlive the command. They do not notice that their logs are removed.
  void stop_recording() {
    logs_.close_to_processes();
    for (const std::string& file : logs_.files()) {
      if (is_log(file)) tell_to_stop(file);
    }
  }

  Profile profile(const Ended& ended) const {
    ProcessorTimes now = processor_times();
    Profile profile{.command = request_.command,
                    .wait_status = ended.wait_status,
                    .still_runs = ended.running != 0,
                    .wall_s = ended.wall_s,
                    .not_covered = program_.not_covered};
    const std::vector<std::string> files = sorted_files(logs_);
    CallCosts costs;
    Symbols symbols;
    for (const std::string& file : files) {
      if (is_log(file)) add_log(profile, file, costs, symbols);
    }
    note_left_out(logs_, profile);
    now.own_s += note_running(profile);
    profile.disturbance = disturbance_between(before_, now);
    profile.idle_processors =
        idle_processors_between(before_, now, static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)));
    note_unseen_calls(profile);
    const bool covers_all = profile.not_covered.empty() && request_.children;
    if (covers_all) note_missing_work(profile, ended.processor_s);
    if (!request_.sizes_file.empty()) write_sizes(files, request_.sizes_file, profile.problems);
    return profile;
  }

  const Request& request_;
  const Program& program_;
  LogFolder logs_;
  std::optional<ObjectPath> object_;
  ProcessorTimes before_ = processor_times();
};

}  // namespace

Profile trace(const Request& request, const Program& program,
              const std::function<void(const Profile&)>& report_now) {
  return Tracing(request, program).run(report_now);
}

// The process may not have made the log as long as a log yet; it keeps what stands there.
void tell_to_stop(const std::string& log) {
  const int file = ::open(log.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  constexpr std::uint32_t yes = 1;
  std::ignore = ::pwrite(file, &yes, sizeof yes, offsetof(preload::Log, stopped));
  ::close(file);
}

}  // namespace sluice::trace
