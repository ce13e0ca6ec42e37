// SeriesChooser: finds the filter with which a frame compresses best, by trying some of them on a
// sample of the frame. The filter of the frame before is kept as long as the numbers look as they
// did when it was found, and at most for frames_of_a_choice frames. The frames are those of one
// Compressor. A Sink has one for each frame that it compresses at the same time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "compression/series_filter.h"
#include "compression/zstd_contexts.h"
#include "sluice/bytes.h"

namespace sluice {

// Numbers from the middle of a frame.
struct SeriesSample {
  BytesView numbers;  // of the whole frame
  std::size_t begin;
  std::size_t count;
};

// One thread at a time uses it.
class SeriesChooser {
 public:
  struct Choice {
    SeriesFilter filter;
    std::uint8_t head_bytes = 0;
  };

  // `context` compresses the samples. `scratch` must outlive the object.
  SeriesChooser(ZstdCompressionContext context, std::size_t number_bytes, SeriesScratch& scratch)
      : context_(std::move(context)), number_bytes_(number_bytes), scratch_(scratch) {}

  Choice choose(BytesView frame) noexcept;

 private:
  static constexpr int frames_of_a_choice = 16;

  // How a sample of a frame looks. Numbers of another kind look different.
  struct Looks {
    std::size_t millionths = 0;  // the compressed part of each million bytes
    std::size_t bits = 0;        // of the smallest differences
  };

  // Small samples would hide repetitions, and zstd's tables would weigh too much in them.
  static constexpr std::size_t sample_bytes = 131072;
  static constexpr std::size_t small_sample_bytes = 16384;  // shows whether a filter still fits

  SeriesSample sample_of(BytesView frame, std::size_t head_bytes, std::size_t bytes) const;
  Choice find(BytesView frame) noexcept;
  SeriesFilter find_filter(const SeriesSample& sample, std::uint8_t lag) noexcept;
  Looks look_at(BytesView frame) noexcept;  // with the last filter
  bool is_similar(const Looks& looks) const;
  // The size of the sample with this filter, compressed.
  std::size_t try_filter(const SeriesFilter& filter, const SeriesSample& sample) noexcept;

  const ZstdCompressionContext context_;
  const std::size_t number_bytes_;
  SeriesScratch& scratch_;
  Choice last_;
  Looks looks_;  // when it was found
  int frames_left_ = 0;
  std::array<std::byte, sample_bytes> filtered_;
  std::array<std::byte, sample_bytes + 1024> compressed_;
};

}  // namespace sluice
