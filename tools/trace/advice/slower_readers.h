// Programs that write into a pipe whose reader has no time to lose.
#pragma once

#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {

// Leaves out advice about processes that write into a pipe, if the reader of the pipe works during
// all of the run and never waits for them: if they end sooner, the run does not.
void leave_out_what_waits_for_readers(const Profile& profile, std::vector<Advice>& all);

}  // namespace sluice::trace
