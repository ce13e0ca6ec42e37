#include "os/system_calls.h"

#include <atomic>
#include <cstdlib>

#include "os/never_destroyed.h"

namespace sluice::os {
namespace {

SystemCalls& real_calls() noexcept {
  // The table is never destroyed, because Writers with static lifetime may close after
  // function-local statics are destroyed.
  static NeverDestroyed<SystemCalls> table;
  return table.get();
}

std::atomic<SystemCalls*> table_in_place{nullptr};

// Makes the table when the library is loaded. If the first use made it, a child could wait for ever
// for a thread of its parent that was making it at the fork.
[[maybe_unused]] const SystemCalls& at_load = real_calls();

}  // namespace

void* SystemCalls::allocate(std::size_t bytes) { return std::malloc(bytes); }

void* SystemCalls::reallocate(void* old, std::size_t bytes) { return std::realloc(old, bytes); }

std::chrono::steady_clock::time_point SystemCalls::now() {
  return std::chrono::steady_clock::now();
}

SystemCalls& calls() noexcept {
  SystemCalls* table = table_in_place.load(std::memory_order_acquire);
  return table != nullptr ? *table : real_calls();
}

ScopedSystemCalls::ScopedSystemCalls(SystemCalls& table) noexcept
    : previous_(table_in_place.exchange(&table, std::memory_order_acq_rel)) {}

ScopedSystemCalls::~ScopedSystemCalls() {
  table_in_place.store(previous_, std::memory_order_release);
}

}  // namespace sluice::os
