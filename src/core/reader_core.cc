#include "core/reader_core.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "core/read_to_end.h"
#include "os/file.h"
#include "os/guarded.h"
#include "os/memory.h"

namespace sluice {
namespace {

constexpr std::size_t first_block_bytes = 16 * 1024;
constexpr std::size_t block_growth = 4;
constexpr std::size_t cache_line_bytes = 64;

// The first fetch after a far seek has at most this many bytes, because another seek often follows.
// Each further fetch has `block_growth` times as many.
constexpr std::size_t fetched_bytes_after_seek = 512;

// Before the Reader reads ahead, so many blocks must have come in sequence. So a program that seeks
// often fetches at most an eighth of its bytes in vain.
constexpr std::uint64_t blocks_before_read_ahead = 8;

// A seek that misses the block by at most this many bytes is near. Reading this number of bytes
// takes about as long as a system call.
constexpr std::uint64_t near_bytes = os::page_bytes;

// A block of at least this size is filled in whole pages: the bytes come to the beginning of a page
// in memory, from the beginning of a page of the source. Other places may cost much. Where Linux
// copies by `rep movsb`, a Zen 3 takes about three times as long if the bytes come to an address
// that is 1 to 31 bytes further in its page than their position in the page of the file.
constexpr std::size_t whole_pages_from_bytes = 16 * os::page_bytes;

// The number of bytes to read at `position`, so that the next read begins at the beginning of a
// page. If a whole block has room, the next read begins at a multiple of the block's size: direct
// reads of 1 MiB that begin at other places are slower (docs/measurements.md, "Files that leave the
// cache alone").
std::size_t up_to_a_page(std::uint64_t position, std::size_t room, std::size_t block_bytes) {
  if (room < whole_pages_from_bytes) return room;
  const bool is_block = room == block_bytes && block_bytes % os::page_bytes == 0;
  return room - static_cast<std::size_t>((position + room) % (is_block ? room : os::page_bytes));
}

}  // namespace

// The functions that run for a read after a far seek are inline. Reading 8 bytes at a random
// position of a cached file takes 400 ns, and calls between these functions took 10 ns of them.

// The bytes that were fetched and not yet taken. After a failed fetch they lie after the window,
// which stays empty.
inline BytesView Reader::Core::pending(const Reader& reader) const {
  const bool is_hidden = limit_before_failed_fetch_ != nullptr;
  return {reader.cursor_, is_hidden ? limit_before_failed_fetch_ : reader.limit_};
}

inline std::uint64_t Reader::Core::take(Reader& reader, std::uint64_t bytes) {
  const std::uint64_t taken = std::min<std::uint64_t>(pending(reader).size(), bytes);
  reader.cursor_ += taken;
  if (reader.cursor_ > reader.limit_) {
    limit_position_ += taken;
    reader.limit_ = reader.cursor_;
  }
  return taken;
}

inline bool Reader::Core::is_after_far_seek() const {
  return max_fetched_bytes_ == fetched_bytes_after_seek;
}

// Hides the bytes in the block. Every call then takes the slow path and finds the failure.
bool Reader::Core::fail(Reader& reader, Status status) {
  if (!status_.ok()) return false;
  status_ = std::move(status);
  is_told_ = false;
  limit_position_ = reader.position();
  reader.limit_ = reader.cursor_;
  reader.newline_ = reader.newlines_end_ = nullptr;
  scanned_until_ = reader.cursor_;
  return false;
}

// Keeps the bytes that were fetched before the failure, for get, read, peek and skip.
bool Reader::Core::fail_fetch(Reader& reader, Status status) {
  limit_before_failed_fetch_ = reader.limit_;
  return fail(reader, std::move(status));
}

void Reader::Core::forget_failure() {
  status_ = {};
  limit_before_failed_fetch_ = nullptr;
}

// A program that goes on reading after close() must not take that for the end.
void Reader::Core::fail_if_closed() {
  if (closed_ && status_.ok()) status_ = closed_already(Operation::read);
}

bool Reader::Core::gives_nothing() {
  fail_if_closed();
  return ended_ || !status_.ok();
}

// Gives the next bytes of the source. Returns false at the end and on failure.
bool Reader::Core::fetch(Reader& reader, MutableBytesView into, std::size_t& got) {
  got = 0;
  if (gives_nothing()) return false;
  if (ahead_ && ahead_->take(limit_position_, into, got)) [[unlikely]] {
    limit_position_ += got;
    return true;
  }
  Status status =
      os::guarded_against_no_memory([&] { return source_->read(limit_position_, into, got); },
                                    [&] { return os::no_memory(source_->path()); });
  if (!status.ok()) [[unlikely]] {
    got = 0;
    // A Source that could not be opened has no place of its failure.
    const bool is_placed = status.offset() || status.operation() == Operation::open;
    return fail_fetch(reader, is_placed ? std::move(status) : status.at(limit_position_));
  }
  if (got > into.size()) [[unlikely]] {  // the program's own Source is wrong
    got = 0;
    return fail_fetch(reader,
                      Status::failure(Operation::read, source_->path(), EIO, limit_position_,
                                      "the Source reported more bytes than it was asked for"));
  }
  limit_position_ += got;
  ended_ = got == 0;
  return !ended_;
}

// Adds bytes after the pending bytes. Moves the pending bytes so that the cursor's address is a
// multiple of `alignment`. Returns false at the end and on failure. At the end the pending bytes
// are kept.
bool Reader::Core::refill(Reader& reader, std::size_t alignment) {
  if (gives_nothing()) return false;
  if (!take_block_ahead(reader, alignment) && !refill_from_source(reader, alignment)) return false;
  read_block_ahead();
  return true;
}

// Exchanges the block for the block that was read ahead. Does nothing if there is none, or if the
// pending bytes do not fit before it.
bool Reader::Core::take_block_ahead(Reader& reader, std::size_t alignment) {
  if (!ahead_) [[likely]]
    return false;
  const MutableBytesView bytes = ahead_->bytes_at(limit_position_);
  const auto pending = static_cast<std::size_t>(reader.limit_ - reader.cursor_);
  if (bytes.empty() || pending > ahead_->room_before()) return false;
  std::byte* const to = bytes.data() - pending;
  if (reinterpret_cast<std::uintptr_t>(to) % alignment != 0) return false;
  move_pending(reader, to, pending);
  ahead_->exchange(block_);
  reader.limit_ += bytes.size();
  limit_position_ += bytes.size();
  filled_block_ = bytes.size() == options_.block_bytes;
  return true;
}

// Blocks begin at multiples of their size, as those that are not read ahead.
void Reader::Core::read_block_ahead() {
  const std::size_t bytes = options_.block_bytes;
  if (options_.read_ahead == ReadAhead::off) return;
  if (limit_position_ < sequence_begin_ + blocks_before_read_ahead * bytes) return;
  if (limit_position_ % bytes != 0 || !source_->can_begin_read(limit_position_)) return;
  if (!ahead_) ahead_.reset(new (std::nothrow) BlockAhead(*source_));
  if (ahead_) ahead_->begin(limit_position_, bytes);
}

bool Reader::Core::refill_from_source(Reader& reader, std::size_t alignment) {
  if (!place_pending(reader, alignment)) return false;
  std::byte* into = block_.data() + (reader.limit_ - block_.data());
  const std::size_t left =
      std::min(static_cast<std::size_t>(block_.end() - into), options_.block_bytes);
  const bool is_in_sequence = max_fetched_bytes_ > options_.block_bytes;
  const std::size_t room =
      up_to_a_page(limit_position_, left, is_in_sequence ? options_.block_bytes : 0);
  std::size_t got;
  if (!fetch(reader, {into, std::min(room, max_fetched_bytes_)}, got)) return false;
  fetch_more_next_time();
  filled_block_ = got == room;
  reader.limit_ += got;
  return true;
}

void Reader::Core::fetch_more_next_time() {
  if (max_fetched_bytes_ <= options_.block_bytes) max_fetched_bytes_ *= block_growth;
}

// Moves the pending bytes so that there is room after them, into a larger block if that pays. In a
// large block the pending bytes end at a page boundary, so that the kernel copies whole pages
// after them.
bool Reader::Core::place_pending(Reader& reader, std::size_t alignment) {
  const auto pending = static_cast<std::size_t>(reader.limit_ - reader.cursor_);
  if (may_stay(reader, alignment)) return true;
  Block larger;
  if (const std::size_t wanted = wanted_bytes(pending); wanted > block_.bytes()) {
    larger = Block::allocate(wanted);
    if (!larger && pending == block_.bytes()) {
      return fail_fetch(
          reader, Status::failure(Operation::allocate, source_->path(), ENOMEM, limit_position_));
    }
  }
  const Block& block = larger ? larger : block_;
  const bool whole_pages =
      block.bytes() > whole_pages_from_bytes && pending + os::page_bytes < block.bytes();
  const std::size_t pending_end = whole_pages ? os::round_up(pending, os::page_bytes) : pending;
  const std::size_t begin = (pending_end - pending) & ~(alignment - 1);
  move_pending(reader, block.data() + begin, pending);
  if (larger) block_ = std::move(larger);
  return true;
}

// True if the pending bytes may stay in their place. Otherwise many pending bytes would be moved
// for each read of a Source that gives few bytes at a time.
bool Reader::Core::may_stay(const Reader& reader, std::size_t alignment) const {
  const auto pending = static_cast<std::size_t>(reader.limit_ - reader.cursor_);
  // A block that has grown for a long line does not need more room for the next fetch.
  const std::size_t much = std::min(block_.bytes(), options_.block_bytes) / 4;
  if (pending == 0 || pending < much) return false;
  const auto room = static_cast<std::size_t>(block_.end() - reader.limit_);
  return room > much && reinterpret_cast<std::uintptr_t>(reader.cursor_) % alignment == 0;
}

std::size_t Reader::Core::wanted_bytes(std::size_t pending) const {
  const std::size_t slack = options_.block_bytes >= whole_pages_from_bytes ? os::page_bytes : 0;
  const std::size_t full_bytes = options_.block_bytes + slack;
  if (!block_) return std::min(first_block_bytes, full_bytes);
  if (pending > block_.bytes() / 2) return block_.bytes() * 2;  // a line or record may be longer
  if (filled_block_) return std::min(block_.bytes() * block_growth, full_bytes);
  return block_.bytes();
}

void Reader::Core::move_pending(Reader& reader, std::byte* to, std::size_t pending) {
  // Bytes that were scanned without finding a newline need not be scanned again.
  std::size_t scanned = 0;
  if (reader.newline_ == reader.newlines_end_ && scanned_until_ > reader.cursor_) {
    scanned = std::min(static_cast<std::size_t>(scanned_until_ - reader.cursor_), pending);
  }
  if (pending > 0) std::memmove(to, reader.cursor_, pending);
  window_begin_ = reader.cursor_ = to;
  reader.limit_ = to + pending;
  reader.newline_ = reader.newlines_end_ = nullptr;
  scanned_until_ = to + scanned;
}

int Reader::Core::get(Reader& reader) {
  if (refill(reader)) return static_cast<int>(*reader.cursor_++);
  const std::byte* const next = reader.cursor_;
  return take(reader, 1) == 1 ? static_cast<int>(*next) : end;
}

bool Reader::Core::run_out_of_memory(Reader& reader) {
  return fail(reader,
              Status::failure(Operation::allocate, source_->path(), ENOMEM, reader.position()));
}

// Fetches the first bytes after a far seek, if `bytes` is small and the Source reads anywhere: the
// lines of the processor's cache that hold the bytes. The kernel copies whole lines faster than
// parts of them, and every further line may be one more wait for memory. A failure or the end is
// not reported here: the caller finds it again when it reads from the position itself.
void Reader::Core::fetch_lines_after_seek(Reader& reader, std::size_t bytes) {
  if (!reads_anywhere_.value_or(false)) return;
  if (bytes == 0 || bytes > fetched_bytes_after_seek || reader.cursor_ != reader.limit_) return;
  if (!status_.ok() || closed_ || ended_) return;
  if (!block_ && !place_pending(reader, 1)) return;
  const std::uint64_t position = limit_position_;
  const auto before = static_cast<std::size_t>(position % cache_line_bytes);
  const std::size_t wanted = os::round_up(before + bytes, cache_line_bytes);
  if (wanted > block_.bytes()) return;
  limit_position_ = position - before;
  std::size_t got;
  if (!fetch(reader, {block_.data(), wanted}, got) || got <= before) {
    forget_failure();
    limit_position_ = position;
    return;
  }
  window_begin_ = block_.data();
  reader.cursor_ = window_begin_ + before;
  reader.limit_ = window_begin_ + got;
  reader.newline_ = reader.newlines_end_ = nullptr;
  scanned_until_ = reader.cursor_;
  max_fetched_bytes_ *= block_growth;
}

std::size_t Reader::Core::read(Reader& reader, MutableBytesView into) {
  if (is_after_far_seek()) fetch_lines_after_seek(reader, into.size());
  std::size_t done = 0;
  for (;;) {
    const std::byte* const next = reader.cursor_;
    const std::size_t bytes = take(reader, into.size() - done);
    if (bytes > 0) std::memcpy(into.data() + done, next, bytes);
    done += bytes;
    if (done == into.size()) return done;
    // The block is empty. Bytes that would fill the block bypass it. More bytes than the next
    // fetch after a far seek would have bypass it too. Of a piece that the Source takes for large,
    // even a small rest bypasses the block, because the next piece may be as large.
    std::size_t got = 0;
    const MutableBytesView rest = into.subspan(done);
    const bool passes_block = into.size() >= bypass_bytes_ ||
                              rest.size() >= std::min(options_.block_bytes, max_fetched_bytes_);
    const bool more = passes_block ? fetch(reader, rest, got) : refill(reader);
    if (passes_block) {
      window_begin_ = reader.limit_;
      fetch_more_next_time();
    }
    done += got;
    if (!more) return done;
  }
}

BytesView Reader::Core::peek(Reader& reader, std::size_t bytes) {
  if (is_after_far_seek()) {
    fetch_lines_after_seek(reader, bytes);
    max_fetched_bytes_ = std::max(max_fetched_bytes_, bytes);
  }
  while (pending(reader).size() < bytes && refill(reader)) {
  }
  return pending(reader);
}

std::uint64_t Reader::Core::skip(Reader& reader, std::uint64_t bytes) {
  std::uint64_t left = bytes - take(reader, bytes);
  if (left > options_.block_bytes) skip_by_position(reader, left);
  do {
    left -= take(reader, left);
  } while (left > 0 && refill(reader));
  return bytes - left;
}

// The size of the source is only a hint. So this function also reads the last byte before the new
// position. If that byte does not exist, skip() passes the bytes by reading from the old position
// on.
void Reader::Core::skip_by_position(Reader& reader, std::uint64_t& left) {
  if (closed_ || ended_ || !status_.ok()) return;
  const std::uint64_t begin = limit_position_;
  std::uint64_t bytes = 0;
  if (!size(bytes).ok() || bytes <= begin) return;
  const std::uint64_t passed = std::min(left, bytes - begin) - 1;
  if (!go_to(reader, begin + passed).ok()) return;
  if (refill(reader)) {
    left -= passed;
  } else if (status_.ok()) {
    if (Status status = go_to(reader, begin); !status.ok()) fail(reader, std::move(status));
  } else {
    limit_position_ = begin;  // nothing was passed
  }
}

bool Reader::Core::ask_if_reads_anywhere() {
  reads_anywhere_ = os::guarded([&] { return source_->reads_anywhere(); }, [] { return false; });
  return *reads_anywhere_;
}

// Forgets the bytes in the block. The next byte comes from `position` of the source.
inline Status Reader::Core::go_to(Reader& reader, std::uint64_t position) {
  if (!reads_anywhere()) {
    Status status = os::guarded([&] { return source_->seek(position); },
                                [&] { return os::no_memory(source_->path()); });
    if (!status.ok()) return status;
  }
  window_begin_ = reader.cursor_ = reader.limit_;
  limit_position_ = sequence_begin_ = position;
  if (ahead_) [[unlikely]]
    ahead_->forget();
  ended_ = false;
  max_fetched_bytes_ = fetched_bytes_after_seek;
  return {};
}

// A program that seeks near once does so again, in both directions. So this function also reads
// bytes before the position, and more with every such seek: soon most positions lie in the block.
// Only a Source whose reads_anywhere() is true is read in this way, because another Source may fail
// for good when such a read fails. If the bytes before the position cannot be read, this failure is
// dropped, because the program has not asked for these bytes.
Status Reader::Core::go_near(Reader& reader, std::uint64_t position) {
  const std::size_t max_fetched_bytes = max_fetched_bytes_;
  const std::size_t bytes = std::min({max_fetched_bytes, options_.block_bytes, block_.bytes()});
  const std::size_t before = position < limit_position_ ? bytes - bytes / 4 : bytes / 4;
  const std::uint64_t begin = position - std::min<std::uint64_t>(before, position);
  if (!go_to(reader, begin).ok()) return go_to(reader, position);
  // At most a block: this read must reach the position, so it ends wherever its bytes end.
  max_fetched_bytes_ = std::min(max_fetched_bytes, options_.block_bytes);
  if (refill(reader) && take(reader, position - begin) == position - begin) return {};
  forget_failure();
  return go_to(reader, position);
}

inline bool Reader::Core::seek_in_block(Reader& reader, std::uint64_t position) {
  if (closed_ || !status_.ok()) return false;
  const auto in_block = static_cast<std::uint64_t>(reader.limit_ - window_begin_);
  // Wraps around if `position` is past the limit.
  const std::uint64_t before_limit = limit_position_ - position;
  if (position > limit_position_ || before_limit > in_block) return false;
  const std::byte* const to = reader.limit_ - before_limit;
  if (to < reader.cursor_) {
    reader.newline_ = reader.newlines_end_ = nullptr;
    scanned_until_ = to;
  }
  reader.cursor_ = to;
  ended_ = false;  // the file may have grown
  return true;
}

Status Reader::Core::seek(Reader& reader, std::uint64_t position) {
  if (seek_in_block(reader, position)) return {};
  if (!status_.ok()) return told_status();
  if (closed_) return closed_already(Operation::seek);
  if (position > os::max_position) {
    return Status::failure(Operation::seek, source_->path(), EFBIG, position);
  }
  const auto in_block = static_cast<std::uint64_t>(reader.limit_ - window_begin_);
  const std::uint64_t begin = limit_position_ - in_block;
  const bool is_near =
      in_block > 0 && position + near_bytes >= begin && position <= limit_position_ + near_bytes;
  return is_near && reads_anywhere() ? go_near(reader, position) : go_to(reader, position);
}

Status Reader::Core::seek_untold(Reader& reader, std::uint64_t position) {
  const bool was_told = has_failed() && is_told_;
  Status status = seek(reader, position);
  is_told_ = was_told;
  return status;
}

Status Reader::Core::size(std::uint64_t& bytes) {
  if (!source_) return told_status();  // the Reader was never opened
  if (closed_) return closed_already(Operation::stat);
  return os::guarded_status(source_->path(), [&] { return source_->size(bytes); });
}

Status Reader::Core::closed_already(Operation operation) const {
  return Status::failure(operation, source_->path(), EBADF, std::nullopt, "the Reader is closed");
}

[[gnu::flatten]] std::size_t Reader::Core::read_values(Reader& reader, MutableBytesView into,
                                                       std::size_t value_bytes) {
  if (!status_.ok()) return 0;
  const std::size_t got = read(reader, into);
  if (got == value_bytes && got == into.size()) return 1;  // without a division
  const std::size_t beyond = got % value_bytes;
  if (beyond != 0 && status_.ok())
    fail_partial(reader, "value", reader.position() - beyond, beyond, value_bytes);
  return got / value_bytes;
}

void Reader::Core::fail_partial(Reader& reader, std::string_view what, std::uint64_t position,
                                std::size_t bytes, std::size_t whole_bytes) {
  fail(reader, os::guarded_status(source_->path(), [&] {
         const std::string reason = "the input ends with " + std::to_string(bytes) + " of the " +
                                    std::to_string(whole_bytes) + " bytes of a " +
                                    std::string(what);
         return Status::failure(Operation::read, source_->path(), EBADMSG, position, reason);
       }));
}

// Takes the pending bytes from the block, and reads all others straight from the source.
template <typename Memory>
Status Reader::Core::read_rest(Reader& reader, Memory& out) {
  out.clear();
  if (closed_ && status_.ok()) return closed_already(Operation::read);
  if (!status_.ok()) return told_status();
  const BytesView pending(reader.cursor_, reader.limit_);
  std::uint64_t bytes = 0;
  const bool is_known = source_->size(bytes).ok() && bytes > limit_position_;
  const std::uint64_t expected = pending.size() + (is_known ? bytes - limit_position_ : 0) + 1;
  // The size is a hint: if there is no memory for so many bytes, there may be enough for the rest.
  os::guarded([&] { return reserve(out, expected); }, [] { return false; });
  if (!resize(out, pending.size())) {
    run_out_of_memory(reader);
    return told_status();
  }
  if (!pending.empty()) std::memcpy(data(out), pending.data(), pending.size());
  reader.cursor_ = window_begin_ = reader.limit_;
  Status read =
      read_to_end(source_->path(), out, [&](std::size_t, MutableBytesView into, std::size_t& got) {
        fetch(reader, into, got);
        return status_;
      });
  if (!read.ok()) fail(reader, read.at(limit_position_));  // no memory, or an earlier failure
  return told_status();
}

BytesView Reader::Core::take_records(Reader& reader, std::size_t record_bytes,
                                     std::size_t alignment) {
  if (!status_.ok()) return {};
  const bool aligned = reinterpret_cast<std::uintptr_t>(reader.cursor_) % alignment == 0;
  if (!aligned && !place_pending(reader, alignment)) return {};
  const auto pending = [&] { return static_cast<std::size_t>(reader.limit_ - reader.cursor_); };
  while (pending() < record_bytes && refill(reader, alignment)) {
  }
  const std::size_t whole_bytes = pending() / record_bytes * record_bytes;
  if (whole_bytes == 0 && pending() > 0) {
    fail_partial(reader, "record", reader.position(), pending(), record_bytes);
  }
  const BytesView records(reader.cursor_, whole_bytes);
  reader.cursor_ += whole_bytes;
  return records;
}

Status Reader::Core::close(Reader& reader) {
  if (closed_) return close_result_;
  closed_ = true;
  ahead_.reset();
  if (Status status = source_->close(); !status.ok()) fail(reader, std::move(status));
  limit_position_ = reader.position();
  window_begin_ = reader.cursor_ = reader.limit_ = nullptr;
  reader.newline_ = reader.newlines_end_ = nullptr;
  scanned_until_ = nullptr;  // otherwise next_line() would scan the lost block
  limit_behind_bad_number_ = limit_before_failed_fetch_ = nullptr;
  block_ = Block();
  newlines_.reset();
  close_result_ = status_;
  return close_result_;
}

template Status Reader::Core::read_rest(Reader& reader, std::string& out);
template Status Reader::Core::read_rest(Reader& reader, Bytes& out);

}  // namespace sluice
