// The bytes of a file with Framing::length_crc32c.
//
//   file     := header, (record | mark)...
//   header   := "sluice journal 2", file id (8), CRC32C of these 24 bytes (4), four zeros
//   record   := length (4), checksum (4), payload
//   mark     := ff ff ff ff, checksum (4), payload: its position in the file (8), durable (8)
//   checksum := CRC32C of file id (8), position in the file (8), the 4 bytes before the checksum,
//               CRC32C of the payload (4)
//
// Numbers are little-endian. The file id is random, so no two files share it. The checksum covers
// the id and the position, so a record is valid only at one place in one file. The payload has a
// checksum of its own, because its computation takes long and can be done before the position is
// known.
// A mark says that a successful sync covered every byte before the position `durable`, at which a
// record ends. So no byte before this position can belong to the torn end that a power cut leaves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sluice/sink.h"

namespace sluice {

inline constexpr std::string_view journal_magic = "sluice journal 2";
inline constexpr std::size_t file_id_bytes = 8;
inline constexpr std::size_t journal_header_bytes = 32;
inline constexpr std::size_t record_head_bytes = 8;
inline constexpr std::size_t mark_bytes = record_head_bytes + 16;
// A mark has this number where a record has its length.
inline constexpr std::uint32_t mark_length = 0xffffffff;

// Makes the headers, heads and marks of one file, and recognises them. Immutable.
class JournalFormat {
 public:
  using FileId = std::array<std::byte, file_id_bytes>;

  explicit JournalFormat(const FileId& id);

  std::array<std::byte, journal_header_bytes> header() const;
  // The head of a record at `position` whose payload has this checksum.
  std::array<std::byte, record_head_bytes> head(std::uint64_t position, std::size_t payload_bytes,
                                                std::uint32_t payload_checksum) const;
  std::array<std::byte, mark_bytes> mark(std::uint64_t position, std::uint64_t durable) const;

  // Tells whether `bytes`, which are mark_bytes long, are a mark of this file. The mark need not be
  // at its own position.
  bool is_mark(BytesView bytes, std::uint64_t& position, std::uint64_t& durable) const;

 private:
  FileId id_;
  std::uint32_t id_checksum_;
};

// The length in a head. The head of a mark has mark_length.
std::uint32_t length_in_head(BytesView head);

// Tells how a file begins. `bytes` are the whole file, or more than a header.
enum class HeaderState : std::uint8_t {
  whole,
  torn,     // a power cut has interrupted the file's creation: nothing follows
  damaged,  // records may follow, but the id of their file is lost
  older,    // "sluice journal 1"
  other,    // not a Journal with this framing
};
HeaderState state_of_header(BytesView bytes);

// The id in a whole header.
JournalFormat::FileId id_in_header(BytesView header);

}  // namespace sluice
