// SeekTable: which bytes each frame of a compressed file holds. It stands at the end of the file in
// zstd's seekable format: github.com/facebook/zstd, contrib/seekable_format. A decoder that does
// not know the format skips the table, because it is a skippable frame.
//
// All numbers are little-endian, of 32 bits unless said otherwise:
//   0x184D2A5E, the number of bytes that follow,
//   for each frame: its compressed bytes, its decompressed bytes,
//   the number of frames, a byte of flags (0: without checksums), 0x8F92EAB1.
// Before the table stands a skippable frame of our own, which protects the table:
//   0x184D2A5C, 8, 0x54434C53, the CRC32C of the table.
// The table of another program has no such frame, and may not have checksums either. If one of its
// sizes were wrong, a seek would give the bytes of another position: such a table counts as none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/bytes.h"

namespace sluice {

class SeekTable {
 public:
  struct Frame {
    std::uint64_t compressed_position;
    std::uint64_t position;
  };
  static constexpr std::size_t footer_bytes = 9;
  static constexpr std::size_t protecting_bytes = 16;
  static constexpr std::size_t max_frames = std::size_t{1} << 24;  // of 16 TiB in frames of 1 MiB

  // Adds the frame that follows the last one. Throws std::bad_alloc, and then nothing has changed.
  void add(std::uint32_t compressed_bytes, std::uint32_t bytes);
  bool is_too_large() const { return sizes_.size() > max_frames; }

  // The two skippable frames, for the end of a file. Throws std::bad_alloc.
  std::string encode() const;

  // The size of the skippable frame whose last bytes are `footer`, of footer_bytes bytes. 0 if
  // these bytes end no seek table.
  static std::uint64_t encoded_bytes(BytesView footer);
  // Takes the table from the last bytes of a file: the protecting frame and the table. False if the
  // table is not protected or damaged, or if the frames do not fill the file. Throws
  // std::bad_alloc.
  bool decode(BytesView end_of_file, std::uint64_t table_bytes, std::uint64_t file_bytes);

  // The last frame that begins at `position` or before it. The table must not be empty.
  Frame frame_at(std::uint64_t position) const;
  // True if a frame ends at `position`.
  bool has_end_at(std::uint64_t position) const;
  std::uint64_t bytes() const { return bytes_; }  // of all frames, decompressed

 private:
  struct Sizes {
    std::uint32_t compressed_bytes;
    std::uint32_t bytes;
  };

  std::vector<Sizes> sizes_;
  std::vector<Frame> frames_;  // made by decode()
  std::uint64_t bytes_ = 0;
};

}  // namespace sluice
