// sweep: makes every allocation of a scenario fail in turn, once and for ever. The result must be a
// success or a Status. No descriptor stays open and no file stays behind.
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <functional>
#include <set>
#include <string>

#include "sluice/status.h"
#include "testing/process_facts.h"
#include "testing/scarce_memory.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {

// One run of a scenario.
struct Attempt {
  Attempt(std::size_t nth, ScarceMemory::Lasting lasting) : memory(nth, lasting) {}

  // Makes a call of the library that returns a Status. Besides ENOMEM the code may be one of `own`,
  // the codes that the call has with enough memory.
  template <typename Call>
  bool succeeds(Call call, std::set<int> own = {}) {
    own.insert(ENOMEM);
    const Status status = memory.in(call);
    const int code = status.code().value();
    EXPECT_TRUE(status.ok() || own.contains(code)) << status.message();
    EXPECT_TRUE(status.ok() || memory.ran_out() || code != ENOMEM) << "there was memory";
    return status.ok();
  }

  ScratchDirectory directory;
  const std::string path = directory.file("a file whose name fits into no small string");
  ScarceMemory memory;
};

// Fails every allocation of `scenario` in turn, until a run makes fewer allocations.
inline void sweep(const std::function<void(Attempt&)>& scenario) {
  using Lasting = ScarceMemory::Lasting;
  for (const Lasting lasting : {Lasting::once, Lasting::for_ever}) {
    bool ran_out = true;
    for (std::size_t nth = 1; ran_out; ++nth) {
      SCOPED_TRACE("allocation " + std::to_string(nth) +
                   (lasting == Lasting::for_ever ? " and all later" : ""));
      ASSERT_LT(nth, 1000u);
      const std::size_t descriptors = number_of_files("/proc/self/fd");
      Attempt attempt(nth, lasting);
      scenario(attempt);
      ran_out = attempt.memory.ran_out();
      EXPECT_LE(number_of_files(attempt.directory.path()), 1u) << "a temporary file is left behind";
      EXPECT_EQ(number_of_files("/proc/self/fd"), descriptors) << "a descriptor is left open";
      if (::testing::Test::HasFailure()) return;
    }
  }
}

inline std::string text_of(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "line " + std::to_string(text.size()) + "\n";
  return text;
}

}  // namespace sluice::testing
