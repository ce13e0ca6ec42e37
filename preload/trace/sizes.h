// The sequence of a process's write sizes, for `sluice bench replay`.
#pragma once

#include <stdint.h>

#include "log.h"

namespace sluice::preload {

// A number of writes of equal size, one after the other.
struct EqualWrites {
  uint32_t bytes;
  uint32_t count;
};

// A file that is mapped and written like the log.
// Writes that came after the last place, while others were being added, or of more than 4 GiB are
// only counted in `lost`.
inline constexpr uint32_t max_equal_writes = 4'000'000;
struct SizeLog {
  uint64_t magic;
  uint64_t lost;
  uint32_t used;  // of `writes`
  EqualWrites writes[max_equal_writes];
};
inline constexpr uint64_t sizes_magic = 0x3230'5345'5A49'5354;

// Begins a new sequence in `folder`.
void begin_sizes(const char* folder);

// nullptr unless the user has asked for the sequence.
[[gnu::visibility("hidden")]] extern SizeLog* sizes;

// To be called after `count` writes of `bytes` bytes to a regular file.
void add_sizes(uint64_t bytes, uint64_t count);

}  // namespace sluice::preload
