// Rows that replace a small file again and again. After a power cut either the whole old file or
// the whole new file is there.
#pragma once

#include <cstdint>
#include <string>

#include "bench/strategy.h"

namespace sluice::bench {

inline constexpr std::uint64_t replaced_file_bytes = 4096;

Experiment::Group replaced_file_group(const std::string& path, std::uint64_t times);

}  // namespace sluice::bench
