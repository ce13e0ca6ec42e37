// A Scenario: work with the library until something ends it, and a check of the files afterwards.
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

// The acknowledgements before the end, in their order.
using Told = std::vector<Acknowledged>;

struct Scenario {
  std::string_view name;
  void (*run)(Run& run);
  // Ends the process with 1, and the broken promise, if something is missing.
  void (*check)(const std::string& folder, const Told& told);
};

std::span<const Scenario> writer_scenarios();
std::span<const Scenario> position_scenarios();
std::span<const Scenario> replace_scenarios();
std::span<const Scenario> journal_scenarios();
std::span<const Scenario> series_scenarios();  // if there is zstd

// Ends the process with 1 unless the condition holds.
void expect(bool holds, const std::string& promise);

// The largest acknowledged value; 0 if there was none.
std::uint64_t largest(const Told& told);

}  // namespace sluice::crash
