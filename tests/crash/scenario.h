// A Scenario: what a program does with the library until something ends it, and what has to be
// found afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run.h"

namespace sluice::crash {

struct Acknowledged {
  std::uint64_t value;
  std::uint64_t detail;
};

// What was told before the end, in the order in which it was told.
using Told = std::vector<Acknowledged>;

struct Scenario {
  std::string_view name;
  void (*run)(Run& run);
  // Ends the process with 1, and the promise that was broken, when something is missing.
  void (*check)(const std::string& folder, const Told& told);
};

std::span<const Scenario> writer_scenarios();
std::span<const Scenario> replace_scenarios();
std::span<const Scenario> journal_scenarios();

// Ends the process with 1 unless it holds.
void expect(bool holds, const std::string& promise);

// The largest of what was told; 0 when there was nothing.
std::uint64_t largest(const Told& told);

}  // namespace sluice::crash
