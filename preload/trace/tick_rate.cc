#include "tick_rate.h"

#include "recorder.h"

namespace sluice::preload {
namespace {

// A length of a tick that was measured for a shorter time may be wrong by too much.
constexpr uint64_t least_measured_ns = 10'000'000;

// Of a tick, in nanoseconds; 0 if it is not known. A forked child knows it from its parent.
constinit double known_length = 0;
constinit uint64_t next_measured_ns = 0;

// Between the two readings, the thread may be interrupted for any time.
Instant read_together() {
  constexpr uint64_t together_ns = 20'000;
  constexpr int most_tries = 10;
  Instant instant{now_ns(), ticks()};
  for (int i = 0; i < most_tries && now_ns() - instant.ns > together_ns; ++i) {
    instant = {now_ns(), ticks()};
  }
  return instant;
}

double count_until(const Instant& now, uint64_t start_ticks) {
  return static_cast<double>(static_cast<int64_t>(now.ticks - start_ticks));
}

// 0 if the count has jumped backwards before the length was known.
double length_until(const Instant& now, uint64_t start_ticks) {
  const double count = count_until(now, start_ticks);
  return count > 0 ? static_cast<double>(now.ns - log->start_ns) / count : 0;
}

bool agrees(const Instant& now, uint64_t start_ticks, double length) {
  const uint64_t passed = now.ns - log->start_ns;
  const double difference = count_until(now, start_ticks) * length - static_cast<double>(passed);
  return __builtin_fabs(difference) <= static_cast<double>(tolerated_ns(passed));
}

// Several threads may see the same jump. One of them moves the beginning; then the count agrees.
[[gnu::noinline]] double measure(double length) {
  const Instant now = read_together();
  const uint64_t passed = now.ns - log->start_ns;
  uint64_t start_ticks = __atomic_load_n(&log->start_ticks, __ATOMIC_RELAXED);
  if (length == 0 || agrees(now, start_ticks, length)) {
    __atomic_store_n(&next_measured_ns, 2 * passed, __ATOMIC_RELAXED);
    length = length_until(now, start_ticks);
    __atomic_store(&known_length, &length, __ATOMIC_RELAXED);
    return length;
  }
  const auto count = static_cast<uint64_t>(static_cast<double>(passed) / length);
  if (__atomic_compare_exchange_n(&log->start_ticks, &start_ticks, now.ticks - count, false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    __atomic_fetch_add(&log->tick_jumps, 1, __ATOMIC_RELAXED);
  }
  return length;
}

}  // namespace

void begin_tick_rate() {
  next_measured_ns = least_measured_ns;
  const Instant now = read_together();
  log->start_ns = log->last_ns = now.ns;
  log->start_ticks = log->last_ticks = now.ticks;
}

double ns_per_tick(const Instant& now) {
  const uint64_t start_ticks = __atomic_load_n(&log->start_ticks, __ATOMIC_RELAXED);
  double length = 0;
  __atomic_load(&known_length, &length, __ATOMIC_RELAXED);
  const bool is_due =
      now.ns - log->start_ns >= __atomic_load_n(&next_measured_ns, __ATOMIC_RELAXED);
  if (is_due || (length != 0 && !agrees(now, start_ticks, length))) return measure(length);
  return length == 0 ? length_until(now, start_ticks) : length;
}

}  // namespace sluice::preload
