// Statistics of a few measurements.
#pragma once

#include <vector>

namespace sluice::bench {

struct Spread {
  double min = 0;
  double median = 0;
  double max = 0;
};

// `values` has at least one value. The median of an even number of values is the mean of the two
// middle ones.
Spread spread_of(std::vector<double> values);
double median_of(std::vector<double> values);

}  // namespace sluice::bench
