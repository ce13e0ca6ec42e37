// The processor's own count of time.
#pragma once

#include <stdint.h>

namespace sluice::preload {

// Of the calls that only copy to or from a buffer, without a system call, one in this many is
// timed.
inline constexpr uint64_t copies_per_timed = 64;

// Reads the count. It is cheap and does not wait for work under way, so a call of some nanoseconds
// can be timed. The command measures how fast the count is. The count may jump when a virtual
// machine is suspended, or moved to another computer; the clock does not.
inline uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#endif
}

// The clock and the count of ticks(), read one after the other.
struct Instant {
  uint64_t ticks;
  uint64_t ns;
};

}  // namespace sluice::preload
