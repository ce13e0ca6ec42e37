// The lines of a Reader, and the parts between other delimiters.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "core/newlines.h"
#include "core/reader_core.h"

namespace sluice {
namespace {

// The Reader looks for newlines in pieces of this size. A piece stays in the first-level cache
// beside the positions of its newlines.
constexpr std::size_t scan_bytes = 16 * 1024;

}  // namespace

std::string_view Reader::Core::read_until(Reader& reader, std::byte delimiter) {
  for (std::size_t searched = 0;;) {
    const BytesView pending(reader.cursor_, reader.limit_);
    const BytesView fresh = pending.subspan(searched);
    const void* const found =
        fresh.empty() ? nullptr
                      : std::memchr(fresh.data(), std::to_integer<int>(delimiter), fresh.size());
    if (found != nullptr) {
      const auto* const at = static_cast<const std::byte*>(found);
      if (is_too_long(at - reader.cursor_)) return fail_line(reader);
      return reader.take_line(at, CarriageReturn::keep);
    }
    searched = pending.size();
    if (is_too_long(reader.limit_ - reader.cursor_)) return fail_line(reader);
    if (refill(reader)) continue;
    return take_last(reader);
  }
}

// Takes the bytes after the last newline or delimiter, at the end of the input. After a failure
// there are none, because the window is empty.
std::string_view Reader::Core::take_last(Reader& reader) {
  if (reader.cursor_ == reader.limit_) return {};
  const std::string_view last = reader.take_line(reader.limit_, CarriageReturn::keep);
  reader.cursor_ = reader.limit_;  // there is no newline to skip
  return last;
}

std::string_view Reader::Core::next_line(Reader& reader, CarriageReturn carriage_return) {
  for (;;) {
    if (find_in_window(reader)) {
      const std::byte* newline = reader.scan_base_ + *reader.newline_++;
      if (is_too_long(newline - reader.cursor_)) return fail_line(reader);
      return reader.take_line(newline, carriage_return);
    }
    if (is_too_long(reader.limit_ - reader.cursor_)) return fail_line(reader);
    if (!refill(reader)) return take_last(reader);
  }
}

bool Reader::Core::is_too_long(std::ptrdiff_t bytes) const {
  return static_cast<std::uint64_t>(bytes) > options_.max_line_bytes;
}

std::string_view Reader::Core::fail_line(Reader& reader) {
  fail_too_long(reader);
  return {};
}

bool Reader::Core::fail_too_long(Reader& reader) {
  const std::string reason = "a line, part or number is longer than " +
                             std::to_string(options_.max_line_bytes) + " bytes (max_line_bytes)";
  return fail(reader, Status::failure(Operation::read, source_->path(), EMSGSIZE, reader.position(),
                                      reason));
}

// Scans on until newline_ points to a newline at or after the cursor, or until the whole window is
// scanned. Returns true if newline_ points to such a newline.
bool Reader::Core::find_in_window(Reader& reader) {
  for (;;) {
    while (reader.newline_ != reader.newlines_end_) {
      if (reader.scan_base_ + *reader.newline_ >= reader.cursor_) return true;
      ++reader.newline_;  // get or read has gone past this newline
    }
    scanned_until_ = std::max(scanned_until_, reader.cursor_);
    if (scanned_until_ == reader.limit_) return false;
    scan(reader);
  }
}

// A piece is at most as long as the longest allowed line. So a line that is too long reaches over
// two pieces, and its newline is the first newline of a piece. This newline is always taken on the
// slow path, which checks the length.
void Reader::Core::scan(Reader& reader) {
  if (!newlines_) newlines_.reset(new std::uint32_t[scan_bytes + newline_slack]);
  const auto unscanned = static_cast<std::uint64_t>(reader.limit_ - scanned_until_);
  const std::uint64_t bytes =
      std::min({unscanned, std::uint64_t{scan_bytes}, options_.max_line_bytes});
  const std::size_t found =
      find_newlines(scanned_until_, static_cast<std::size_t>(bytes), newlines_.get());
  reader.scan_base_ = scanned_until_;
  reader.newline_ = newlines_.get();
  reader.newlines_end_ = reader.newline_ + found;
  scanned_until_ += bytes;
}

}  // namespace sluice
