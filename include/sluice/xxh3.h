// Xxh3: the 64-bit XXH3 hash, which takes less time than fetching the bytes from memory. Link with
// sluice::xxh3.
// Threads: one thread at a time may use an Xxh3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sluice/bytes.h"
#include "sluice/checksum.h"

namespace sluice {

class Xxh3 final : public Checksum {
 public:
  // The hash of no bytes.
  Xxh3() noexcept;
  void add(BytesView bytes) override;

  // Returns the hash that XXH3_64bits() would give for all added bytes in one piece. More bytes may
  // be added afterwards.
  std::uint64_t value() const noexcept;

 private:
  // Implementation details follow.
  alignas(64) std::array<std::byte, 640> state_;  // holds an XXH3_state_t: src/backend/xxh3.cc
};

}  // namespace sluice
