#include "compression/shrink_guess.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "backend/pieces.h"

namespace sluice {
namespace {

// The sample: short runs of bytes, evenly spread. Text and numbers repeat within such a run, or
// between two of them.
constexpr std::size_t runs = 16;
constexpr std::size_t run_bytes = 256;
constexpr std::size_t sample_bytes = runs * run_bytes;
using Sample = std::array<std::byte, sample_bytes>;

// Copies `bytes` bytes from the position on.
void copy_from(std::span<const BytesView> pieces, std::size_t position, std::size_t bytes,
               std::byte* to) {
  for (const BytesView piece : pieces) {
    if (position < piece.size()) {
      const std::size_t part = std::min(bytes, piece.size() - position);
      std::memcpy(to, piece.data() + position, part);
      to += part;
      bytes -= part;
      if (bytes == 0) return;
    }
    position -= std::min(position, piece.size());
  }
}

// The sum of the squared counts of the 256 bytes is 69,600 in 4 KiB of random bytes, and differs
// from that by some hundred. It is at least 81,000 if a code for single bytes saves 3 %.
bool has_frequent_bytes(const Sample& sample) {
  constexpr std::size_t most_when_random = 75'000;
  std::array<std::uint32_t, 256> counts = {};
  for (const std::byte byte : sample) ++counts[std::to_integer<std::size_t>(byte)];
  std::size_t squares = 0;
  for (const std::size_t count : counts) squares += count * count;
  return squares > most_when_random;
}

// True if some eight bytes stand in the sample twice. Random ones do not.
bool has_repetitions(const Sample& sample) {
  constexpr std::size_t slots = 4096;
  std::array<std::uint16_t, slots> last = {};  // where bytes with this hash stood, or 0
  for (std::size_t at = 0; at + 8 <= sample_bytes; ++at) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, sample.data() + at, sizeof bytes);
    std::uint16_t& slot = last[bytes * 0x9E3779B97F4A7C15 >> 52];
    if (std::memcmp(sample.data() + slot, &bytes, sizeof bytes) == 0 && at != 0) return true;
    slot = static_cast<std::uint16_t>(at);
  }
  return false;
}

}  // namespace

bool ShrinkGuess::is_worth_trying(std::span<const BytesView> pieces) noexcept {
  const bool is_due = has_shrunk_ || untried_ + 1 == pause_;
  if (is_due && !has_shrunk_) pause_ = std::min(2 * pause_, longest_pause);
  untried_ = is_due || may_shrink(pieces) ? 0 : untried_ + 1;
  return is_tried();
}

void ShrinkGuess::tried(bool has_shrunk) noexcept {
  has_shrunk_ = has_shrunk;
  if (has_shrunk) pause_ = shortest_pause;
}

bool ShrinkGuess::may_shrink(std::span<const BytesView> pieces) const noexcept {
  const std::size_t bytes = bytes_in(pieces);
  if (bytes < sample_bytes) return true;
  Sample sample;
  const std::size_t distance = (bytes - run_bytes) / (runs - 1);
  for (std::size_t i = 0; i < runs; ++i) {
    copy_from(pieces, i * distance, run_bytes, sample.data() + i * run_bytes);
  }
  return (codes_ == Codes::bytes_too && has_frequent_bytes(sample)) || has_repetitions(sample);
}

}  // namespace sluice
