// SizeSequence: the sizes of a program's writes, in order, and the file form they are kept in.
//
// A file has a line `SIZE COUNT` for each group of equal writes: so many of so many bytes.
// Empty lines and lines that start with # are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/data.h"

namespace sluice::bench {

struct EqualWrites {
  std::size_t bytes = 0;    // of each write
  std::uint64_t count = 0;  // of writes
};

struct SizeSequence {
  std::vector<EqualWrites> groups;
  std::uint64_t repeats = 1;  // of all the groups

  std::uint64_t bytes() const;
  std::uint64_t operations() const;
  std::size_t largest() const;

  // Sets `repeats` to the fewest that give at least `wanted` bytes.
  void repeat_to(std::uint64_t wanted);
};

// Throws std::runtime_error naming the file, the line and what is expected there.
SizeSequence read_size_sequence(const std::string& path);

// Memory from which the pattern of bench/data.h can be had in pieces of any size, at any offset,
// without making it: the pattern repeats.
class PatternMemory {
 public:
  explicit PatternMemory(std::size_t largest_piece);

  const char* at(std::uint64_t offset) const { return bytes_.data() + offset % period; }

 private:
  static constexpr std::size_t period = 65536;
  std::vector<char> bytes_;
};

// Calls use(data, bytes) for every piece of the sequence; together they are the pattern.
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
