// Checksums of bytes that come piece by piece: of what a Sink is given or a Source gives (see
// make_checksumming_sink and make_checksumming_source), or of anything else.
//
//   sluice::Crc32c checksum;
//   writer.open(sluice::make_checksumming_sink(std::move(sink), checksum));
//
// sluice/xxh3.h has a faster one, as a component of its own.
// Threads: one at a time.
#pragma once

#include <cstdint>

#include "sluice/bytes.h"

namespace sluice {

// Derive from it to take a checksum of another kind. add() must not throw.
class Checksum {
 public:
  virtual ~Checksum() = default;
  virtual void add(BytesView bytes) = 0;
};

// CRC32C (Castagnoli), as iSCSI, ext4 and the Journal have it. By Intel's ISA-L where sluice was
// built with it, otherwise byte by byte from a table, at a twentieth of the speed or less.
class Crc32c final : public Checksum {
 public:
  void add(BytesView bytes) override;
  std::uint32_t value() const noexcept { return value_; }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace sluice
