#include "bench/statistics.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace sluice::bench {

Spread spread_of(std::vector<double> values) {
  assert(!values.empty());
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  const bool even = values.size() % 2 == 0;
  const double median = even ? (values[middle - 1] + values[middle]) / 2 : values[middle];
  return {values.front(), median, values.back()};
}

double median_of(std::vector<double> values) { return spread_of(std::move(values)).median; }

}  // namespace sluice::bench
