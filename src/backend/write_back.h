// WriteBack: has the kernel write bytes back while the program writes more, so that a long write
// does not end in one long sync. With Cache::drop it also has the kernel give up the pages that are
// written back. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/pieces.h"
#include "os/file.h"
#include "os/memory.h"
#include "sluice/bytes.h"
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
    if (position == end_) return;
    leave_behind(end_ - dropped_to_);
    dropped_to_ = begun_to_ = end_ = position;
  }

  // Writes the pieces by `write`, a function as Sink::write(). A large write is cut if the pages of
  // its first bytes have to leave the cache before its last bytes are written.
  template <typename Write>
  Status write(std::uint64_t position, std::span<const BytesView> pieces, std::size_t& written,
               os::File& file, Write write_pieces) {
    if (!drops_ || bytes_in(pieces) <= dropped_at_once) {
      Status status = write_pieces(position, pieces, written);
      return status.ok() ? written_to(position + written, file) : status;
    }
    written = 0;
    Status status;
    for (BytesView piece : pieces) {
      while (status.ok() && !piece.empty()) {
        const BytesView part = piece.first(std::min(piece.size(), dropped_at_once));
        std::size_t got = 0;
        status = write_pieces(position + written, std::span(&part, 1), got);
        written += got;
        if (status.ok()) status = written_to(position + written, file);
        piece = piece.subspan(part.size());
      }
    }
    return status;
  }

  // Call this when everything before `end` has been written. A failure is final: bytes are lost,
  // and the kernel reports this only once.
  Status written_to(std::uint64_t end, os::File& file) {
    end_ = end;
    if (left_behind_ >= most_left_behind) return drop_all(file);
    if (every_bytes_ == 0 || end - begun_to_ < every_bytes_) return {};
    Status status = file.start_write_back(begun_to_, end - begun_to_);
    begun_to_ = end;
    if (!status.ok() || !drops_ || end - dropped_to_ < dropped_at_once + kept_behind) return status;
    return drop(end - kept_behind, file);
  }

  // Writes bytes out of sequence by `write_bytes`, a function as Sink::write_at(). A large write is
  // cut as by write().
  template <typename Write>
  Status patch(std::uint64_t position, BytesView bytes, std::size_t& written, os::File& file,
               Write write_bytes) {
    written = 0;
    Status status;
    do {
      const std::size_t most = drops_ ? dropped_at_once : bytes.size();
      const BytesView part = bytes.subspan(written, std::min(bytes.size() - written, most));
      std::size_t got = 0;
      status = write_bytes(position + written, part, got);
      written += got;
      if (status.ok()) status = patched(got, file);
    } while (status.ok() && written < bytes.size());
    return status;
  }

  // Call this when `bytes` bytes have been written to the cache out of sequence. A failure is as
  // with written_to().
  Status patched(std::uint64_t bytes, os::File& file) {
    leave_behind(bytes);
    return left_behind_ >= most_left_behind ? drop_all(file) : Status();
  }

  // Call this when everything is written. With Cache::drop no page of the file stays in the cache,
  // wherever its bytes were written. A failure is as with written_to().
  Status end(os::File& file) const { return drops_ ? drop_file(file) : Status(); }

 private:
  // While the disk takes the bytes of `kept_behind`, the program writes the next ones, so that the
  // disk need not wait for the program.
  static constexpr std::size_t dropped_at_once = 8 * 1024 * 1024;
  static constexpr std::uint64_t kept_behind = 3 * dropped_at_once;
  // Pages elsewhere in the file, which a sequence has left or a patch has changed.
  static constexpr std::uint64_t most_left_behind = 2 * dropped_at_once;

  static Status drop_file(os::File& file) {
    Status status = file.wait_for_write_back(0, 0);
    if (status.ok()) file.forget_cached();
    return status;
  }

  void leave_behind(std::uint64_t bytes) {
    if (drops_ && bytes != 0) left_behind_ += std::max<std::uint64_t>(bytes, os::page_bytes);
  }

  Status drop_all(os::File& file) {
    Status status = drop_file(file);
    if (!status.ok()) return status;
    left_behind_ = 0;
    begun_to_ = dropped_to_ = end_;
    return {};
  }

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
  std::uint64_t left_behind_ = 0;
};

}  // namespace sluice
