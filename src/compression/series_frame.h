// SeriesFrame: the header of a frame of a series. docs/series-format.md describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compression/series_filter.h"
#include "sluice/bytes.h"
#include "sluice/series.h"

namespace sluice {

struct SeriesFrame {
  static constexpr std::size_t header_bytes = 24;
  static constexpr std::size_t max_bytes = std::size_t{8} << 20;

  SeriesType type = SeriesType::float64;
  SeriesFilter filter;
  std::uint8_t head_bytes = 0;  // the bytes before the first number
  std::uint32_t bytes = 0;      // of the frame, uncompressed
  std::uint32_t payload_bytes = 0;
  std::uint32_t payload_checksum = 0;  // Adler-32; 0 without checksums

  // True if `header` begins with a header whose checksum is right.
  static bool is_whole(BytesView header);
  // `header` has header_bytes bytes.
  void encode(MutableBytesView header) const;
  // Returns 0, EBADMSG or ENOTSUP. `problem` says why, and lives as long as the program.
  int decode(BytesView header, const char*& problem);

  // The whole numbers that are filtered. The bytes behind them are stored as they are.
  std::size_t numbers_bytes() const;
};

constexpr std::size_t number_bytes_of(SeriesType type) {
  return static_cast<std::size_t>(type) & 15;
}

// "double", "int32"; empty if there is no such type.
std::string_view name_of(SeriesType type);

// The type in the first 4 bytes of a frame of a series. False if they begin no such frame.
bool find_series_type(BytesView beginning, SeriesType& type);

}  // namespace sluice
