// The records of a file with Framing::length_crc32c: how they are found, and what proves that they
// were committed. Their bytes are those of core/journal_format.h.
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

// EINVAL: the file at `path` is none of that framing.
Status other_framing(std::string_view path, std::string_view framing);

// Why no record can be read behind a header in this state; ok for one that is whole or torn.
Status refusal_of(HeaderState header, std::string_view path);

// Walks over the records of a file in order, in memory as large as the largest record needs. The
// file may grow meanwhile. Not thread-safe.
class RecordScanner {
 public:
  // `file` outlives this object.
  explicit RecordScanner(os::File& file) : file_(file) {}

  // What the file starts with; what is empty starts with a torn header.
  Status read_header(HeaderState& state);

  // The next record; `found` is false when there is none yet that is whole and undamaged. The
  // payload is valid until the next call. A header that refusal_of() refuses is a failure.
  Status next(BytesView& payload, bool& found);

  // Bytes from the start of the file that are whole; 0 while not even the header is. Behind a
  // record that was found; behind the marks that follow it when no other was.
  std::uint64_t position() const { return position_; }
  // Whether a mark says of every record that was found that it was durable.
  bool is_marked() const { return marked_ >= last_record_end_; }

  // Once the header is whole.
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
  std::uint64_t marked_ = 0;  // what the last mark said
  Block block_;
  std::size_t begin_ = 0;  // [begin_, end_) of the block was read and not yet taken
  std::size_t end_ = 0;
};

// A mark at `at` that says that everything before `durable` was durable.
struct FoundMark {
  std::uint64_t at = 0;
  std::uint64_t durable = 0;
};

// Looks at every byte from `from` on for a mark that speaks of what lies behind `from`. What was
// torn from the file or put into it moves the marks behind it, so they count wherever they stand.
// `mark` is empty when there is none.
Status find_mark_beyond(os::File& file, const JournalFormat& format, std::uint64_t from,
                        std::optional<FoundMark>& mark);

}  // namespace sluice
