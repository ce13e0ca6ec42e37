// Files that a program is to keep in memory.
#pragma once

#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {

// Leaves out advice about reading a file that other advice would keep in memory. If the program
// also writes to the file, the advice about these writes becomes a part of that other advice. Of
// two ways to read with fewer calls, the one that saves more is left.
void leave_out_what_is_kept(const Profile& profile, std::vector<Advice>& all);

}  // namespace sluice::trace
