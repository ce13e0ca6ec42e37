// The table of the calls that took longest.
#pragma once

#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {

// The call, its place in the program and its file.
std::string use_text(const Profile& profile, const Use& use);

// A line for each use of a file, the longest first. A place that uses many files by one call has
// one line for all of them.
std::string calls_table(const Profile& profile);

}  // namespace sluice::trace
