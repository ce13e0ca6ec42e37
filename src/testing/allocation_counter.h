// Counts the allocations of the thread that asks, by operator new or by malloc and its relatives.
#pragma once

#include <cstddef>

namespace sluice::testing {

// Allocations by operator new in this thread since it started.
std::size_t allocations_by_new() noexcept;

// Bytes that malloc has handed out and not got back, in all threads.
std::size_t heap_bytes_in_use() noexcept;

}  // namespace sluice::testing
