// The bytes of a file with Framing::length_crc32c.
//
//   file     := header, (record | mark)...
//   header   := "sluice journal 2", file id (8), CRC32C of these 24 bytes (4), four zeros
//   record   := length (4), checksum (4), payload
//   mark     := ff ff ff ff, checksum (4), payload: its position in the file (8), durable (8)
//   checksum := CRC32C of file id (8), position in the file (8), the 4 bytes before the checksum,
//               CRC32C of the payload (4)
//
// Numbers have the lowest byte first. The file id is random, so that no two files share it. With
// the position in it, a checksum holds for one record at one place in one file. The payload's own
// checksum is a step of its own because it takes long and is known before the position is.
// A mark says that every byte before the position `durable`, at which a record ends, was covered by
// a sync that had ended ok. So no byte before that position can belong to the torn end that a power
// cut leaves.
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
inline constexpr std::uint32_t mark_length = 0xffffffff;  // in the place of a record's

// Makes headers, heads and marks of one file, and knows them again. Immutable.
class JournalFormat {
 public:
  using FileId = std::array<std::byte, file_id_bytes>;

  explicit JournalFormat(const FileId& id);

  std::array<std::byte, journal_header_bytes> header() const;
  // What stands before a payload that has this checksum, in a record at `position`.
  std::array<std::byte, record_head_bytes> head(std::uint64_t position, std::size_t payload_bytes,
                                                std::uint32_t payload_checksum) const;
  std::array<std::byte, mark_bytes> mark(std::uint64_t position, std::uint64_t durable) const;

  // Whether `bytes`, mark_bytes of them, are a mark of this file, whatever their position is now.
  bool is_mark(BytesView bytes, std::uint64_t& position, std::uint64_t& durable) const;

 private:
  FileId id_;
  std::uint32_t id_checksum_;
};

// The length in a head: mark_length in that of a mark.
std::uint32_t length_in_head(BytesView head);

// What the bytes are that a file starts with: `bytes` are all of it, or more than a header's.
enum class HeaderState : std::uint8_t {
  whole,
  torn,     // a power cut has kept the file from being created: nothing follows
  damaged,  // records may follow, but whose is not known
  older,    // "sluice journal 1"
  other,    // no Journal with this framing
};
HeaderState state_of_header(BytesView bytes);

// The id in a header that is whole.
JournalFormat::FileId id_in_header(BytesView header);

}  // namespace sluice
