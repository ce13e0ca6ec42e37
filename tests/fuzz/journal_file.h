// The framing of a Journal, written a second time and as simply as possible, to compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

inline constexpr std::string_view header = "sluice journal 1";
inline constexpr std::size_t head_bytes = 8;

inline std::uint32_t crc32c_of(std::string_view bytes) {
  std::uint32_t state = ~std::uint32_t{0};
  for (const char byte : bytes) {
    state ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ (state & 1 ? 0x82f63b78u : 0);
  }
  return ~state;
}

inline std::string number(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

inline std::uint32_t number_at(std::string_view bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

inline std::string framed(std::string_view payload) {
  const std::string length = number(static_cast<std::uint32_t>(payload.size()));
  return length + number(crc32c_of(length + std::string(payload))) + std::string(payload);
}

// What a Journal must find in a file.
struct Found {
  bool refused = false;  // it is no such file
  std::vector<std::string> records;
  std::size_t whole_bytes = 0;
};

inline bool is_torn_header(std::string_view file) {
  if (file.size() > header.size()) return false;
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (file[i] != header[i] && file[i] != '\0') return false;
  }
  return true;
}

inline Found find_records(std::string_view file) {
  Found found;
  if (!file.starts_with(header)) {
    found.refused = !is_torn_header(file);
    return found;
  }
  found.whole_bytes = header.size();
  for (;;) {
    const std::string_view rest = file.substr(found.whole_bytes);
    if (rest.size() < head_bytes || rest.size() - head_bytes < number_at(rest)) return found;
    const std::string_view payload = rest.substr(head_bytes, number_at(rest));
    if (framed(payload) != rest.substr(0, head_bytes + payload.size())) return found;
    found.records.emplace_back(payload);
    found.whole_bytes += head_bytes + payload.size();
  }
}

}  // namespace sluice::fuzz
