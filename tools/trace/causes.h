// One cause, one advice: what one change mends counts as a whole.
#pragma once

#include <vector>

#include "trace/advice.h"

namespace sluice::trace {

// Puts advice of one kind together if it is about one file or one place in the program, directly or
// by way of other such advice. The result names the use with most to save. Threads that did the
// work at once share the saving: the program does not end sooner by the sum.
std::vector<Advice> one_for_each_cause(const Profile& profile, std::vector<Advice> all);

// Leaves out advice about reading a file that other advice would keep in memory.
void leave_out_what_is_kept(const Profile& profile, std::vector<Advice>& all);

}  // namespace sluice::trace
