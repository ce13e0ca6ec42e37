// The records of a file with Framing::length_crc32c: how they are found, and how a mark proves that
// they were committed. core/journal_format.h describes their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/block.h"
#include "core/journal_format.h"
#include "os/file.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

// The reason why no record can be read after a header in this state. Ok for a header that is whole
// or torn.
Status refusal_of(HeaderState header, std::string_view path);

// Walks over the records of a file in order, with as much memory as the largest record needs. The
// file may grow meanwhile. Not thread-safe.
class RecordScanner {
 public:
  // `file` must outlive this object.
  explicit RecordScanner(os::File& file) : file_(file) {}

  // Tells how the file begins. An empty file begins with a torn header.
  Status read_header(HeaderState& state);

  // Gives the next record. `found` is false if no further whole and undamaged record is there yet.
  // The payload is valid until the next call. A header that refusal_of() refuses is a failure.
  Status next(BytesView& payload, bool& found);

  // The number of bytes from the start of the file that are whole; 0 while the header is not whole.
  // After a record was found, the position after it; otherwise the position after the marks that
  // follow.
  std::uint64_t position() const { return position_; }
  // Tells whether a mark says that every record found so far was durable.
  bool is_marked() const { return marked_ >= last_record_end_; }

  // Call this only after the header was found whole.
  const JournalFormat& format() const { return *format_; }

 private:
  Status find(BytesView& payload, bool& found);
  Status skip_marks();
  Status look(std::size_t bytes, bool& there);
  bool make_room(std::size_t bytes);
  BytesView pending() const { return {block_.data() + begin_, end_ - begin_}; }
  void take(std::size_t bytes);

  os::File& file_;
  std::optional<JournalFormat> format_;
  std::uint64_t position_ = 0;  // of block_.data() + begin_ in the file
  std::uint64_t last_record_end_ = 0;
  std::uint64_t marked_ = 0;  // the durable position in the last mark
  Block block_;
  std::size_t begin_ = 0;  // [begin_, end_) of the block was read and not yet taken
  std::size_t end_ = 0;
};

// A mark at position `at`, which says that everything before `durable` was durable.
struct FoundMark {
  std::uint64_t at = 0;
  std::uint64_t durable = 0;
};

// Searches all bytes from `from` on for a mark which says that bytes after `from` were durable.
// If bytes were removed from the file or inserted into it, the marks after them have moved. So a
// mark counts at any position. `mark` is empty if there is none.
Status find_mark_beyond(os::File& file, const JournalFormat& format, std::uint64_t from,
                        std::optional<FoundMark>& mark);

}  // namespace sluice
