// The stacks of the calls, for flame graphs.
#pragma once

#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {

// The name of the program that makes these calls.
std::string program_of(const Profile& profile, const Use& use);

// One line for each stack: its frames from the outermost function to the call, with ';' between
// them, and the whole microseconds of its calls. flamegraph.pl and speedscope read this form, which
// is named "folded". Stacks of less than half a microsecond are left out.
std::string folded_stacks(const Profile& profile);

}  // namespace sluice::trace
