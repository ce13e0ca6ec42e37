// Free memory for which the host of a virtual machine has pages.
//
// A virtual machine may give free memory back to its host (Linux: free page reporting). The next
// program that takes this memory waits while the host brings it back. Because of this wait, the
// same 64 MiB of write(2) to ext4 took 10 to 160 ms. A benchmark would charge the wait to the row
// that comes first.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::bench {

// Takes, touches and gives back `bytes` of memory, at most half of the available memory. The next
// program that asks for memory then gets pages without waiting.
//
// `bytes` must be more than a run needs, because the kernel first uses the small pieces of free
// memory. With 1 GiB before runs of 64 MiB half of the runs stayed slow, with 2 GiB one in twelve.
//
// Does nothing if there is no memory to take. The measured times are then less steady.
void touch_free_memory(std::uint64_t bytes);

// Throws std::runtime_error, with one line that says what is missing, unless `needed_bytes` of
// memory are available. `purpose` names what needs them.
void expect_memory(std::uint64_t needed_bytes, const std::string& purpose);

}  // namespace sluice::bench
