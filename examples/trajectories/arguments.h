// The arguments of the simulations.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

namespace trajectories {

// The number that is the whole word, or nothing.
template <typename Number>
std::optional<Number> number_in(const char* word) {
  Number number{};
  const char* end = word + std::strlen(word);
  const auto [stopped_at, error] = std::from_chars(word, end, number);
  if (error != std::errc() || stopped_at != end) return std::nullopt;
  return number;
}

struct Duration {
  std::uint64_t steps;
  double step_days;
};

// What STEPS and MINUTES_OF_A_STEP say. Nothing unless STEPS is a whole number and a step takes
// some time.
inline std::optional<Duration> duration_in(const char* steps, const char* minutes_of_a_step) {
  const std::optional<std::uint64_t> count = number_in<std::uint64_t>(steps);
  const std::optional<double> minutes = number_in<double>(minutes_of_a_step);
  if (!count || !minutes || !std::isfinite(*minutes) || *minutes <= 0) return std::nullopt;
  return Duration{*count, *minutes / 1440};
}

}  // namespace trajectories
