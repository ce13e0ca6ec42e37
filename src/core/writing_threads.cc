#include "core/writing_threads.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace sluice {
namespace {

// This is long enough for several time slices of a thread that shares its processor, and for blocks
// of a slow disk.
constexpr std::chrono::nanoseconds recent = std::chrono::milliseconds(20);

// Further threads share a place with another thread; by then no processor is idle.
constexpr std::size_t places = 64;
std::array<std::atomic<std::int64_t>, places> latest;
std::atomic<std::size_t> next_place{0};

std::atomic<std::int64_t>& place_of_this_thread() noexcept {
  thread_local const std::size_t place = next_place.fetch_add(1, std::memory_order_relaxed);
  return latest[place % places];
}

std::int64_t nanoseconds(os::Clock::time_point now) {
  return std::chrono::nanoseconds(now.time_since_epoch()).count();
}

}  // namespace

void note_full_block(os::Clock::time_point now) noexcept {
  place_of_this_thread().store(nanoseconds(now), std::memory_order_relaxed);
}

std::size_t writing_threads(os::Clock::time_point now) noexcept {
  const std::int64_t since = std::max<std::int64_t>(nanoseconds(now - recent), 1);
  const auto is_recent = [since](const std::atomic<std::int64_t>& time) {
    return time.load(std::memory_order_relaxed) >= since;
  };
  return static_cast<std::size_t>(std::count_if(latest.begin(), latest.end(), is_recent));
}

}  // namespace sluice
