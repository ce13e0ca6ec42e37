#include "compression/series_frame.h"

#include <cerrno>

#include "compression/little_endian.h"
#include "compression/magic.h"
#include "compression/problems.h"

namespace sluice {
namespace {

constexpr std::byte version{1};
constexpr std::size_t checked_bytes = SeriesFrame::header_bytes - 4;

// The CRC-32 of zlib, which the standard library of Python has. The header is short.
std::uint32_t crc32(BytesView bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const std::byte byte : bytes) {
    crc ^= std::to_integer<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB8'8320 : 0);
  }
  return ~crc;
}

bool is_possible(const SeriesFrame& frame) {
  const SeriesFilter& filter = frame.filter;
  const bool has_lag = filter.prediction != 0;
  return !name_of(frame.type).empty() && filter.prediction <= SeriesFilter::exclusive_or &&
         (has_lag ? filter.lag >= 1 && filter.lag <= SeriesFilter::max_lag : filter.lag == 0) &&
         filter.layout <= SeriesLayout::bit_planes &&
         frame.head_bytes < number_bytes_of(frame.type) && frame.head_bytes <= frame.bytes &&
         frame.bytes != 0 && frame.bytes <= SeriesFrame::max_bytes && frame.payload_bytes != 0;
}

}  // namespace

void SeriesFrame::encode(MutableBytesView header) const {
  std::byte* const to = header.data();
  put_number(to, series_magic | std::uint32_t{static_cast<std::uint8_t>(type)} << 24, 4);
  to[4] = version;
  to[5] = static_cast<std::byte>(filter.prediction | static_cast<unsigned>(filter.layout) << 4);
  to[6] = std::byte{filter.lag};
  to[7] = std::byte{head_bytes};
  put_number(to + 8, bytes, 4);
  put_number(to + 12, payload_bytes, 4);
  put_number(to + 16, payload_checksum, 4);
  put_number(to + checked_bytes, crc32(header.first(checked_bytes)), 4);
}

bool SeriesFrame::is_whole(BytesView header) {
  return header.size() >= header_bytes &&
         number_at(header.data() + checked_bytes) == crc32(header.first(checked_bytes));
}

int SeriesFrame::decode(BytesView header, const char*& problem) {
  const std::byte* const from = header.data();
  if (!is_whole(header)) {
    problem = "the frame is damaged: its header has another checksum";
    return EBADMSG;
  }
  if (from[4] != version) {
    problem = "the frame has another version of the format";
    return ENOTSUP;
  }
  type = static_cast<SeriesType>(from[3]);
  filter.prediction = std::to_integer<std::uint8_t>(from[5] & std::byte{15});
  filter.layout = static_cast<SeriesLayout>(from[5] >> 4);
  filter.lag = std::to_integer<std::uint8_t>(from[6]);
  head_bytes = std::to_integer<std::uint8_t>(from[7]);
  bytes = number_at(from + 8);
  payload_bytes = number_at(from + 12);
  payload_checksum = number_at(from + 16);
  if (is_possible(*this)) return 0;
  problem = damaged_header_problem;
  return EBADMSG;
}

std::size_t SeriesFrame::numbers_bytes() const {
  std::size_t step = number_bytes_of(type);
  if (filter.layout == SeriesLayout::bit_planes) step *= 8;
  return (bytes - head_bytes) / step * step;
}

std::string_view name_of(SeriesType type) {
  switch (type) {
    case SeriesType::uint8: return "uint8";
    case SeriesType::uint16: return "uint16";
    case SeriesType::uint32: return "uint32";
    case SeriesType::uint64: return "uint64";
    case SeriesType::int8: return "int8";
    case SeriesType::int16: return "int16";
    case SeriesType::int32: return "int32";
    case SeriesType::int64: return "int64";
    case SeriesType::float32: return "float";
    case SeriesType::float64: return "double";
  }
  return {};
}

bool find_series_type(BytesView beginning, SeriesType& type) {
  if (!begins_with(beginning, series_magic, series_mask)) return false;
  type = static_cast<SeriesType>(beginning[3]);
  return true;
}

}  // namespace sluice
