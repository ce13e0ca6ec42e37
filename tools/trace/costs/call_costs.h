// The costs of stdio's calls, measured on this machine when they are needed: for the functions of
// the C library, for the functions of the object that `sluice run` preloads, and for a program that
// takes its pieces from its own memory, or puts them there, without a call of stdio.
//
// A call of some nanoseconds that is timed on its own seems to take another time than the time by
// which the call lengthens a program. On an Intel processor it seems to take up to twice this time,
// because in the program the processor works on several calls at the same time. On an AMD processor
// (Zen 5) it seems to take less. So if a program has one thread and waits for no lock, its calls
// are taken to cost as much as calls of the same function and size in a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "preload/trace/log.h"
#include "trace/costs/call_set.h"

namespace sluice::trace {

// by_unlocked_calls: by the functions of the C library that take no lock, such as fwrite_unlocked.
// by_streambuf: writes to a std::filebuf, which has a buffer of its own.
enum class Way : std::uint8_t {
  by_the_c_library,
  by_sluice_run,
  by_unlocked_calls,
  in_memory,
  by_streambuf
};
static_assert(Way::by_the_c_library == Way{0} && Way::by_sluice_run == Way{1} &&
                  Way::by_unlocked_calls == Way{2},
              "the ways that have functions are places in an array");

// How the program made these calls itself.
inline Way own_way(const preload::Usage& usage) {
  using enum preload::Call;
  constexpr CallSet with_unlocked_form = {fwrite, fputc, fputs, fread, fgetc, fgets};
  const bool is_unlocked = usage.unlocked != 0 && with_unlocked_form.contains(usage.call);
  return is_unlocked ? Way::by_unlocked_calls : Way::by_the_c_library;
}

// The sizes of the calls of one place in a program: all alike, or mixed in an order that the
// processor cannot foresee. If sizes are mixed, pieces in memory cost more than twice as much, and
// calls hardly more.
enum class Sizes : std::uint8_t { alike, mixed };

// What is left of the cost of a call. On a busy machine the saving may be measured larger than the
// cost. The result is never 0, because 0 stands for a call whose cost is unknown.
constexpr double left_of(double cost_s, double saved_s) {
  constexpr double least_s = 1e-10;
  return std::max(least_s, cost_s - saved_s);
}

// The length of a tick of the processor's own count of time, on this machine.
double measured_tick_s();

// The time to take and to release a lock that nobody else holds, in a program with several threads.
double measured_lock_s();

class CallCosts {
 public:
  CallCosts();
  ~CallCosts();
  CallCosts(const CallCosts&) = delete;
  CallCosts& operator=(const CallCosts&) = delete;

  // Seconds for one call that only copies `bytes` on average; 0 for an unknown function. Only
  // by_the_c_library has fprintf, for which it is the print of a whole number of so many digits,
  // and ungetc, for which it is the call after a getc. The first request for a function and a size
  // takes a few milliseconds.
  double in_a_row_s(Way way, preload::Call call, double bytes, Sizes sizes);

  // The time that timing adds to a call that goes to the kernel.
  double of_the_clock_s() const { return clock_s_; }

  // The ticks that timing adds to a call that only copies.
  double of_the_ticks() const { return ticks_; }

  // The length of a tick on the machine whose logs are read. 0 stands for this machine: its tick is
  // measured at the first request.
  double tick_s() { return tick_s_ = tick_s_ > 0 ? tick_s_ : measured_tick_s(); }
  void set_tick_s(double tick_s) { tick_s_ = tick_s; }

  // The time of a free lock, measured at the first request.
  double lock_s() { return lock_s_ = lock_s_ > 0 ? lock_s_ : measured_lock_s(); }

 private:
  struct Functions;
  static std::unique_ptr<const Functions> find_functions(Way way);
  const Functions& functions_of(Way way);
  double with_system_calls_s(Way way, preload::Call call, std::size_t bytes, Sizes sizes);
  double measured_s(Way way, preload::Call call, std::size_t bytes, Sizes sizes);

  double clock_s_;
  double ticks_;
  double tick_s_ = 0;
  double lock_s_ = 0;
  std::unique_ptr<const Functions> functions_[3];  // by Way; found when first needed
  std::map<std::tuple<Way, preload::Call, std::size_t, Sizes>, double> known_;
};

}  // namespace sluice::trace
