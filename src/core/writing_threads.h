// How many threads of the process are filling blocks at present, of Writers that choose by
// themselves whether to write behind.
//
// Handing a block to another processor gains nothing while other writing threads keep all of them
// busy. Each thread leaves the time of its latest full block in a place of its own; a place with a
// recent time is a thread at work. Threads: both functions may be called from any thread.
#pragma once

#include <cstddef>

#include "os/clock.h"

namespace sluice {

// Says that the calling thread has just filled a block.
void note_full_block(os::Clock::time_point now) noexcept;

// The threads that filled one within the last 20 ms, the calling one among them.
std::size_t writing_threads(os::Clock::time_point now) noexcept;

}  // namespace sluice
