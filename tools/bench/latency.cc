#include "bench/latency.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sluice::bench {
namespace {

std::vector<double> noted;

}  // namespace

bool Latency::has_percentile(double share) const {
  return std::ceil(share * static_cast<double>(count)) < static_cast<double>(count);
}

Latency latency_of(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto count = static_cast<double>(seconds.size());
  const auto percentile = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * count));
    return seconds[std::max<std::size_t>(rank, 1) - 1];
  };
  return {percentile(0.5),   percentile(0.9), percentile(0.99),
          percentile(0.999), seconds.back(),  seconds.size()};
}

void note_operations(std::vector<double> seconds) { noted = std::move(seconds); }

std::optional<Latency> take_noted_latency() {
  if (noted.empty()) return std::nullopt;
  return latency_of(std::exchange(noted, {}));
}

}  // namespace sluice::bench
