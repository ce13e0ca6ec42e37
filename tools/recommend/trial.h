// A trial writes a file with one choice, and is measured in a child process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/strategy.h"
#include "recommend/settings.h"

namespace sluice::recommend {

// A trial writes the sample again and again. If one frame held two copies of the sample, each copy
// would shrink to nothing, however random its bytes are. So compression is not tried with a sample
// that is smaller than a frame.
inline constexpr std::size_t least_bytes_to_compress = std::size_t{1} << 20;

// The bytes of a trial: those of the sample, again and again.
struct Work {
  std::string path;
  std::string sample;
  std::uint64_t bytes = 0;
  std::string codec = usual_codec;  // of a choice that compresses
};

// The sample's first bytes, or random bytes if `path` is "". Throws if the file is empty or cannot
// be read.
std::string read_sample(const std::string& path);

// The codecs that may suit a sample: zstd first, and series of several types.
const std::vector<std::string>& codecs_to_probe();

// Compresses the sample by the codec of the Work, and notes the size of the file.
bench::Strategy probe_of(const Work& work);

// The trial verifies the size of the file; if `is_verified`, it also compares every byte.
bench::Strategy trial_of(const Choice& choice, const Work& work, bool is_verified);

}  // namespace sluice::recommend
