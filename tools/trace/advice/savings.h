// What all the advice would save together.
#pragma once

#include <vector>

#include "trace/advice/advice.h"
#include "trace/profile/profile.h"

namespace sluice::trace {

// If a prediction is a range, its lower end counts, so that a busy machine does not increase the
// result. A piece of advice may save time in its calls, and time outside them. Time in a call
// counts once, even if several pieces of advice are about the call. Time outside the calls counts
// for each piece of advice. All advice saves no more than the I/O time: the time of all calls, and
// of page faults of mapped files.
double saved_together_s(const Profile& profile, const std::vector<Advice>& advice);

}  // namespace sluice::trace
