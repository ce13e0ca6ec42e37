// The records of a file with Framing::length_crc32c: how they are framed, and how they are found.
//
//   file    := the 16 bytes of journal_header, record...
//   record  := length (4 bytes), checksum (4 bytes), payload; numbers with the lowest byte first
//
// The checksum is the CRC32C of length and payload, so that a tail of zeros is no record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/block.h"
#include "os/file.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

inline constexpr std::string_view journal_header = "sluice journal 1";
inline constexpr std::size_t record_head_bytes = 8;

// EINVAL: the file at `path` is none of that framing.
Status other_framing(std::string_view path, std::string_view framing);

// What stands before the payload.
std::array<std::byte, record_head_bytes> head_of_record(ConstBytes payload);

// Walks over the records of a file in order, in memory as large as the largest record needs. The
// file may grow meanwhile. Not thread-safe.
class RecordScanner {
 public:
  // `file` outlives this object.
  explicit RecordScanner(os::File& file) : file_(file) {}

  // What the file starts with; what is empty starts with a torn header.
  enum class Header : std::uint8_t { whole, torn, other };
  Status read_header(Header& header);

  // The next record; `found` is false when there is none yet that is whole and undamaged. The
  // payload is valid until the next call. EINVAL when the file starts with something else.
  Status next(ConstBytes& payload, bool& found);

  // Bytes from the start of the file that are whole; 0 while not even the header is.
  std::uint64_t position() const { return position_; }

 private:
  Status find(ConstBytes& payload, bool& found);
  Status look(std::size_t bytes, bool& there);
  bool make_room(std::size_t bytes);
  ConstBytes pending() const { return {block_.data() + begin_, end_ - begin_}; }
  void take(std::size_t bytes);

  os::File& file_;
  std::uint64_t position_ = 0;  // of block_.data() + begin_ in the file
  Block block_;
  std::size_t begin_ = 0;  // [begin_, end_) of the block was read and not yet taken
  std::size_t end_ = 0;
};

}  // namespace sluice
