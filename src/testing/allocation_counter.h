// Counts the allocations of the calling thread by operator new, and the bytes of malloc and its
// relatives.
#pragma once

#include <cstddef>

namespace sluice::testing {

// The number of allocations by operator new in this thread since it started.
std::size_t allocations_by_new() noexcept;

// The number of bytes that malloc has handed out and not got back, in all threads.
std::size_t heap_bytes_in_use() noexcept;

}  // namespace sluice::testing
