// Runs a program and puts together what its processes record.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/program_file.h"
#include "trace/profile/profile.h"
#include "trace/profile/record.h"
#include "trace/request.h"

namespace sluice::trace {

struct Traced {
  int wait_status = 0;               // of this command's program
  std::optional<Profile> profile{};  // of all ranks of a job; empty if another command reports
  std::string problem{};             // why there is no profile; empty if there is no problem
};

// The profile has the sizes of the writes if they are asked for. At each SIGUSR2, `report_now` is
// called with what was recorded so far, on this rank alone. Throws ProgramError for a program that
// cannot be started, and std::exception for other obstacles.
Traced trace(const Request& request, const Program& program,
             const std::function<void(const Profile&)>& report_now);

// Adds the sizes of the writes in all these records.
void add_sizes(Profile& profile, const std::vector<Record>& records);

// Tells the process that keeps this log to stop. The process heeds it at one of its next calls.
void tell_to_stop(const std::string& log);

}  // namespace sluice::trace
