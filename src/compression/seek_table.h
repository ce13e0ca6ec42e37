// SeekTable: which bytes each frame of a compressed file holds. It stands at the end of the file in
// zstd's seekable format: github.com/facebook/zstd, contrib/seekable_format. A decoder that does
// not know the format skips the table, because it is a skippable frame.
//
// All numbers are little-endian, of 32 bits unless said otherwise:
//   0x184D2A5E, the number of bytes that follow,
//   for each frame: its compressed bytes, its uncompressed bytes,
//   the number of frames, a byte of flags (0: without checksums), 0x8F92EAB1.
// Before the table stands a skippable frame of our own, which protects the table:
//   0x184D2A5C, 8, 0x54434C53, the CRC32C of the table.
// It is the last frame in the table, with no uncompressed bytes. Other readers of seek tables
// refuse a file whose frames do not reach to its table.
// The table of another program has no such frame, and may not have checksums either. If one of its
// sizes were wrong, a seek would give the bytes of another position: such a table counts as none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sluice/bytes.h"

namespace sluice {

// A table that a Sink makes. It has 8 bytes of memory for each frame, and half as many to grow.
class NewSeekTable {
 public:
  explicit NewSeekTable(std::size_t max_frames) : max_frames_(max_frames) {}

  // Adds the frame that follows the last one. False if there is no memory, and then nothing has
  // changed. With more than max_frames frames there is no table, and no memory is needed.
  bool add(std::uint32_t compressed_bytes, std::uint32_t bytes);

  // The two skippable frames, for the end of a file. They are valid until the next call. They have
  // no bytes if there are too many frames.
  std::array<BytesView, 3> encode();

 private:
  const std::size_t max_frames_;
  std::size_t frames_ = 0;
  Bytes entries_;                    // encoded
  std::array<std::byte, 24> begin_;  // what stands before and behind the entries
  std::array<std::byte, 17> end_;
};

// A table that a Source has read. It has 8 bytes of memory for each frame, and a little more.
class SeekTable {
 public:
  struct Frame {
    std::uint64_t compressed_position;
    std::uint64_t position;
  };
  static constexpr std::size_t footer_bytes = 9;
  static constexpr std::size_t max_frames = std::size_t{1} << 24;  // of 16 TiB in frames of 1 MiB

  // The size of the two skippable frames whose last bytes are `footer`, of footer_bytes bytes. 0 if
  // these bytes end no seek table.
  static std::uint64_t encoded_bytes(BytesView footer);
  // Takes the two skippable frames, the last bytes of a file. False if the table is not protected
  // or damaged, or if the frames do not fill the file. Throws std::bad_alloc.
  bool decode(Bytes encoded, std::uint64_t file_bytes);

  // The last frame that begins at `position` or before it. Without frames it is the beginning of
  // the file.
  Frame frame_at(std::uint64_t position) const;
  // True if a frame ends at `position`.
  bool has_end_at(std::uint64_t position) const;
  std::uint64_t bytes() const { return bytes_; }  // of all frames, uncompressed

 private:
  static constexpr std::size_t frames_of_a_mark = 64;

  Bytes encoded_;
  std::vector<Frame> marks_;  // each frames_of_a_mark-th frame, from the first one on
  std::size_t frames_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace sluice
