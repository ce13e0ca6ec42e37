#include "sluice/writer.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <new>
#include <optional>
#include <utility>

#include "backend/options.h"
#include "core/block.h"
#include "core/blocks_in_flight.h"
#include "core/lost_error.h"
#include "core/sink_write.h"
#include "core/write_behind_choice.h"
#include "core/writing_threads.h"
#include "os/cancellation.h"
#include "os/clock.h"
#include "os/guarded.h"
#include "os/never_destroyed.h"
#include "os/process.h"

namespace sluice {
namespace {

constexpr std::size_t first_block_bytes = 1024;  // small enough for malloc's per-thread cache
constexpr std::size_t block_growth = 8;          // 1, 8, 64, 256 KiB: 73 KiB copied in all
constexpr std::size_t page_bytes = 4096;

// Write-behind by itself: a block must be worth the two switches between threads (about 5 us).
constexpr std::size_t least_write_behind_block_bytes = 64 * 1024;

Status already_open(std::string_view path) {
  return Status::failure(Operation::open, path, EBUSY, std::nullopt, "the Writer is open already");
}

// A payload that is gathered is written by the caller's thread. Who asks for write-behind wants the
// other thread to write, which pays for a copy.
std::size_t least_gathered_bytes(const WriterOptions& options) {
  if (options.write_behind == WriteBehind::on) return options.block_bytes;
  return std::max<std::size_t>(options.block_bytes / 16, 1);
}

// The target cannot be made durable at all; nothing was lost.
bool is_unsupported_sync(const Status& status) {
  if (status.ok() || status.operation() != Operation::sync) return false;
  const int code = status.code().value();
  return code == EINVAL || code == ENOTSUP || code == ENOSYS;
}

// Everything is in place, and only the name may not survive.
bool has_to_sync_directory(const Status& status) {
  return !status.ok() && status.operation() == Operation::sync_directory;
}

// What is staged shows, and survives, at close() or never: syncing on the way would gain nothing.
Durability durability_of(Sink& sink, const WriterOptions& options) {
  return sink.is_staged() ? Durability::none : options.durability;
}

Status no_sink() {
  return Status::failure(Operation::open, "(no Sink)", ENOMEM, std::nullopt,
                         "a Sink is null where there was no memory for it");
}

const Status& never_opened() {
  // Writers with static lifetime may ask for it at exit.
  static os::NeverDestroyed<Status> status(Status::failure(Operation::write, "(nothing)", EBADF,
                                                           std::nullopt, "the Writer is not open"));
  return status.get();
}

}  // namespace

// The cold half of a Writer. It owns the Sink, the block and what is in flight, and moves the
// window [begin, limit) of the Writer's own three pointers over the block.
class Writer::Core {
 public:
  Core(std::unique_ptr<Sink> sink, const WriterOptions& options)
      : sink_(std::move(sink)),
        options_(options),
        durability_(durability_of(*sink_, options)),
        gather_bytes_(least_gathered_bytes(options)),
        fork_generation_(os::fork_generation()),
        begin_position_(sink_->start_position()) {}

  // A Writer that could not be opened: closed, with the failure for every call to find.
  explicit Core(const Status& failure) : status_(failure), closed_(true), close_result_(failure) {}

  const Status& status() const { return status_; }
  bool is_open() const { return !closed_; }
  bool is_parents() const { return fork_generation_ != os::fork_generation(); }
  std::uint64_t begin_position() const { return begin_position_; }

  bool write(Writer& writer, ConstBytes data);
  MutableBytes reserve(Writer& writer, std::size_t bytes);
  void commit(Writer& writer, std::size_t bytes);
  Status flush(Writer& writer, FlushTo to);
  Status close(Writer& writer);
  Status discard(Writer& writer);
  // What becomes of an open Writer that is destroyed: ok when nothing is lost.
  Status abandon(Writer& writer);
  // What becomes of a call that std::bad_alloc has ended: false.
  bool run_out_of_memory(Writer& writer);

