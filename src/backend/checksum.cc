#include "sluice/checksum.h"

#include <array>
#include <cstddef>

#include "backend/crc32c.h"

namespace sluice {
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

std::uint32_t crc32c_by_table(std::uint32_t before, BytesView bytes) {
  std::uint32_t state = ~before;
  for (const std::byte byte : bytes) {
    state = table[(state ^ static_cast<std::uint32_t>(byte)) & 0xff] ^ (state >> 8);
  }
  return ~state;
}

}  // namespace

void Crc32c::add(BytesView bytes) {
  value_ = has_crc32c() ? crc32c(value_, bytes) : crc32c_by_table(value_, bytes);
}

}  // namespace sluice
