// Crash cases: a promise is tried with many seeds on a ModelledDisk. SLUICE_CRASH_TIMES multiplies
// the number of seeds. SLUICE_CRASH_SEED sets the first seed.
//
// A case is a function `broken_promise(seed, left_out)`. It returns the promise that was broken, or
// "".
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "testing/modelled_disk.h"

namespace sluice::testing {

inline std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Runs `broken_promise` for many seeds. Returns the first result that is not "".
template <typename Case>
std::string first_broken(Case broken_promise, ModelledDisk::Sync left_out, std::uint64_t cases) {
  const std::uint64_t first = number_in_environment("SLUICE_CRASH_SEED", 1);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const std::string broken = broken_promise(seed, left_out);
    if (!broken.empty()) return "seed " + std::to_string(seed) + ": " + broken;
  }
  return "";
}

template <typename Case>
void expect_kept(Case broken_promise, std::uint64_t cases) {
  const std::uint64_t times = number_in_environment("SLUICE_CRASH_TIMES", 1);
  EXPECT_EQ(first_broken(broken_promise, ModelledDisk::Sync::none, cases * times), "");
}

// The model is useful only if it notices a left-out sync.
template <typename Case>
void expect_noticed(Case broken_promise, ModelledDisk::Sync left_out, std::uint64_t cases) {
  EXPECT_NE(first_broken(broken_promise, left_out, cases), "") << "nobody misses that sync";
}

}  // namespace sluice::testing
