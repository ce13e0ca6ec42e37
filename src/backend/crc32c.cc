#include "backend/crc32c.h"

#ifdef SLUICE_WITH_ISAL
#include <isa-l/crc.h>
#endif

#include <algorithm>
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

std::uint32_t crc32c(std::uint32_t, BytesView) noexcept { return 0; }

#endif

}  // namespace sluice
