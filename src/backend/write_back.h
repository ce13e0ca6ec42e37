// WriteBack: has the kernel write bytes back while the program writes more, so that a long write
// does not end in one long sync. Not thread-safe.
#pragma once

#include <cstdint>

#include "os/file.h"
#include "sluice/status.h"

namespace sluice {

class WriteBack {
 public:
  // Starts a write-back each time `every_bytes` bytes have been written; 0: never.
  explicit WriteBack(std::uint64_t every_bytes) : every_bytes_(every_bytes) {}

  // The next byte is written at `position`; the default is 0. If this is another place than the end
  // of the written bytes, the count of written bytes begins anew.
  void start_at(std::uint64_t position) {
    if (position != end_) begun_to_ = end_ = position;
  }

  // Call this when everything before `end` has been written. A failure is final: bytes are lost,
  // and the kernel reports this only once.
  Status written_to(std::uint64_t end, os::File& file) {
    end_ = end;
    if (every_bytes_ == 0 || end - begun_to_ < every_bytes_) return {};
    Status status = file.start_write_back(begun_to_, end - begun_to_);
    begun_to_ = end;
    return status;
  }

 private:
  const std::uint64_t every_bytes_;
  std::uint64_t begun_to_ = 0;
  std::uint64_t end_ = 0;  // of the written bytes
};

}  // namespace sluice
