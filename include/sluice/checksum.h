// Checksums of bytes that come piece by piece. make_checksumming_sink and make_checksumming_source
// (sluice/sinks.h, sluice/sources.h) take the checksum of bytes on their way through a Sink or a
// Source. A program may also call add() itself, for any bytes.
//
//   sluice::Crc32c checksum;
//   sink = sluice::make_checksumming_sink(std::move(sink), checksum);
//   if (Status status = writer.open(std::move(sink)); !status.ok()) return status;
//
// sluice/xxh3.h has a faster checksum, as a component of its own.
// Threads: one thread at a time may use a Checksum.
#pragma once

#include <cstdint>

#include "sluice/bytes.h"

namespace sluice {

// Derive a class from Checksum to take a checksum of another kind. add() must not throw.
class Checksum {
 public:
  virtual ~Checksum() = default;  // the base owns nothing

  // Takes in the bytes that come next.
  virtual void add(BytesView bytes) = 0;
};

// CRC32C (Castagnoli), the checksum of iSCSI, ext4 and the Journal. If sluice was built with
// Intel's ISA-L, that library computes it. Otherwise it is computed byte by byte from a table, at a
// twentieth of the speed or less.
class Crc32c final : public Checksum {
 public:
  void add(BytesView bytes) override;

  // The checksum of all bytes that were added. More bytes may be added afterwards.
  std::uint32_t value() const noexcept { return value_; }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace sluice
