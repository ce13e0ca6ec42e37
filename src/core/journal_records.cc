#include "core/journal_records.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "backend/crc32c.h"
#include "sluice/journal.h"

namespace sluice {
namespace {

constexpr std::size_t min_block_bytes = 256 * 1024;

Status no_memory(const os::File& file, std::uint64_t position) {
  return Status::failure(Operation::allocate, file.path(), ENOMEM, position);
}

// Finds the first mark in `bytes` which says that bytes after `from` were durable. FoundMark::at is
// its offset in `bytes`.
std::optional<FoundMark> mark_within(BytesView bytes, const JournalFormat& format,
                                     std::uint64_t from) {
  constexpr int first_byte = mark_length & 0xff;
  for (std::size_t at = 0; at + mark_bytes <= bytes.size(); ++at) {
    const std::size_t left = bytes.size() - at - mark_bytes + 1;
    const void* const next = std::memchr(bytes.data() + at, first_byte, left);
    if (next == nullptr) return std::nullopt;
    at = static_cast<std::size_t>(static_cast<const std::byte*>(next) - bytes.data());
    FoundMark mark;
    std::uint64_t position_once = 0;
    if (!format.is_mark(bytes.subspan(at, mark_bytes), position_once, mark.durable)) continue;
    mark.at = at;
    if (mark.durable > from) return mark;
  }
  return std::nullopt;
}

}  // namespace

Status refusal_of(HeaderState header, std::string_view path) {
  switch (header) {
    case HeaderState::whole:
    case HeaderState::torn: return {};
    case HeaderState::damaged:
      return Status::failure(Operation::read, path, EBADMSG, 0, "the Journal's header is damaged");
    case HeaderState::older:
      return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                             "the Journal has the older format \"sluice journal 1\", which this "
                             "version does not read");
    case HeaderState::other: break;
  }
  return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                         "the file is not a Journal with framing=length_crc32c, and was left as it "
                         "is: framing=raw appends to such a file, and a Reader reads it");
}

Status RecordScanner::read_header(HeaderState& state) {
  state = HeaderState::whole;
  if (position_ != 0) return {};
  bool has_more = false;
  if (Status status = look(journal_header_bytes + 1, has_more); !status.ok()) return status;
  state = state_of_header(pending());
  if (state == HeaderState::whole) {
    format_.emplace(id_in_header(pending()));
    take(journal_header_bytes);
  } else {
    end_ = begin_;  // the next call reads these bytes again: they may have been written meanwhile
  }
  return {};
}

Status RecordScanner::next(BytesView& payload, bool& found) {
  found = false;
  Status status = find(payload, found);
  // The next call reads these bytes again: they may have been written meanwhile.
  if (!found) end_ = begin_;
  return status;
}

Status RecordScanner::find(BytesView& payload, bool& found) {
  HeaderState header;
  if (Status status = read_header(header); !status.ok()) return status;
  if (header != HeaderState::whole) return refusal_of(header, file_.path());
  if (Status status = skip_marks(); !status.ok()) return status;

  bool there = false;
  if (Status status = look(record_head_bytes, there); !status.ok() || !there) return status;
  const std::size_t length = length_in_head(pending());
  if (length > Journal::max_record_bytes) return {};
  if (Status status = look(record_head_bytes + length, there); !status.ok() || !there) {
    return status;
  }
  payload = pending().subspan(record_head_bytes, length);
  const auto head = format_->head(position_, length, crc32c(0, payload));
  if (std::memcmp(head.data(), pending().data(), head.size()) != 0) return {};
  found = true;
  take(record_head_bytes + length);
  last_record_end_ = position_;
  return {};
}

Status RecordScanner::skip_marks() {
  for (;;) {
    bool there = false;
    if (Status status = look(mark_bytes, there); !status.ok() || !there) return status;
    std::uint64_t position = 0;
    std::uint64_t durable = 0;
    if (!format_->is_mark(pending().first(mark_bytes), position, durable)) return {};
    if (position != position_) return {};
    marked_ = durable;
    take(mark_bytes);
  }
}

void RecordScanner::take(std::size_t bytes) {
  begin_ += bytes;
  position_ += bytes;
}

// Reads until pending() has `bytes` bytes from position() on, or all bytes of a shorter file.
Status RecordScanner::look(std::size_t bytes, bool& there) {
  there = false;
  if (!make_room(bytes)) return no_memory(file_, position_);
  for (std::size_t got = 1; end_ - begin_ < bytes && got != 0; end_ += got) {
    const MutableBytesView room(block_.data() + end_, block_.bytes() - end_);
    const Status status = file_.read_at(position_ + (end_ - begin_), room, got);
    if (!status.ok()) return status;
  }
  there = end_ - begin_ >= bytes;
  return {};
}

// Makes room for `bytes` bytes after begin_, counting the pending ones.
bool RecordScanner::make_room(std::size_t bytes) {
  if (block_.bytes() - begin_ >= bytes) return true;
  const BytesView kept = pending();
  Block larger;
  if (block_.bytes() < bytes) {
    larger = Block::allocate(std::max(bytes, min_block_bytes));
    if (!larger) return false;
  }
  std::byte* target = larger ? larger.data() : block_.data();
  if (!kept.empty()) std::memmove(target, kept.data(), kept.size());
  if (larger) block_ = std::move(larger);
  begin_ = 0;
  end_ = kept.size();
  return true;
}

Status find_mark_beyond(os::File& file, const JournalFormat& format, std::uint64_t from,
                        std::optional<FoundMark>& mark) {
  mark.reset();
  const Block block = Block::allocate(min_block_bytes);
  if (!block) return no_memory(file, from);
  std::size_t kept = 0;  // of the bytes before `position`, because a mark may begin there
  for (std::uint64_t position = from;;) {
    std::size_t got = 0;
    const MutableBytesView room(block.data() + kept, block.bytes() - kept);
    if (Status status = file.read_at(position, room, got); !status.ok() || got == 0) return status;
    const BytesView bytes(block.data(), kept + got);
    mark = mark_within(bytes, format, from);
    if (mark) mark->at += position - kept;
    if (mark) return {};
    position += got;
    kept = std::min(bytes.size(), mark_bytes - 1);
    std::memmove(block.data(), bytes.data() + bytes.size() - kept, kept);
  }
}

}  // namespace sluice
