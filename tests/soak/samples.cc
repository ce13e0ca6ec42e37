#include "samples.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace sluice::soak {

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

double Samples::growth_bytes() const {
  const std::size_t first = resident_bytes_.size() / 5;
  const std::size_t count = resident_bytes_.size() - first;
  if (count < 2) return 0;
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i);
    const auto y = static_cast<double>(resident_bytes_[first + i]);
    sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
  }
  const auto n = static_cast<double>(count);
  const double slope = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
  return slope * (n - 1);
}

std::size_t Samples::most() const {
  const auto most = std::max_element(resident_bytes_.begin(), resident_bytes_.end());
  return most == resident_bytes_.end() ? 0 : *most;
}

}  // namespace sluice::soak
