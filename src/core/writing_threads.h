// Counts the threads of the process that are filling blocks at present. Writers with
// WriteBehind::automatic use this number.
//
// Handing a block to another processor gains nothing while other writing threads keep all
// processors busy. Each thread stores the time of its latest full block in a place of its own. A
// place with a recent time stands for a thread at work.
// Threads: both functions may be called from any thread.
#pragma once

#include <cstddef>

#include "os/clock.h"

namespace sluice {

// Records that the calling thread has just filled a block.
void note_full_block(os::Clock::time_point now) noexcept;

// The number of threads that filled a block within the last 20 ms, counting the calling thread.
std::size_t writing_threads(os::Clock::time_point now) noexcept;

}  // namespace sluice
