// Merges pieces of advice that one change of the program would follow.
#pragma once

#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {

// Merges pieces of advice of one kind that are about the same file, the same line of the program
// or the same kind of database, directly or through other such pieces. The result names the use at
// which most can be saved. If several threads did the work at once, the saving is divided by their
// number, because the program does not end sooner by the sum.
std::vector<Advice> one_for_each_cause(const Profile& profile, std::vector<Advice> all);

// Where std::cin is tied to std::cout and both are in step with stdio, one change mends both. The
// pieces of advice about either get the words about both, and then have one cause.
void unite_standard_streams(const Profile& profile, std::vector<Advice>& all);

}  // namespace sluice::trace
