// SizeSequence: the sizes of a program's writes, in order, and the form of the files that hold
// them.
//
// A file has a line `SIZE COUNT` for each group of equal writes: COUNT writes of SIZE bytes.
// Empty lines and lines that start with # are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/pattern.h"

namespace sluice::bench {

struct EqualWrites {
  std::size_t bytes = 0;    // bytes of each write
  std::uint64_t count = 0;  // the number of writes
};

struct SizeSequence {
  std::vector<EqualWrites> groups;
  std::uint64_t repeats = 1;  // how often all groups are repeated

  std::uint64_t bytes() const;
  std::uint64_t operations() const;
  std::size_t largest() const;

  // Sets `repeats` to the smallest number that gives at least `wanted` bytes.
  void repeat_to(std::uint64_t wanted);
};

// Throws std::runtime_error. The message names the file, the line and the expected form.
SizeSequence read_size_sequence(const std::string& path);

// Memory with the pattern of bench/data.h, in pieces of any size and at any offset. The pattern
// repeats, so a short piece of memory is enough.
class PatternMemory {
 public:
  explicit PatternMemory(std::size_t largest_piece);

  const char* at(std::uint64_t offset) const { return bytes_.data() + offset % period; }

 private:
  static constexpr std::size_t period = 65536;
  std::vector<char> bytes_;
};

// Calls use(data, bytes) for every piece of the sequence. Together the pieces are the pattern.
template <typename Use>
void each_piece(const SizeSequence& sequence, const PatternMemory& pattern, Use use) {
  std::uint64_t offset = 0;
  for (std::uint64_t repeat = 0; repeat < sequence.repeats; ++repeat) {
    for (const EqualWrites& writes : sequence.groups) {
      for (std::uint64_t i = 0; i < writes.count; ++i) {
        use(pattern.at(offset), writes.bytes);
        offset += writes.bytes;
      }
    }
  }
}

}  // namespace sluice::bench