 private:
  bool is_usable(Writer& writer);
  bool prepare(Writer& writer);
  bool gather(Writer& writer, ConstBytes data);
  bool copy(Writer& writer, ConstBytes data);
  bool write_lines(Writer& writer, ConstBytes data);
  bool make_room(Writer& writer, std::size_t bytes);
  bool grow(Writer& writer, std::size_t bytes);
  bool emit_full_block(Writer& writer);
  bool emit(Writer& writer, ConstBytes payload);
  bool emit_the_faster_way(Writer& writer);
  bool hand_over(Writer& writer);
  bool may_write_behind();
  bool drain(Writer& writer);
  std::size_t reserved_bytes(const Writer& writer) const;
  static void end_reservation(Writer& writer);
  void refuse_commit(Writer& writer, std::size_t bytes, std::size_t reserved);
  bool sync_each_write(Writer& writer);
  Status close_sink(Writer& writer);
  Status sync_directory_again();
  bool fail(Writer& writer, Status status);
  void place_window(Writer& writer, std::size_t pending);
  void drop_window(Writer& writer);

  std::unique_ptr<Sink> sink_;
  const WriterOptions options_;
  const Durability durability_ = Durability::none;
  const std::size_t gather_bytes_ = 0;  // from this size on payloads are not copied: gather()
  const unsigned fork_generation_ = os::fork_generation();
  Status status_;
  bool closed_ = false;
  Status close_result_;
  bool prepared_ = false;  // there is a block, and by_lines_ is known
  bool by_lines_ = false;
  bool has_window_ = true;  // false where every byte has to be looked at: lines, every_write
  Block block_;
  std::uint64_t begin_position_ = 0;      // of the Writer's begin_ in the target
  std::optional<bool> may_write_behind_;  // unknown until the block is full-grown
  WriteBehindChoice choice_;              // with WriteBehind::automatic
  std::optional<os::Clock::time_point> last_block_left_;
  std::unique_ptr<BlocksInFlight> in_flight_;  // after sink_, which it uses to the last
};

// Keeps the first failure. Every call takes the slow path from here on, and finds it.
bool Writer::Core::fail(Writer& writer, Status status) {
  drop_window(writer);
  if (!status_.ok()) return false;
  begin_position_ = status.offset().value_or(begin_position_);
  status_ = std::move(status);
  return false;
}

// What is pending has not reached the Sink.
bool Writer::Core::run_out_of_memory(Writer& writer) {
  if (!drain(writer)) return false;
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
  return fail(writer, Status::failure(Operation::write, sink_->path(), ECANCELED, begin_position_,
                                      "the Writer belongs to the process that opened it"));
}

// What open() leaves to the first byte, so that opening costs no block.
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

// The window over a block that holds `pending` bytes. A large block ends at a page boundary of the
// target, so that after a flush or a gather blocks are aligned again. Lines, and writes that are
// each to be durable, need to see every byte: their window has no room.
void Writer::Core::place_window(Writer& writer, std::size_t pending) {
  const bool align = block_.bytes() > 2 * page_bytes;
  const auto beyond_page = static_cast<std::size_t>(begin_position_ % page_bytes);
  writer.begin_ = block_.data();
  writer.cursor_ = writer.begin_ + pending;
  end_reservation(writer);
  writer.limit_ = std::max(writer.cursor_, block_.end() - (align ? beyond_page : 0));
  if (!has_window_) writer.limit_ = writer.cursor_;
}

bool Writer::Core::write(Writer& writer, ConstBytes data) {
  if (data.empty()) return is_usable(writer);
  if (!prepare(writer)) return false;
  if (durability_ == Durability::every_write) return emit(writer, data) && sync_each_write(writer);
  if (by_lines_) return write_lines(writer, data);
  return data.size() >= gather_bytes_ ? gather(writer, data) : copy(writer, data);
}

// The end of the payload that lies beyond an alignment boundary of the target is copied after all:
// it leaves with what follows. (On ext4 an unaligned sequence of 60 KiB writes costs 1.55 times the
// processor time of aligned 256 KiB ones, one aligned to 16 KiB 1.25 times.)
bool Writer::Core::gather(Writer& writer, ConstBytes data) {
  const auto pending = static_cast<std::uint64_t>(writer.cursor_ - writer.begin_);
  const std::uint64_t beyond = (begin_position_ + pending + data.size()) % gather_bytes_;
  const auto kept = static_cast<std::size_t>(beyond);
  return drain(writer) && emit(writer, data.first(data.size() - kept)) &&
         copy(writer, data.last(kept));
}

bool Writer::Core::copy(Writer& writer, ConstBytes data) {
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

// A terminal: what is complete leaves at once, the beginning of a line when its end comes, when the
// block is full or at a flush.
bool Writer::Core::write_lines(Writer& writer, ConstBytes data) {
  const auto newline = std::find(data.rbegin(), data.rend(), std::byte{'\n'});
  const auto complete_bytes = static_cast<std::size_t>(data.rend() - newline);
  if (complete_bytes > 0 && !emit(writer, data.first(complete_bytes))) return false;
  const ConstBytes rest = data.subspan(complete_bytes);
  const auto room = static_cast<std::size_t>(block_.end() - writer.cursor_);
  if (rest.size() > room) return emit(writer, rest);
  if (!rest.empty()) std::memcpy(writer.cursor_, rest.data(), rest.size());
  place_window(writer, static_cast<std::size_t>(writer.cursor_ - writer.begin_) + rest.size());
  return true;
}

// Makes room behind what is pending, for `bytes` if the block may still grow that far.
bool Writer::Core::make_room(Writer& writer, std::size_t bytes) {
  if (block_.bytes() < options_.block_bytes && grow(writer, bytes)) return true;
  return emit_full_block(writer);
}

bool Writer::Core::grow(Writer& writer, std::size_t bytes) {
  const auto pending = static_cast<std::size_t>(writer.cursor_ - writer.begin_);
  const std::size_t wanted = std::max(block_.bytes() * block_growth, pending + bytes);
  Block larger = Block::allocate(std::min(wanted, options_.block_bytes));
  if (!larger) return false;  // the smaller block serves as well
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

// The first block is not timed: nobody knows when filling it began.
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
                         options_.block_bytes >= least_write_behind_block_bytes &&
                         os::processors() > 1;
    may_write_behind_ = (is_asked_for || may_pay) && sink_->allows_write_behind();
  }
  return *may_write_behind_;
}

// Writes what is pending and then `payload`, in one call. Nothing may be in flight.
bool Writer::Core::emit(Writer& writer, ConstBytes payload) {
  const ConstBytes pending(writer.begin_, writer.cursor_);
  const ConstBytes pieces[] = {pending, payload};
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

MutableBytes Writer::Core::reserve(Writer& writer, std::size_t bytes) {
  end_reservation(writer);
  if (bytes > options_.block_bytes || !prepare(writer)) return {};
  const auto room = [&] { return static_cast<std::size_t>(block_.end() - writer.cursor_); };
  while (room() < bytes) {
    const bool empty = writer.cursor_ == writer.begin_;
    if (!make_room(writer, bytes)) return {};
    if (empty && room() < bytes) {  // it could not grow, and emitting nothing gains nothing
      fail(writer, Status::failure(Operation::allocate, sink_->path(), ENOMEM, begin_position_));
      return {};
    }
  }
  // Past the page boundary where the window would have ended, if need be.
  if (has_window_) writer.limit_ = std::max(writer.limit_, writer.cursor_ + bytes);
  // Where it has none, commit() is to come here: it looks for this place, and finds the cursor.
  writer.reserved_at_ = has_window_ ? writer.cursor_ : nullptr;
  writer.reserved_bytes_ = bytes;
  return {writer.cursor_, bytes};
}

// Bytes that stand behind the cursor already, where reserve() had them built. Gets here when the
// window has no room; or by mistake.
void Writer::Core::commit(Writer& writer, std::size_t bytes) {
  if (bytes == 0 || !is_usable(writer)) return;
  if (const std::size_t reserved = reserved_bytes(writer); bytes > reserved) {
    return refuse_commit(writer, bytes, reserved);
  }
  const ConstBytes built(writer.cursor_, bytes);
  const bool has_line = std::find(built.begin(), built.end(), std::byte{'\n'}) != built.end();
  place_window(writer, static_cast<std::size_t>(writer.cursor_ - writer.begin_) + bytes);
  if (durability_ == Durability::every_write) {
    if (emit(writer, {})) sync_each_write(writer);
  } else if (has_line) {
    emit(writer, {});
  }
}

// Without a window no byte gets past this class: a reservation that was not ended still counts.
std::size_t Writer::Core::reserved_bytes(const Writer& writer) const {
  return has_window_ && writer.reserved_at_ != writer.cursor_ ? 0 : writer.reserved_bytes_;
}

void Writer::Core::end_reservation(Writer& writer) {
  writer.reserved_at_ = nullptr;
  writer.reserved_bytes_ = 0;
}

// The assertion stands here because in the header the program's own NDEBUG would decide, and two of
// its files could have two definitions of one function.
void Writer::Core::refuse_commit(Writer& writer, std::size_t bytes, std::size_t reserved) {
  assert(!"sluice::Writer::commit of more bytes than are reserved");
  if (!drain(writer)) return;
  const std::string reason = "commit of " + std::to_string(bytes) + " bytes where " +
                             std::to_string(reserved) + " are reserved";
  fail(writer, Status::failure(Operation::write, sink_->path(), EINVAL, begin_position_, reason));
}

// A Sink whose writes are durable by themselves has nothing left to do here. Where bytes cannot be
// made durable there is nothing that this Writer could promise: that is final.
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
    if (is_unsupported_sync(status) || has_to_sync_directory(status)) return status;
    if (!status.ok()) fail(writer, std::move(status));
  }
  return status_;
}

