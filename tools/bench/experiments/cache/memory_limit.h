// Lets this process, and the cache of the files that it uses, have only so much memory. Without a
// limit a large file pushes nothing out of the cache of a machine that has memory to spare.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::bench {

// Puts this process into a control group of its own. A process beside it removes the group when
// this process has ended, however it ends. Returns false, and changes nothing, if this process may
// make no group (it needs root), or if the system has no memory groups.
[[nodiscard]] bool limit_memory(std::uint64_t bytes);

// True if limit_memory() can work.
bool can_limit_memory();

}  // namespace sluice::bench
