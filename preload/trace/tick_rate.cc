#include "tick_rate.h"

#include <atomic>

#include "recorder.h"

namespace sluice::preload {
namespace {

// A length of a tick that was measured for a shorter time may be wrong by too much.
constexpr uint64_t least_measured_ns = 10'000'000;

// Of a tick, in nanoseconds; 0 if it is not known. A forked child knows it from its parent.
constinit double known_length = 0;

// The time since the log's beginning at which the length is measured next.
constinit uint64_t next_measured_ns = 0;

// One thread measures at a time. The others, and a signal handler that interrupts it, go on with
// what is known. The two measurements belong to this thread.
constinit std::atomic_flag measuring = ATOMIC_FLAG_INIT;
constinit Instant latest{};          // the end of the latest measurement
constinit double latest_length = 0;  // what it gave; 0 if nothing is in doubt

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

Instant log_start() {
  return {log->start_ns, __atomic_load_n(&log->start_ticks, __ATOMIC_RELAXED)};
}

double count_between(const Instant& begin, const Instant& end) {
  return static_cast<double>(static_cast<int64_t>(end.ticks - begin.ticks));
}

// 0 if the count has jumped backwards.
double length_between(const Instant& begin, const Instant& end) {
  const double count = count_between(begin, end);
  return count > 0 ? static_cast<double>(end.ns - begin.ns) / count : 0;
}

bool agrees(const Instant& now, double length) {
  const uint64_t passed = now.ns - log->start_ns;
  const double difference = count_between(log_start(), now) * length - static_cast<double>(passed);
  return __builtin_fabs(difference) <= static_cast<double>(tolerated_ns(passed));
}

bool are_alike(double a, double b) { return a > 0 && __builtin_fabs(a - b) * 64 <= a; }

void know_length(double length, uint64_t passed) {
  __atomic_store(&known_length, &length, __ATOMIC_RELAXED);
  __atomic_store_n(&next_measured_ns, 2 * passed, __ATOMIC_RELAXED);
}

// The count has jumped, or its rate has changed, or no length is known yet. A jump may lie in any
// time that is measured, even in the first. So a length counts once two measurements in a row have
// given it.
void measure_anew(const Instant& now) {
  const uint64_t passed = now.ns - log->start_ns;
  if (now.ns - latest.ns >= least_measured_ns) {
    const double length = length_between(latest, now);
    if (are_alike(length, latest_length)) know_length(length, passed);
    latest = now;
    latest_length = length;
  }
  if (known_length == 0) {
    __atomic_store_n(&next_measured_ns, latest.ns - log->start_ns + least_measured_ns,
                     __ATOMIC_RELAXED);
  } else if (!agrees(now, known_length)) {
    const auto count = static_cast<uint64_t>(static_cast<double>(passed) / known_length);
    __atomic_store_n(&log->start_ticks, now.ticks - count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&log->tick_jumps, 1, __ATOMIC_RELAXED);
  }
}

[[gnu::noinline]] void measure() {
  if (measuring.test_and_set(std::memory_order_acquire)) return;
  const Instant now = read_together();
  if (known_length != 0 && agrees(now, known_length)) {
    know_length(length_between(log_start(), now), now.ns - log->start_ns);
    latest = now;
    latest_length = 0;
  } else {
    measure_anew(now);
  }
  measuring.clear(std::memory_order_release);
}

}  // namespace

void begin_tick_rate() {
  measuring.clear();  // another thread of the parent may have held it during the fork
  next_measured_ns = least_measured_ns;
  latest = read_together();
  latest_length = 0;
  log->start_ns = log->last_ns = latest.ns;
  log->start_ticks = log->last_ticks = latest.ticks;
}

double ns_per_tick(const Instant& now) {
  double length = 0;
  __atomic_load(&known_length, &length, __ATOMIC_RELAXED);
  const bool is_due =
      now.ns - log->start_ns >= __atomic_load_n(&next_measured_ns, __ATOMIC_RELAXED);
  if (is_due || (length != 0 && !agrees(now, length))) {
    measure();
    __atomic_load(&known_length, &length, __ATOMIC_RELAXED);
  }
  return length == 0 ? length_between(log_start(), now) : length;
}

}  // namespace sluice::preload
