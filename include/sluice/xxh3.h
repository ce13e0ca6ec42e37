// Xxh3: the 64-bit XXH3 hash, which is faster than memory. Link with sluice::xxh3.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sluice/bytes.h"
#include "sluice/checksum.h"

namespace sluice {

class Xxh3 final : public Checksum {
 public:
  Xxh3() noexcept;
  void add(BytesView bytes) override;
  // As XXH3_64bits() gives it for all the bytes at once; more may be added afterwards.
  std::uint64_t value() const noexcept;

 private:
  // Implementation details follow.
  alignas(64) std::array<std::byte, 640> state_;  // xxhash's own: src/backend/xxh3.cc
};

}  // namespace sluice
