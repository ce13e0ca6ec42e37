// The deterministic pattern that most experiments write.
#pragma once

#include <cstdint>

namespace sluice::bench {

// The pattern repeats every 64 KiB. So its hash shows bytes that were lost, doubled or altered, but
// not whole 64 KiB blocks in a wrong order.
inline unsigned char byte_at(std::uint64_t i) {
  return static_cast<unsigned char>((i ^ (i >> 8)) & 0xff);
}

}  // namespace sluice::bench