Status Writer::Core::close(Writer& writer) {
  if (closed_) return sync_directory_again();
  const bool durable = durability_ != Durability::none;
  Status flushed = flush(writer, durable ? FlushTo::storage : FlushTo::os);
  if (!flushed.ok()) fail(writer, std::move(flushed));
  closed_ = true;
  close_result_ = status_;
  if (!is_parents()) {  // the child's copy of the descriptor goes with the Sink
    drain(writer);      // after a failure blocks may still be on their way to being dropped
    close_result_ = close_sink(writer);
  }
  in_flight_.reset();
  drop_window(writer);
  return close_result_;
}

Status Writer::Core::close_sink(Writer& writer) {
  if (status_.ok()) {
    Status status = sink_->publish();
    const bool stays_open = has_to_sync_directory(status);
    if (!status.ok()) fail(writer, std::move(status));
    if (stays_open) return status_;
  }
  const Status first = status_;
  const Status closed = sink_->close();
  if (!closed.ok()) fail(writer, closed);
  return first.also(closed);
}

Status Writer::Core::sync_directory_again() {
  if (!has_to_sync_directory(close_result_) || is_parents()) return close_result_;
  if (Status status = sink_->publish(); !status.ok()) return status;
  close_result_ = sink_->close();
  return close_result_;
}

