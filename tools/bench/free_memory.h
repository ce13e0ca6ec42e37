// Free memory that is really there.
//
// A virtual machine may give free memory back to its host (Linux: free page reporting). Whoever
// takes such memory next waits while the host brings it back, which made the same 64 MiB of
// write(2) to ext4 take 10 to 160 ms. A benchmark charges that to whichever row comes first.
#pragma once

#include <cstdint>

namespace sluice::bench {

// Takes, touches and gives back `bytes` of memory, at most half of what is available, so that the
// next one to ask finds it backed. It has to be more than a run needs, because the kernel first
// uses up the small pieces that free memory has been broken into: 1 GiB before runs of 64 MiB left
// half of them slow, 2 GiB one in twelve. Does nothing where it cannot; the times are only less
// steady.
void touch_free_memory(std::uint64_t bytes);

}  // namespace sluice::bench
