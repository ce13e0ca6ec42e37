// For tests that make every system call of a scenario fail in turn, and that limit how much each
// call transfers.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "testing/faulty_system_calls.h"

namespace sluice::testing {

enum class Transfers { whole, one_byte, seven_bytes, halved, interrupted };

inline std::string name_of(Transfers transfers) {
  const char* names[] = {"Whole", "OneByteEach", "SevenBytesEach", "Halved", "Interrupted"};
  return names[static_cast<std::size_t>(transfers)];
}

inline void set_transfers(FaultySystemCalls& calls, Transfers transfers) {
  switch (transfers) {
    case Transfers::whole: return;
    case Transfers::one_byte: return calls.limit_transfers(1);
    case Transfers::seven_bytes: return calls.limit_transfers(7);
    case Transfers::halved: return calls.halve_transfers();
    case Transfers::interrupted: return calls.interrupt_every_call();
  }
}

// Calls `run` once for each of the `count` calls, or for each `step`th of them, with a table in
// which that call fails. Ends at the first failure of the test.
template <typename Run>
void fail_in_turn(std::size_t count, int error, Repeat repeat, Run run, std::size_t step = 1) {
  for (std::size_t nth = 1; nth <= count; nth += step) {
    if (::testing::Test::HasFailure()) return;
    SCOPED_TRACE("call " + std::to_string(nth) + " failed " +
                 (repeat == Repeat::once ? "once" : "for ever") + " with errno " +
                 std::to_string(error));
    FaultySystemCalls calls;
    calls.fail_any(nth, error, repeat);
    run(calls);
    if (::testing::Test::HasFailure()) ADD_FAILURE() << "the calls were:\n" << calls.log();
  }
}

}  // namespace sluice::testing
