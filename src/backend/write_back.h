// WriteBack: has the kernel write bytes back while the program writes more, so that a long write
// does not end in one long sync. With Cache::drop it also has the kernel give up the pages that are
// written back. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "os/file.h"
#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

// A folio (the pages that the kernel keeps as one) is given up only as a whole. So each range of
// given-up bytes begins this far before its first byte, and has the folios that begin there too.
inline constexpr std::uint64_t largest_folio_bytes = 2 * 1024 * 1024;

inline std::uint64_t begin_of_folios(std::uint64_t position) {
  return position - std::min(position, largest_folio_bytes);
}

class WriteBack {
 public:
  // Starts a write-back each time `every_bytes` bytes have been written. 0: never with Cache::keep.
  WriteBack(std::uint64_t every_bytes, Cache cache)
      : drops_(cache == Cache::drop),
        every_bytes_(drops_ && (every_bytes == 0 || every_bytes > dropped_at_once) ? dropped_at_once
                                                                                   : every_bytes) {}

  // The next byte is written at `position`; the default is 0. If this is another place than the end
  // of the written bytes, the count of written bytes begins anew.
  void start_at(std::uint64_t position) {
    if (position != end_) dropped_to_ = begun_to_ = end_ = position;
  }

  // Call this when everything before `end` has been written. A failure is final: bytes are lost,
  // and the kernel reports this only once.
  Status written_to(std::uint64_t end, os::File& file) {
    end_ = end;
    if (every_bytes_ == 0 || end - begun_to_ < every_bytes_) return {};
    Status status = file.start_write_back(begun_to_, end - begun_to_);
    begun_to_ = end;
    if (!status.ok() || !drops_ || end - dropped_to_ < dropped_at_once + kept_behind) return status;
    return drop(end - kept_behind, file);
  }

  // Call this when everything is written. With Cache::drop no page of the file stays in the cache,
  // wherever its bytes were written. A failure is as with written_to().
  Status end(os::File& file) const {
    if (!drops_) return {};
    Status status = file.wait_for_write_back(0, 0);
    if (status.ok()) file.forget_cached();
    return status;
  }

 private:
  // While the disk takes the bytes of `kept_behind`, the program writes the next ones. With 24 MiB
  // the disk never waited for the program; with 8 MiB it did.
  static constexpr std::uint64_t dropped_at_once = 8 * 1024 * 1024;
  static constexpr std::uint64_t kept_behind = 3 * dropped_at_once;

  Status drop(std::uint64_t to, os::File& file) {
    Status status = file.wait_for_write_back(dropped_to_, to - dropped_to_);
    if (!status.ok()) return status;
    const std::uint64_t begin = begin_of_folios(dropped_to_);
    file.forget_cached(begin, to - begin);
    dropped_to_ = to;
    return {};
  }

  const bool drops_;
  const std::uint64_t every_bytes_;
  std::uint64_t dropped_to_ = 0;
  std::uint64_t begun_to_ = 0;
  std::uint64_t end_ = 0;  // of the written bytes
};

}  // namespace sluice
