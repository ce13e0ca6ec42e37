#include "trace/recording/tracing.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "command_line/output.h"
#include "launch/launch.h"
#include "launch/log_folder.h"
#include "launch/signals.h"
#include "preload/trace/log.h"
#include "trace/advice/lives.h"
#include "trace/logs/sizes.h"
#include "trace/profile/merging.h"
#include "trace/recording/job.h"
#include "trace/recording/meeting.h"

namespace sluice::trace {
namespace {

// Without an object the program runs as it is.
std::vector<std::string> environment_for(const Request& request,
                                         const std::optional<ObjectPath>& object,
                                         const std::string& logs) {
  if (!object) return own_environment();
  const char* const children = request.children ? "" : "no-children,";
  // The command that merges the records may be asked for the sizes.
  const bool keeps_sizes = !request.sizes_file.empty() || !request.merge_folder.empty();
  const char* const sizes = keeps_sizes ? "sizes," : "";
  return environment_with(*object, fmt::format("{}{}logs={}", children, sizes, logs));
}

bool is_log(const std::string& file) { return file.ends_with(".log"); }

// Without a place to meet, this rank has a report of its own.
std::unique_ptr<Meeting> meeting_for(const Request& request, const std::optional<Job>& job) try {
  if (!job || !request.merge_folder.empty()) return nullptr;
  return std::make_unique<Meeting>(*job);
} catch (const std::exception& error) {
  complain("sluice trace", error.what());
  return nullptr;
}

// A program and its logs.
class Tracing {
 public:
  Tracing(const Request& request, const Program& program)
      : request_(request), program_(program), meeting_(meeting_for(request, job_)) {
    if (program.not_covered.empty()) object_.emplace(path_of_object("libsluice_trace.so"));
  }

  Traced run(const std::function<void(const Profile&)>& report_now) {
    const Waiting waiting{.leave_after_s = request_.for_s,
                          .at_request = [&](const Ended& so_far) { report(so_far, report_now); }};
    show_to_other_ranks();
    const Ended ended = start_and_wait(program_.path, request_.command,
                                       environment_for(request_, object_, logs_.path()), waiting);
    stop_recording();
    if (ended.running == 0) let_signals_end_the_report(job_.has_value());
    Traced traced{.wait_status = ended.wait_status};
    try {
      traced.profile = put_together(record(ended));
    } catch (const std::exception& error) {
      traced.problem = error.what();
    }
    return traced;
  }

 private:
  // Empty if this command has nothing to report.
  std::optional<Profile> put_together(const Record& record) {
    if (!request_.merge_folder.empty()) {
      keep(record, request_.merge_folder);
      return std::nullopt;
    }
    if (meeting_ == nullptr) return profile({record});
    if (!meeting_->is_last(record)) return std::nullopt;
    return profile(meeting_->records());
  }

  // If this fails, a failed rank reports without this one.
  void show_to_other_ranks() const try {
    if (meeting_ != nullptr) meeting_->begin(record({.running = ::getpid()}));
  } catch (const std::exception& error) {
    complain("sluice trace", error.what());
  }

  // What hinders the report does not hinder the program.
  void report(const Ended& so_far, const std::function<void(const Profile&)>& report_now) const
      try {
    report_now(profile({record(so_far)}));
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

  Record record(const Ended& ended) const {
    Record record = record_of_this_machine();
    record.logs = logs_.path();
    if (job_) record.rank = job_->rank;
    if (job_) record.ranks = meeting_ == nullptr && request_.merge_folder.empty() ? 0 : job_->ranks;
    record.command = request_.command;
    record.not_covered = program_.not_covered;
    record.covers_children = request_.children;
    record.wait_status = ended.wait_status;
    record.still_runs = ended.running != 0;
    record.wall_s = ended.wall_s;
    record.processor_s = ended.processor_s;
    record.before = before_;
    record.after = processor_times();
    return record;
  }

  Profile profile(const std::vector<Record>& records) const {
    Profile profile = profile_of(records);
    if (is_script(program_.path)) profile.script = program_.path;
    if (object_ && profile.processes.size() >= many_starts) {
      profile.start_cost = measured_start_cost(*object_);
    }
    if (!request_.sizes_file.empty()) add_sizes(profile, records);
    return profile;
  }

  const Request& request_;
  const Program& program_;
  const std::optional<Job> job_ = job_of_environment();
  const std::unique_ptr<Meeting> meeting_;
  LogFolder logs_;
  std::optional<ObjectPath> object_;
  ProcessorTimes before_ = processor_times();
};

}  // namespace

void add_sizes(Profile& profile, const std::vector<Record>& records) {
  std::vector<std::string> files;
  for (const Record& record : records) {
    const std::vector<std::string> its_files = files_of(record);
    files.insert(files.end(), its_files.begin(), its_files.end());
  }
  profile.sizes = sizes_in(files, profile.problems);
}

Traced trace(const Request& request, const Program& program,
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
