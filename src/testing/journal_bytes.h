// The framing of a Journal, written a second time in the simplest way, for comparison.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::testing::journal_bytes {

inline constexpr std::string_view magic = "sluice journal 2";
inline constexpr std::size_t header_bytes = 32;
inline constexpr std::size_t head_bytes = 8;
inline constexpr std::size_t mark_bytes = 24;
inline constexpr std::uint32_t mark_length = 0xffffffff;

inline std::uint32_t crc32c_of(std::string_view bytes) {
  std::uint32_t state = ~std::uint32_t{0};
  for (const char byte : bytes) {
    state ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ (state & 1 ? 0x82f63b78u : 0);
  }
  return ~state;
}

inline std::string number(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

inline std::uint64_t number_at(std::string_view bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

inline std::string header(std::string_view id) {
  const std::string summed = std::string(magic) + std::string(id);
  return summed + number(crc32c_of(summed), 4) + std::string(4, '\0');
}

inline std::string id_of(std::string_view file) { return std::string(file.substr(16, 8)); }

inline std::string framed(std::string_view id, std::uint64_t position, std::uint32_t length,
                          std::string_view payload) {
  const std::string summed =
      std::string(id) + number(position, 8) + number(length, 4) + number(crc32c_of(payload), 4);
  return number(length, 4) + number(crc32c_of(summed), 4) + std::string(payload);
}

inline std::string record(std::string_view id, std::uint64_t position, std::string_view payload) {
  return framed(id, position, static_cast<std::uint32_t>(payload.size()), payload);
}

inline std::string mark(std::string_view id, std::uint64_t position, std::uint64_t durable) {
  return framed(id, position, mark_length, number(position, 8) + number(durable, 8));
}

// ---- what a Journal must find in a file ----

struct Mark {
  bool is_one = false;
  std::uint64_t position = 0;  // the position that the mark names
  std::uint64_t durable = 0;
};

// The record or mark at `at`.
inline Mark mark_at(std::string_view file, std::size_t at) {
  const std::string_view bytes = file.substr(at, mark_bytes);
  if (bytes.size() < mark_bytes || number_at(bytes, 4) != mark_length) return {};
  const std::uint64_t position = number_at(bytes.substr(8), 8);
  const std::uint64_t durable = number_at(bytes.substr(16), 8);
  return {durable <= position && mark(id_of(file), position, durable) == bytes, position, durable};
}

struct Found {
  bool refused = false;  // the file does not begin as a Journal with this framing
  std::vector<std::string> records;
  std::vector<std::size_t> ends;  // the ends of the records in `records`
  std::size_t whole_bytes = 0;
  std::size_t marked = 0;   // the largest durable position in any mark outside of `records`
  bool is_damaged = false;  // committed records are missing from `records`
};

inline bool is_torn_header(std::string_view file) {
  if (file.size() > header_bytes) return false;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const bool is_own = i < magic.size() && file[i] == magic[i];
    const bool is_free = i >= 16 && i < 28;
    if (!is_own && !is_free && file[i] != '\0') return false;
  }
  return true;
}

// Adds the next record or mark to `found`, if it is whole.
inline bool find_next(std::string_view file, Found& found) {
  const std::string_view rest = file.substr(found.whole_bytes);
  const Mark mark = mark_at(file, found.whole_bytes);
  if (mark.is_one && mark.position == found.whole_bytes) {
    found.whole_bytes += mark_bytes;
    found.marked = std::max<std::size_t>(found.marked, mark.durable);
    return true;
  }
  if (rest.size() < head_bytes || rest.size() - head_bytes < number_at(rest, 4)) return false;
  const std::string_view payload = rest.substr(head_bytes, number_at(rest, 4));
  const std::string expected = record(id_of(file), found.whole_bytes, payload);
  if (expected != rest.substr(0, expected.size())) return false;
  found.whole_bytes += expected.size();
  found.records.emplace_back(payload);
  found.ends.push_back(found.whole_bytes);
  return true;
}

inline Found find_records(std::string_view file) {
  Found found;
  if (file.size() < header_bytes || file.substr(0, header_bytes) != header(id_of(file))) {
    found.refused = !is_torn_header(file);
    return found;
  }
  found.whole_bytes = header_bytes;
  while (find_next(file, found)) continue;
  // Bytes within a whole record belong to the record, even if they look like a mark.
  for (std::size_t at = found.whole_bytes; at < file.size(); ++at) {
    const Mark mark = mark_at(file, at);
    if (mark.is_one) found.marked = std::max<std::size_t>(found.marked, mark.durable);
  }
  found.is_damaged = found.marked > found.whole_bytes;
  return found;
}

}  // namespace sluice::testing::journal_bytes
