#include "backend/crc32c.h"

#ifdef SLUICE_WITH_ISAL
#include <isa-l/crc.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice {

#ifdef SLUICE_WITH_ISAL

std::uint32_t crc32c(std::uint32_t before, BytesView bytes) noexcept {
  constexpr std::size_t max_bytes = std::size_t{1} << 30;  // the length is an int
  std::uint32_t state = ~before;
  while (!bytes.empty()) {
    const BytesView part = bytes.first(std::min(bytes.size(), max_bytes));
    // The function only reads the bytes, although its declaration is not const.
    auto* data = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(part.data()));
    state = crc32_iscsi(data, static_cast<int>(part.size()), state);
    bytes = bytes.subspan(part.size());
  }
  return ~state;
}

#else

namespace {

constexpr std::uint32_t reversed_polynomial = 0x82f63b78;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 1) != 0 ? (value >> 1) ^ reversed_polynomial : value >> 1;
    }
    table[byte] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> table = make_table();

}  // namespace

std::uint32_t crc32c(std::uint32_t before, BytesView bytes) noexcept {
  std::uint32_t state = ~before;
  for (const std::byte byte : bytes) {
    state = table[(state ^ static_cast<std::uint32_t>(byte)) & 0xff] ^ (state >> 8);
  }
  return ~state;
}

#endif

}  // namespace sluice
