// A call's stack from the program's own code outwards.
#pragma once

#include <string>
#include <vector>

#include "trace/profile/profile.h"

namespace sluice::trace {

// True if the file of code is the C library, the loader or the compiler's library for unwinding.
bool is_of_c(const std::string& module);

// True for std::istream::read().
bool reads_pieces(const Frame& frame);

// The site of a call with these frames, innermost first. Frames at the inner end are left out if
// they are of the C or C++ library, or of functions in system headers that were inlined into the
// program. If there are no other frames, all are kept.
Site site_in_own_code(std::vector<Frame> frames);

}  // namespace sluice::trace
