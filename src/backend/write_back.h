// WriteBack: has the kernel write bytes back while the program writes more, so that a long write
// does not end in one long sync. Not thread-safe.
#pragma once

#include <cstdint>

#include "os/file.h"
#include "sluice/status.h"

namespace sluice {

class WriteBack {
 public:
  // Acts each time `every_bytes` bytes have been written; 0: never.
  explicit WriteBack(std::uint64_t every_bytes) : every_bytes_(every_bytes) {}

  // Says where the first byte goes, if not to position 0.
  void start_at(std::uint64_t position) { begun_to_ = position; }

  // To be called when everything before `end` has been written. A failure is final: it says that
  // bytes are lost, and the kernel says so only once.
  Status written_to(std::uint64_t end, os::File& file) {
    if (every_bytes_ == 0 || end - begun_to_ < every_bytes_) return {};
    Status status = file.start_write_back(begun_to_, end - begun_to_);
    begun_to_ = end;
    return status;
  }

 private:
  const std::uint64_t every_bytes_;
  std::uint64_t begun_to_ = 0;
};

}  // namespace sluice
