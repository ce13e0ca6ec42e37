// ShrinkGuess: whether a codec should try to compress the next frame.
//
// Bytes that do not shrink, such as random or compressed ones, mostly come in long runs. To
// compress each of their frames in vain would take longer than to write it. So after a frame that
// did not shrink, a sample of 4 KiB decides whether the next frame is tried. A sample misses
// repetitions that are far apart. So the 8th frame after it is tried in any case, then the 16th,
// the 32nd, and from then on every 64th. These are frames of one Compressor: if a Sink compresses
// three frames at the same time, it has three, and each of them gets every third frame of a write.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sluice/bytes.h"

namespace sluice {

class ShrinkGuess {
 public:
  // What makes a codec's frames smaller: only bytes that come again in the same order, or also
  // bytes of which some are more frequent than others.
  enum class Codes : std::uint8_t { repetitions, bytes_too };

  explicit ShrinkGuess(Codes codes) : codes_(codes) {}

  // Looks at the next frame. If this is true, call tried() with the result.
  bool is_worth_trying(std::span<const BytesView> pieces) noexcept;
  bool is_tried() const noexcept { return untried_ == 0; }  // the last answer
  void tried(bool has_shrunk) noexcept;

 private:
  bool may_shrink(std::span<const BytesView> pieces) const noexcept;

  static constexpr std::size_t shortest_pause = 8;
  static constexpr std::size_t longest_pause = 64;

  const Codes codes_;
  bool has_shrunk_ = true;              // the frame that was tried last
  std::size_t pause_ = shortest_pause;  // the frame after so many is tried in any case
  std::size_t untried_ = 0;             // frames since then, with the present one
};

}  // namespace sluice
