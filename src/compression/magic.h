// How frames begin: with a magic number of 32 bits, the lowest byte first. The mask has the bits
// that all frames of a format have in common.
#pragma once

#include <cstdint>

#include "compression/little_endian.h"
#include "sluice/bytes.h"

namespace sluice {

inline constexpr std::uint32_t whole_magic = 0xFFFF'FFFF;  // a mask
inline constexpr std::uint32_t zstd_magic = 0xFD2FB528;
inline constexpr std::uint32_t lz4_magic = 0x184D2204;
inline constexpr std::uint32_t old_lz4_magic = 0x184C2102;  // lz4 -l, which no codec reads
inline constexpr std::uint32_t gzip_magic = 0x0008'8B1F;    // deflated, with flags of the format
inline constexpr std::uint32_t gzip_mask = 0xE0FF'FFFF;
inline constexpr std::uint32_t series_magic = 0x004C53E5;  // the fourth byte is the type
inline constexpr std::uint32_t series_mask = 0x00FF'FFFF;
// zstd and lz4 share the frames that a reader skips. For example, pzstd writes one before each
// other frame.
inline constexpr std::uint32_t skippable_magic = 0x184D2A50;
inline constexpr std::uint32_t skippable_mask = 0xFFFF'FFF0;
// Two of them stand at the end of a file (seek_table.h).
inline constexpr std::uint32_t protecting_magic = 0x184D2A5C;
inline constexpr std::uint32_t seek_table_magic = 0x184D2A5E;

inline bool begins_with(BytesView beginning, std::uint32_t magic,
                        std::uint32_t mask = whole_magic) {
  return beginning.size() >= 4 && (number_at(beginning.data()) & mask) == magic;
}

inline bool begins_with_skippable_frame(BytesView beginning) {
  return begins_with(beginning, skippable_magic, skippable_mask);
}

}  // namespace sluice
