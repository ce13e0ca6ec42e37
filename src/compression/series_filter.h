// SeriesFilter: how the numbers of a frame are changed before zstd compresses them. Nothing is
// lost: SeriesWay::undo gives back every bit. docs/series-format.md describes each step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sluice/bytes.h"

namespace sluice {

enum class SeriesLayout : std::uint8_t { as_is, byte_planes, bit_planes };

struct SeriesFilter {
  static constexpr std::uint8_t max_differences = 7;
  static constexpr std::uint8_t exclusive_or = 8;
  static constexpr std::size_t max_lag = 64;

  std::uint8_t prediction = 0;  // the number of differences that are taken, or exclusive_or
  std::uint8_t lag = 0;         // the distance of the two numbers of a difference; 0 without one
  SeriesLayout layout = SeriesLayout::as_is;

  friend bool operator==(const SeriesFilter&, const SeriesFilter&) = default;
};

// Memory for a few numbers on their way. One thread at a time uses it.
struct SeriesScratch {
  static constexpr std::size_t numbers_at_a_time = 1024;
  static constexpr std::size_t history = SeriesFilter::max_differences * SeriesFilter::max_lag;
  static constexpr std::size_t max_number_bytes = 8;

  // The numbers of a step, behind those before them. Each difference is taken from one of the two
  // to the other.
  alignas(64) std::array<std::byte, (history + numbers_at_a_time) * max_number_bytes> first;
  alignas(64) std::array<std::byte, (history + numbers_at_a_time) * max_number_bytes> second;
  // The last `lag` numbers of each difference.
  alignas(64) std::array<std::byte, history * max_number_bytes> last;
};

// What a way to filter does. `numbers` are whole numbers of number_bytes bytes: 1, 2, 4 or 8. With
// bit planes their count is a multiple of 8.
struct SeriesWay {
  // Filters `count` numbers from the one with index `begin` on. The numbers before it count, as far
  // as `numbers` has them; others count as 0. `into` has the size of these `count` numbers.
  void (*filter)(const SeriesFilter& filter, std::size_t number_bytes, BytesView numbers,
                 std::size_t begin, std::size_t count, MutableBytesView into,
                 SeriesScratch& scratch);
  // Gets back all numbers of a frame.
  void (*undo)(const SeriesFilter& filter, std::size_t number_bytes, BytesView filtered,
               MutableBytesView numbers, SeriesScratch& scratch);
};

// The ways that this processor can use, the fastest first. All of them do the same.
std::span<const SeriesWay> series_ways();
const SeriesWay& fastest_series_way();

}  // namespace sluice
