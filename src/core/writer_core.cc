#include "core/writer_core.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "core/sink_write.h"
#include "core/writing_threads.h"
#include "os/failed_call.h"
#include "os/file.h"
#include "os/guarded.h"
#include "os/memory.h"

namespace sluice {
namespace {

constexpr std::size_t first_block_bytes = 1024;  // small enough for malloc's per-thread cache
constexpr std::size_t block_growth = 8;  // 1, 8, 64, 256 KiB: growing copies 73 KiB in total

// WriteBehind::automatic hands over only blocks of at least this size: a smaller block is not worth
// the two switches between threads (about 5 us).
constexpr std::size_t min_write_behind_block_bytes = 64 * 1024;

// The caller's thread writes a payload that is gathered. A program that asks for write-behind wants
// the other thread to write, and this is worth a copy. A copy also saves a call where the pending
// bytes and the payload cannot leave in one call, or where the Sink wants full blocks.
std::size_t min_gathered_bytes(Sink& sink, std::size_t alignment, const WriterOptions& options) {
  const bool is_asked_for = options.write_behind == WriteBehind::on;
  const bool is_aligned = alignment > 1;
  if (is_aligned || is_asked_for || !os::gathers || sink.wants_full_blocks()) {
    return options.block_bytes;
  }
  return std::max<std::size_t>(options.block_bytes / 16, 1);
}

// The bytes of a staged Sink become visible and durable at close() or never, so an earlier sync
// would gain nothing.
Durability durability_of(Sink& sink, const WriterOptions& options) {
  return sink.is_staged() ? Durability::none : std::max(options.durability, sink.durability());
}

}  // namespace

Writer::Core::Core(std::unique_ptr<Sink> sink, const WriterOptions& options)
    : sink_(std::move(sink)),
      options_(options),
      durability_(durability_of(*sink_, options)),
      alignment_(std::max<std::size_t>(sink_->block_alignment(), 1)),
      gather_bytes_(min_gathered_bytes(*sink_, alignment_, options)),
      begin_position_(sink_->start_position()) {}

// Keeps the first failure. From here on every call takes the slow path and finds the failure.
bool Writer::Core::fail(Writer& writer, Status status) {
  drop_window(writer);
  if (!status_.ok()) return false;
  begin_position_ = status.offset().value_or(begin_position_);
  status_ = std::move(status);
  is_told_ = false;
  return false;
}

// The pending bytes have not reached the Sink, so the failure names the first of them. A Writer
// that could not be opened has failed already, and has no Sink.
bool Writer::Core::run_out_of_memory(Writer& writer) {
  if (!status_.ok() || !drain(writer)) return false;
  return fail(writer, Status::failure(Operation::allocate, sink_->path(), ENOMEM, begin_position_));
}

void Writer::Core::drop_window(Writer& writer) {
  begin_position_ += static_cast<std::uint64_t>(writer.cursor_ - writer.begin_);
  writer.begin_ = writer.cursor_ = writer.limit_ = nullptr;
  end_reservation(writer);
  block_ = Block();
}

bool Writer::Core::is_usable(Writer& writer) {
  if (!status_.ok()) return false;
  if (closed_)
    return fail(writer, Status::failure(Operation::write, sink_->path(), EBADF, begin_position_,
                                        "the Writer is closed"));
  if (!is_parents()) return true;
  return fail(writer,
              Status::failure(Operation::write, sink_->path(), ECANCELED, begin_position_,
                              "a forked child cannot write: the Writer belongs to its parent"));
}

// Makes the first block when the first byte comes, so that opening costs no block.
bool Writer::Core::prepare(Writer& writer) {
  if (!is_usable(writer)) return false;
  if (prepared_) return true;
  block_ = Block::allocate(std::min(first_block_bytes, options_.block_bytes));
  if (!block_) {
    return fail(writer,
                Status::failure(Operation::allocate, sink_->path(), ENOMEM, begin_position_));
  }
  by_lines_ = sink_->wants_lines();
  has_window_ = !by_lines_ && durability_ != Durability::every_write;
  prepared_ = true;
  place_window(writer, 0);
  return true;
}

// Places the window over a block that holds `pending` bytes. A large block ends at a page boundary
// of the target, so that after a flush or a gather the blocks are aligned again. If the Sink wants
// lines, or if each write is to be durable, this class must see every byte: then the window has no
// room.
void Writer::Core::place_window(Writer& writer, std::size_t pending) {
  const bool align = block_.bytes() > 2 * os::page_bytes;
  const auto beyond_page = static_cast<std::size_t>(begin_position_ % os::page_bytes);
  writer.begin_ = block_.data();
  writer.cursor_ = writer.begin_ + pending;
  end_reservation(writer);
  writer.limit_ = std::max(writer.cursor_, block_.end() - (align ? beyond_page : 0));
  if (!has_window_) writer.limit_ = writer.cursor_;
}

bool Writer::Core::write(Writer& writer, BytesView data) {
  if (data.empty()) return is_usable(writer);
  if (!prepare(writer)) {
    refuse_bytes();
    return false;
  }
  if (durability_ == Durability::every_write) return emit(writer, data) && sync_each_write(writer);
  if (by_lines_) return write_lines(writer, data);
  const bool leaves = data.size() >= gather_bytes_ && may_gather(writer, data);
  return leaves ? gather(writer, data) : copy(writer, data);
}

// A Sink that wants aligned blocks gets the caller's memory only if it is such a block.
bool Writer::Core::may_gather(const Writer& writer, BytesView data) const {
  if (alignment_ == 1) return true;
  const auto pending = static_cast<std::size_t>(writer.cursor_ - writer.begin_);
  return begin_position_ % alignment_ == 0 && pending % alignment_ == 0 &&
         reinterpret_cast<std::uintptr_t>(data.data()) % alignment_ == 0;
}

// The part of the payload after the last alignment boundary of the target is copied into the block.
// It leaves with the bytes that follow. (On ext4 a sequence of 60 KiB writes costs 1.55 times the
// processor time of aligned 256 KiB writes if it is unaligned, and 1.25 times if it is aligned to
// 16 KiB.)
bool Writer::Core::gather(Writer& writer, BytesView data) {
  if (!os::gathers) data = fill_block(writer, data);
  const auto pending = static_cast<std::uint64_t>(writer.cursor_ - writer.begin_);
  const std::uint64_t beyond = (begin_position_ + pending + data.size()) % gather_bytes_;
  // A file that one call writes leaves in one call, where one call can write it.
  const bool is_whole = os::gathers && alignment_ == 1 && begin_position_ + pending == 0;
  const auto kept = is_whole ? 0 : std::min(static_cast<std::size_t>(beyond), data.size());
  return drain(writer) && emit(writer, data.first(data.size() - kept)) &&
         copy(writer, data.last(kept));
}

// Fills the block that has pending bytes, so that it leaves full-grown and full. Returns the rest
// of the payload.
BytesView Writer::Core::fill_block(Writer& writer, BytesView data) {
  if (writer.cursor_ == writer.begin_) return data;
  if (block_.bytes() < options_.block_bytes) grow(writer, options_.block_bytes);
  const auto room = static_cast<std::size_t>(writer.limit_ - writer.cursor_);
  const std::size_t bytes = std::min(room, data.size());
  std::memcpy(writer.cursor_, data.data(), bytes);
  writer.cursor_ += bytes;
  return data.subspan(bytes);
}

bool Writer::Core::copy(Writer& writer, BytesView data) {
  while (!data.empty()) {
    if (writer.cursor_ == writer.limit_ && !make_room(writer, data.size())) return false;
    const auto room = static_cast<std::size_t>(writer.limit_ - writer.cursor_);
    const std::size_t bytes = std::min(room, data.size());
    std::memcpy(writer.cursor_, data.data(), bytes);
    writer.cursor_ += bytes;
    data = data.subspan(bytes);
  }
  return true;
}

// Writes for a Sink that wants lines, such as a terminal's. Complete lines leave at once. The
// beginning of a line leaves when its end comes, when the block is full, or at a flush.
bool Writer::Core::write_lines(Writer& writer, BytesView data) {
  const auto newline = std::find(data.rbegin(), data.rend(), std::byte{'\n'});
  const auto complete_bytes = static_cast<std::size_t>(data.rend() - newline);
  if (complete_bytes > 0 && !emit(writer, data.first(complete_bytes))) return false;
  const BytesView rest = data.subspan(complete_bytes);
  const auto room = static_cast<std::size_t>(block_.end() - writer.cursor_);
  if (rest.size() > room) return emit(writer, rest);
  if (!rest.empty()) std::memcpy(writer.cursor_, rest.data(), rest.size());
  place_window(writer, static_cast<std::size_t>(writer.cursor_ - writer.begin_) + rest.size());
  return true;
}

// Makes room after the pending bytes: for `bytes` bytes, if the block may still grow that far.
bool Writer::Core::make_room(Writer& writer, std::size_t bytes) {
  if (block_.bytes() < options_.block_bytes && grow(writer, bytes)) return true;
  return emit_full_block(writer);
}

bool Writer::Core::grow(Writer& writer, std::size_t bytes) {
  const auto pending = static_cast<std::size_t>(writer.cursor_ - writer.begin_);
  const std::size_t wanted = std::max(block_.bytes() * block_growth, pending + bytes);
  Block larger = Block::allocate(std::min(wanted, options_.block_bytes));
  if (!larger) return false;  // without memory the smaller block is used
  std::memcpy(larger.data(), writer.begin_, pending);
  block_ = std::move(larger);
  place_window(writer, pending);
  return true;
}

bool Writer::Core::emit_full_block(Writer& writer) {
  if (!may_write_behind()) return emit(writer, {});
  if (options_.write_behind == WriteBehind::on) return hand_over(writer);
  return emit_the_faster_way(writer);
}

// The first block is not timed, because it is not known when filling it began.
bool Writer::Core::emit_the_faster_way(Writer& writer) {
  const os::Clock::time_point filled = os::now();
  note_full_block(filled);
  if (writing_threads(filled) >= os::processors()) choice_.write_here();
  const bool behind = choice_.way() == WriteBehindChoice::Way::behind;
  if (!(behind ? hand_over(writer) : drain(writer) && emit(writer, {}))) return false;
  const os::Clock::time_point left = os::now();
  if (last_block_left_) choice_.block_left(filled - *last_block_left_, left - filled);
  last_block_left_ = left;
  return true;
}

bool Writer::Core::hand_over(Writer& writer) {
  if (!in_flight_) {
    in_flight_.reset(new (std::nothrow) BlocksInFlight(*sink_, options_.blocks_in_flight));
    if (in_flight_ && !in_flight_->is_usable()) in_flight_.reset();
    if (!in_flight_) return emit(writer, {});  // no memory
  }
  const auto bytes = static_cast<std::size_t>(writer.cursor_ - writer.begin_);
  Status status = in_flight_->exchange(block_, bytes, begin_position_);
  if (!status.ok()) return fail(writer, std::move(status));
  begin_position_ += bytes;
  place_window(writer, 0);
  return true;
}

bool Writer::Core::may_write_behind() {
  if (block_.bytes() < options_.block_bytes || !has_window_) return false;
  if (!may_write_behind_) {
    const bool is_asked_for = options_.write_behind == WriteBehind::on;
    const bool may_pay = options_.write_behind == WriteBehind::automatic &&
                         options_.block_bytes >= min_write_behind_block_bytes &&
                         os::processors() > 1;
    may_write_behind_ = (is_asked_for || may_pay) && sink_->allows_write_behind();
    if (*may_write_behind_ && sink_->is_compute_bound()) choice_.begin_behind();
  }
  return *may_write_behind_;
}

// Writes the pending bytes and then `payload`, in one call. No block may be in flight.
bool Writer::Core::emit(Writer& writer, BytesView payload) {
  const BytesView pending(writer.begin_, writer.cursor_);
  const BytesView pieces[] = {pending, payload};
  if (!pending.empty() || !payload.empty()) {
    Status status = write_to_sink(*sink_, begin_position_, pieces);
    if (!status.ok()) return fail(writer, std::move(status));
  }
  begin_position_ += pending.size() + payload.size();
  if (block_) place_window(writer, 0);
  return true;
}

bool Writer::Core::drain(Writer& writer) {
  if (!in_flight_) return true;
  Status status = in_flight_->drain();
  return status.ok() || fail(writer, std::move(status));
}

MutableBytesView Writer::Core::reserve(Writer& writer, std::size_t bytes) {
  end_reservation(writer);
  if (bytes > options_.block_bytes || !prepare(writer)) return {};
  const auto room = [&] { return static_cast<std::size_t>(block_.end() - writer.cursor_); };
  while (room() < bytes) {
    const bool empty = writer.cursor_ == writer.begin_;
    if (!make_room(writer, bytes)) return {};
    if (empty && room() < bytes) {  // the block could not grow, and has nothing to emit
      fail(writer, Status::failure(Operation::allocate, sink_->path(), ENOMEM, begin_position_));
      return {};
    }
  }
  // The room may reach past the page boundary at which the window would have ended.
  if (has_window_) writer.limit_ = std::max(writer.limit_, writer.cursor_ + bytes);
  // Without a window reserved_at_ must differ from the cursor, so that every commit() takes the
  // slow path and comes to this class.
  writer.reserved_at_ = has_window_ ? writer.cursor_ : nullptr;
  writer.reserved_bytes_ = bytes;
  return {writer.cursor_, bytes};
}

// Accepts bytes that the program has built after the cursor, in the room that reserve() gave. The
// fast path comes here if the window has no room, or if the commit is a mistake.
void Writer::Core::commit(Writer& writer, std::size_t bytes) {
  if (bytes == 0) return;
  if (!is_usable(writer)) return refuse_bytes();
  if (const std::size_t reserved = reserved_bytes(writer); bytes > reserved) {
    return refuse_commit(writer, bytes, reserved);
  }
  const BytesView built(writer.cursor_, bytes);
  const bool has_line = std::find(built.begin(), built.end(), std::byte{'\n'}) != built.end();
  place_window(writer, static_cast<std::size_t>(writer.cursor_ - writer.begin_) + bytes);
  if (durability_ == Durability::every_write) {
    if (emit(writer, {})) sync_each_write(writer);
  } else if (has_line) {
    emit(writer, {});
  }
}

// Without a window every accepted byte passes through this class, which then ends the reservation.
// So a reservation that was not ended still counts.
std::size_t Writer::Core::reserved_bytes(const Writer& writer) const {
  return has_window_ && writer.reserved_at_ != writer.cursor_ ? 0 : writer.reserved_bytes_;
}

void Writer::Core::end_reservation(Writer& writer) {
  writer.reserved_at_ = nullptr;
  writer.reserved_bytes_ = 0;
}

// The assertion stands here and not in the header. In the header the program's own NDEBUG would
// decide, and two files of the program could have two definitions of one function.
void Writer::Core::refuse_commit(Writer& writer, std::size_t bytes, std::size_t reserved) {
  assert(!"sluice::Writer::commit of more bytes than are reserved");
  if (!drain(writer) || !emit(writer, {})) return;
  const std::string reason =
      "commit of " + std::to_string(bytes) + " bytes, but " +
      (reserved != 0 ? "only " + std::to_string(reserved) + " are reserved"
                     : "no room is reserved, or a later call has ended the reservation");
  fail(writer, Status::failure(Operation::write, sink_->path(), EINVAL, begin_position_, reason));
}

// The bytes that were accepted before a call that makes no sense are written.
bool Writer::Core::refuse_call(Writer& writer, int code, std::string_view reason) {
  refuse_bytes();
  if (!is_usable(writer) || !drain(writer) || !emit(writer, {})) return false;
  return fail(writer,
              Status::failure(Operation::write, sink_->path(), code, begin_position_, reason));
}

// Positions and sizes are added up. No sum may be larger than the kernel's largest position.
Status Writer::Core::refuse_beyond(Operation operation, std::uint64_t position,
                                   std::size_t bytes) const {
  if (position <= os::max_position && bytes <= os::max_position - position) return {};
  return Status::failure(operation, sink_->path(), EFBIG, position);
}

bool Writer::Core::patch_block(Writer& writer, std::uint64_t position, BytesView bytes) {
  if (position < begin_position_ || bytes.empty() || is_parents()) return false;
  const std::uint64_t offset = position - begin_position_;
  const auto pending = static_cast<std::uint64_t>(writer.cursor_ - writer.begin_);
  if (offset > pending || bytes.size() > pending - offset) return false;
  std::memcpy(writer.begin_ + offset, bytes.data(), bytes.size());
  return true;
}

// The bytes do not all lie in the block: see patch_block(). Flattened for the reason that os/file.h
// gives at read_at().
[[gnu::flatten]] Status Writer::Core::write_at(Writer& writer, std::uint64_t position,
                                               BytesView bytes) {
  if (!is_usable(writer) || bytes.empty()) return status_;
  if (Status status = refuse_beyond(Operation::write, position, bytes.size()); !status.ok()) {
    return status;
  }
  return patch_target(writer, position, bytes);
}

// The pending bytes leave first, unless all of `bytes` come before them. If such a patch fails, the
// pending bytes leave after the failure. So after a failure all bytes that were accepted before the
// byte that the failure names are in the target.
Status Writer::Core::patch_target(Writer& writer, std::uint64_t position, BytesView bytes) {
  if (!drain(writer)) return status_;
  const bool comes_before = position + bytes.size() <= begin_position_;
  Status status = comes_before ? Status() : ask_for_patches(position);
  if (status.code().value() == ESPIPE) return status;
  if (!comes_before && !emit(writer, {})) return status_;
  std::size_t written = 0;
  if (status.ok()) status = patch_sink(*sink_, position, bytes, written);
  if (status.code().value() == ESPIPE && written == 0) return status;
  if (!status.ok()) {
    if (emit(writer, {})) fail(writer, std::move(status));
  } else if (durability_ == Durability::every_write) {
    sync_each_write(writer);
  }
  return status_;
}

// The Sink is asked before the pending bytes leave, because a refusal must leave them, and the room
// that reserve() gave, where they are. A patch of no bytes changes nothing.
Status Writer::Core::ask_for_patches(std::uint64_t position) {
  if (takes_patches_) return {};
  std::size_t written = 0;
  Status status = patch_sink(*sink_, position, {}, written);
  takes_patches_ = status.ok();
  return status;
}

// Asks the Sink before the pending bytes leave, as ask_for_patches() does. A seek to the place of
// the next byte changes nothing.
Status Writer::Core::ask_for_seeks() {
  if (takes_seeks_) return {};
  Status status = seek_sink(begin_position_);
  takes_seeks_ = status.ok();
  return status;
}

Status Writer::Core::seek_sink(std::uint64_t position) {
  return os::guarded_status(sink_->path(), [&] { return sink_->seek(position); });
}

Status Writer::Core::seek(Writer& writer, std::uint64_t position) {
  if (!is_usable(writer)) return status_;
  if (Status status = refuse_beyond(Operation::seek, position, 0); !status.ok()) return status;
  if (!drain(writer)) return status_;
  Status status = ask_for_seeks();
  if (status.code().value() == ESPIPE) return status.at(position);
  if (!emit(writer, {})) return status_;
  if (status.ok()) status = seek_sink(position);
  if (status.code().value() == ESPIPE || status.code().value() == EFBIG) return status.at(position);
  if (!status.ok()) {
    // A program that does not look at the result would write the next bytes to a wrong place.
    fail(writer, status.at(position));
    return status_;
  }
  begin_position_ = position;
  if (block_) place_window(writer, 0);
  return {};
}

// A Sink whose writes are durable by themselves has nothing to sync here. If the target cannot be
// made durable at all, this failure is final too, because the Writer could not keep its promise.
bool Writer::Core::sync_each_write(Writer& writer) {
  Status status = sink_->sync();
  return status.ok() || fail(writer, std::move(status));
}

Status Writer::Core::flush(Writer& writer, FlushTo to) {
  if (closed_ && status_.ok()) {
    return Status::failure(Operation::flush, sink_->path(), EBADF, std::nullopt,
                           "the Writer is closed");
  }
  if (!is_usable(writer) || !drain(writer) || !emit(writer, {})) return status_;
  if (to == FlushTo::storage || durability_ == Durability::every_flush) {
    Status status = sink_->sync();
    if (os::is_unsupported_sync(status) || os::is_failed_directory_sync(status)) return status;
    if (!status.ok()) fail(writer, std::move(status));
  }
  return status_;
}

}  // namespace sluice
