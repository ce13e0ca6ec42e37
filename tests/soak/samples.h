// Samples: the memory of the process while it runs, and whether it grows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::soak {

std::size_t open_descriptors();

class Samples {
 public:
  void add(std::size_t resident_bytes) { resident_bytes_.push_back(resident_bytes); }

  // The growth from the first fifth on, by the line that fits the samples best.
  double growth_bytes() const;
  std::size_t last() const { return resident_bytes_.empty() ? 0 : resident_bytes_.back(); }
  std::size_t most() const;

 private:
  std::vector<std::size_t> resident_bytes_;  // at equal distances in time
};

}  // namespace sluice::soak
