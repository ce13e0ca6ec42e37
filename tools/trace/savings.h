// What all the advice would save together.
#pragma once

#include <vector>

#include "trace/advice.h"
#include "trace/profile.h"

namespace sluice::trace {

// Where the prediction is a range, its lower end counts, so that a busy machine adds nothing.
// Several pieces of advice about the same calls save no more than the time of these calls. The part
// of a saving that is not in the time of its calls counts in full. All advice saves no more than
// the I/O time: the time of all calls, of page faults of mapped files, and of making memory larger
// for reads.
double saved_together_s(const Profile& profile, const std::vector<Advice>& advice);

}  // namespace sluice::trace
