// Small reads and small writes that one buffer makes.
#pragma once

#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {

// A function that reads small pieces of one file and writes each of them to another, or what it
// makes of it, has one buffer for both. If it makes each piece of pieces of several files, every
// file has a buffer. The pieces of advice get the same words, and then have one cause.
void unite_copied_pieces(const Profile& profile, std::vector<Advice>& all);

}  // namespace sluice::trace
