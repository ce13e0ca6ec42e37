// What all the advice would save together.
#pragma once

#include <vector>

#include "trace/advice.h"
#include "trace/profile.h"

namespace sluice::trace {

// If a prediction is a range, its lower end counts, so that a busy machine does not increase the
// result. Several pieces of advice about the same calls save no more than the time of these calls.
// A saving that is larger than the time of its calls counts in full for the part above this time.
// All advice saves no more than the I/O time: the time of all calls, of page faults of mapped
// files, and of making memory larger for reads.
double saved_together_s(const Profile& profile, const std::vector<Advice>& advice);

}  // namespace sluice::trace
