// The length of a tick, and jumps of the count of ticks().
//
// The count may jump, forwards or backwards, when a virtual machine is suspended, or moved to
// another computer. The clock does not. So the count is compared with the clock.
#pragma once

#include <stdint.h>

#include "ticks.h"

namespace sluice::preload {

// By so much the count may differ from the clock after `passed_ns`. A larger difference is a jump.
constexpr uint64_t tolerated_ns(uint64_t passed_ns) { return 1'000'000 + passed_ns / 64; }

// Notes in the log at which time and count it begins.
void begin_tick_rate();

// To be called at the end of each call to the kernel, and before `now` is noted in the log. If the
// count has jumped, notes this in the log, and moves the count at the log's beginning by as much.
double ns_per_tick(const Instant& now);

}  // namespace sluice::preload