Status Writer::Core::discard(Writer& writer) {
  const auto refused = [&](int code, std::string_view reason) {
    return Status::failure(Operation::discard, sink_->path(), code, std::nullopt, reason);
  };
  if (!sink_) return status_;  // it was never opened
  if (closed_) return refused(EBADF, "the Writer is closed");
  if (!sink_->is_staged()) {
    return refused(EINVAL, "only what replaces a file atomically can be discarded");
  }
  if (is_parents()) return refused(ECANCELED, "the Writer belongs to the process that opened it");
  drain(writer);
  in_flight_.reset();
  drop_window(writer);
  closed_ = true;
  close_result_ = Status::failure(Operation::close, sink_->path(), ECANCELED, std::nullopt,
                                  "the Writer was discarded");
  return sink_->close();
}

Status Writer::Core::abandon(Writer& writer) {
  if (!sink_->is_staged()) return close(writer);
  const Status failed = status_;
  const Status discarded = discard(writer);
  if (const Status both = failed.also(discarded); !both.ok()) return both;
  return Status::failure(Operation::close, sink_->path(), ECANCELED, std::nullopt,
                         "the Writer was destroyed without close(): the file was not replaced");
}

Writer::Writer() noexcept = default;

Writer::~Writer() { close_from_destructor(); }

Writer::Writer(Writer&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)),
      cursor_(std::exchange(other.cursor_, nullptr)),
      limit_(std::exchange(other.limit_, nullptr)),
      reserved_at_(std::exchange(other.reserved_at_, nullptr)),
      reserved_bytes_(std::exchange(other.reserved_bytes_, 0)),
      core_(std::move(other.core_)) {}

