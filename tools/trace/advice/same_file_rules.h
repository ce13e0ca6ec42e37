// Programs that are started again and again for the whole of the same files.
#pragma once

#include <optional>

#include "trace/advice/advice.h"
#include "trace/advice/lives.h"

namespace sluice::trace {

// The advice that saves most. The trace cannot tell how much work a process needs that does all of
// it, so the range is wide.
std::optional<Advice> programs_for_the_same_files(const Profile& profile, const Lives& lives);

}  // namespace sluice::trace
