#include "compression/seek_table.h"

#include <algorithm>
#include <utility>

#include "sluice/checksum.h"

namespace sluice {
namespace {

constexpr std::uint32_t skippable_magic = 0x184D2A5E;
constexpr std::uint32_t table_magic = 0x8F92EAB1;
constexpr std::uint32_t protecting_magic = 0x184D2A5C;
constexpr std::uint32_t protecting_name = 0x54434C53;  // "SLCT"
constexpr std::size_t header_bytes = 8;
constexpr std::size_t entry_bytes = 8;

void put_number(std::string& to, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t number_at(BytesView bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= std::to_integer<std::uint32_t>(bytes[at + i]) << 8 * i;
  }
  return value;
}

std::uint32_t crc_of(BytesView bytes) {
  Crc32c crc;
  crc.add(bytes);
  return crc.value();
}

bool is_protecting_frame(BytesView before) {
  return before.size() == SeekTable::protecting_bytes && number_at(before, 0) == protecting_magic &&
         number_at(before, 4) == header_bytes && number_at(before, 8) == protecting_name;
}

}  // namespace

void SeekTable::add(std::uint32_t compressed_bytes, std::uint32_t bytes) {
  if (!is_too_large()) sizes_.push_back({compressed_bytes, bytes});
  bytes_ += bytes;
}

std::string SeekTable::encode() const {
  const std::size_t payload_bytes = sizes_.size() * entry_bytes + footer_bytes;
  std::string encoded;
  encoded.reserve(header_bytes + payload_bytes);
  put_number(encoded, skippable_magic);
  put_number(encoded, static_cast<std::uint32_t>(payload_bytes));
  for (const Sizes& sizes : sizes_) {
    put_number(encoded, sizes.compressed_bytes);
    put_number(encoded, sizes.bytes);
  }
  put_number(encoded, static_cast<std::uint32_t>(sizes_.size()));
  encoded += '\0';
  put_number(encoded, table_magic);
  std::string all;
  for (const std::uint32_t number : {protecting_magic, std::uint32_t{header_bytes}, protecting_name,
                                     crc_of(std::as_bytes(std::span(encoded)))}) {
    put_number(all, number);
  }
  return all + encoded;
}

std::uint64_t SeekTable::encoded_bytes(BytesView footer) {
  if (number_at(footer, 5) != table_magic || number_at(footer, 0) > max_frames) return 0;
  return header_bytes + std::uint64_t{number_at(footer, 0)} * entry_bytes + footer_bytes;
}

bool SeekTable::decode(BytesView end_of_file, std::uint64_t table_bytes, std::uint64_t file_bytes) {
  const auto before = end_of_file.first(end_of_file.size() - static_cast<std::size_t>(table_bytes));
  const BytesView encoded = end_of_file.subspan(before.size());
  if (encoded.size() < header_bytes + footer_bytes) return false;
  if (!is_protecting_frame(before) || number_at(before, 12) != crc_of(encoded)) return false;
  if (number_at(encoded, 0) != skippable_magic ||
      number_at(encoded, 4) != encoded.size() - header_bytes) {
    return false;
  }
  std::vector<Frame> frames;
  Frame next{};
  for (std::size_t at = header_bytes; at < encoded.size() - footer_bytes; at += entry_bytes) {
    frames.push_back(next);
    next.compressed_position += number_at(encoded, at);
    next.position += number_at(encoded, at + 4);
  }
  if (next.compressed_position + end_of_file.size() != file_bytes) return false;
  frames_ = std::move(frames);
  bytes_ = next.position;
  return true;
}

bool SeekTable::has_end_at(std::uint64_t position) const {
  return position == bytes_ || frame_at(position).position == position;
}

SeekTable::Frame SeekTable::frame_at(std::uint64_t position) const {
  const auto after = std::upper_bound(
      frames_.begin(), frames_.end(), position,
      [](std::uint64_t value, const Frame& frame) { return value < frame.position; });
  return after == frames_.begin() ? Frame{} : *std::prev(after);
}

}  // namespace sluice
