// Runs a program and puts together what its processes record.
#pragma once

#include <functional>

#include "launch/program_file.h"
#include "trace/profile.h"
#include "trace/request.h"

namespace sluice::trace {

// Writes the file of sizes too, if it is asked for. At each SIGUSR2, `report_now` is called with
// what was recorded so far. Throws ProgramError for a program that cannot be started, and
// std::exception for other obstacles.
Profile trace(const Request& request, const Program& program,
              const std::function<void(const Profile&)>& report_now);

// Tells the process that keeps this log to stop. The process heeds it at one of its next calls.
void tell_to_stop(const std::string& log);

}  // namespace sluice::trace