Writer& Writer::operator=(Writer&& other) noexcept {
  if (this == &other) return *this;
  close_from_destructor();
  begin_ = std::exchange(other.begin_, nullptr);
  cursor_ = std::exchange(other.cursor_, nullptr);
  limit_ = std::exchange(other.limit_, nullptr);
  reserved_at_ = std::exchange(other.reserved_at_, nullptr);
  reserved_bytes_ = std::exchange(other.reserved_bytes_, 0);
  core_ = std::move(other.core_);
  return *this;
}

void Writer::close_from_destructor() noexcept {
  const os::CancellationHeldOff held_off;
  if (is_open() && !core_->is_parents()) {
    if (Status status = core_->abandon(*this); !status.ok()) report_lost_error(status);
  }
  core_.reset();  // in a forked child this closes the descriptor
}

Status Writer::open(const std::string& path, const WriterOptions& options) {
  const os::CancellationHeldOff held_off;
  if (is_open()) return already_open(path);
  void* const memory = ::operator new(sizeof(Core), std::nothrow);  // before a file is cut
  if (memory == nullptr) return refuse(os::no_memory(path));
  std::unique_ptr<Sink> sink;
  const Status status = open_file_sink(path, options, sink);
  core_.reset(status.ok() ? new (memory) Core(std::move(sink), options)
                          : new (memory) Core(status));
  return status;
}

Status Writer::open(std::unique_ptr<Sink> sink, const WriterOptions& options) {
  const os::CancellationHeldOff held_off;
  if (is_open()) return already_open(sink ? sink->path() : "");
  if (!sink) return refuse(no_sink());
  Status status =
      os::guarded_status(sink->path(), [&] { return check_options(options, sink->path()); });
  return start(std::move(status), std::move(sink), options);
}

Status Writer::attach(int descriptor, const std::string& name, const WriterOptions& options) {
  if (is_open()) return already_open(name);
  std::unique_ptr<Sink> sink;
  const Status status = open_descriptor_sink(descriptor, name, options, sink);
  return status.ok() ? open(std::move(sink), options) : refuse(status);
}

// What an open call comes to, once there is a Sink or a failure.
Status Writer::start(Status status, std::unique_ptr<Sink> sink, const WriterOptions& options) {
  if (!status.ok()) return refuse(std::move(status));
  void* const memory = ::operator new(sizeof(Core), std::nothrow);
  if (memory == nullptr) return refuse(os::no_memory(sink->path()));
  core_.reset(new (memory) Core(std::move(sink), options));
  return {};
}

// Every call is to find the failure, or without memory for it a Writer that is not open.
Status Writer::refuse(Status status) {
  core_.reset(new (std::nothrow) Core(status));
  return status;
}

bool Writer::put_slow(std::byte value) { return write_slow(&value, 1); }

bool Writer::write_slow(const void* data, std::size_t bytes) {
  if (!core_) return false;
  const ConstBytes all(static_cast<const std::byte*>(data), bytes);
  return os::guarded([&] { return core_->write(*this, all); },
                     [&] { return core_->run_out_of_memory(*this); });
}

MutableBytes Writer::reserve_slow(std::size_t bytes) {
  if (!core_) return {};
  return os::guarded([&] { return core_->reserve(*this, bytes); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return MutableBytes();
                     });
}

void Writer::commit_slow(std::size_t bytes) {
  if (!core_) return;
  os::guarded([&] { core_->commit(*this, bytes); }, [&] { core_->run_out_of_memory(*this); });
}

std::uint64_t Writer::position() const noexcept {
  if (!core_) return 0;
  return core_->begin_position() + static_cast<std::uint64_t>(cursor_ - begin_);
}

const Status& Writer::status() const noexcept { return core_ ? core_->status() : never_opened(); }

bool Writer::is_open() const noexcept { return core_ && core_->is_open(); }

Status Writer::flush(FlushTo to) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->flush(*this, to) : never_opened();
}

Status Writer::discard() {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->discard(*this) : never_opened();
}

Status Writer::close() {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->close(*this) : never_opened();
}

}  // namespace sluice
