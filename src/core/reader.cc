#include "sluice/reader.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "backend/options.h"
#include "core/block.h"
#include "core/lost_error.h"
#include "core/newlines.h"
#include "core/read_to_end.h"
#include "os/cancellation.h"
#include "os/guarded.h"
#include "os/never_destroyed.h"

namespace sluice {
namespace {

constexpr std::size_t first_block_bytes = 16 * 1024;
constexpr std::size_t block_growth = 4;
constexpr std::size_t page_bytes = 4096;

// What is read at first behind a seek: one that is followed by another wants little. Grows as the
// block does.
constexpr std::size_t fetched_bytes_after_seek = 512;

// Newlines are looked for in pieces that stay in the first-level cache beside their positions.
constexpr std::size_t scan_bytes = 16 * 1024;

constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

Status already_open(std::string_view path) {
  return Status::failure(Operation::open, path, EBUSY, std::nullopt, "the Reader is open already");
}

Status no_source() {
  return Status::failure(Operation::open, "(no Source)", ENOMEM, std::nullopt,
                         "a Source is null where there was no memory for it");
}

const Status& never_opened() {
  // Readers with static lifetime may ask for it at exit.
  static os::NeverDestroyed<Status> status(
      Status::failure(Operation::read, "(nothing)", EBADF, std::nullopt, "the Reader is not open"));
  return status.get();
}

}  // namespace

// The cold half of a Reader. It owns the Source and the block, and moves the window [cursor, limit)
// of the Reader's own pointers over the block.
class Reader::Core {
 public:
  Core(std::unique_ptr<Source> source, const ReaderOptions& options)
      : source_(std::move(source)), options_(options) {}

  // A Reader that could not be opened.
  explicit Core(Status failure) : status_(std::move(failure)), closed_(true) {}

  const Status& status() const {
    is_told_ = true;
    return status_;
  }
  bool is_open() const { return !closed_; }
  // Whether a failure has come that nobody has asked for since.
  bool has_untold_failure() const { return !status_.ok() && !is_told_; }
  std::uint64_t limit_position() const { return limit_position_; }

  int get(Reader& reader);
  std::size_t read(Reader& reader, MutableBytes into);
  ConstBytes peek(Reader& reader, std::size_t bytes);
  std::uint64_t skip(Reader& reader, std::uint64_t bytes);
  Status seek(Reader& reader, std::uint64_t position);
  Status size(std::uint64_t& bytes);
  std::size_t read_values(Reader& reader, MutableBytes into, std::size_t value_bytes);
  template <typename Memory>
  Status read_rest(Reader& reader, Memory& out);
  std::string_view read_until(Reader& reader, std::byte delimiter);
  std::string_view next_line(Reader& reader, CarriageReturn carriage_return);
  ConstBytes take_records(Reader& reader, std::size_t record_bytes, std::size_t alignment);
  Status close(Reader& reader);
  // What becomes of a call that std::bad_alloc has ended.
  void run_out_of_memory(const Reader& reader);

 private:
  bool fetch(MutableBytes into, std::size_t& got);
  bool refill(Reader& reader, std::size_t alignment = 1);
  bool place_pending(Reader& reader, std::size_t alignment);
  std::size_t wanted_bytes(std::size_t pending) const;
  void move_pending(Reader& reader, std::byte* to, std::size_t pending);
  Status go_to(Reader& reader, std::uint64_t position);
  Status closed_already(Operation operation) const;
  void fail_partial(std::string_view what, std::uint64_t position, std::size_t bytes,
                    std::size_t whole_bytes);
  std::string_view take_last(Reader& reader);
  std::uint64_t take(Reader& reader, std::uint64_t bytes) const;
  void skip_by_position(Reader& reader, std::uint64_t& left);
  bool find_in_window(Reader& reader);
  void scan(Reader& reader);
  bool is_too_long(std::ptrdiff_t line_bytes) const;
  std::string_view fail_line(Reader& reader);
  bool fail(Status status);

  std::unique_ptr<Source> source_;
  const ReaderOptions options_;
  Status status_;
  mutable bool is_told_ = false;
  bool closed_ = false;
  bool ended_ = false;
  bool filled_block_ = false;  // the last read left no room: a larger block pays
  Block block_;
  const std::byte* window_begin_ = nullptr;  // what was read last and is in the block begins there
  std::size_t most_fetched_bytes_ = SIZE_MAX;  // at a time; few after a seek
  std::uint64_t limit_position_ = 0;  // of the Reader's limit_ in the source
  const std::byte* scanned_until_ = nullptr;
  std::unique_ptr<std::uint32_t[]> newlines_;
};

bool Reader::Core::fail(Status status) {
  if (!status_.ok()) return false;
  status_ = std::move(status);
  is_told_ = false;
  return false;
}

// The next bytes of the source; false at the end and on failure.
bool Reader::Core::fetch(MutableBytes into, std::size_t& got) {
  got = 0;
  if (ended_ || closed_ || !status_.ok()) return false;
  Status status = os::guarded_status(source_->path(),
                                     [&] { return source_->read(limit_position_, into, got); });
  if (!status.ok()) {
    got = 0;
    return fail(status.offset() ? std::move(status) : status.at(limit_position_));
  }
  limit_position_ += got;
  ended_ = got == 0;
  return !ended_;
}

// Adds bytes behind the pending ones, which move to where the cursor's address is a multiple of
// `alignment`. False at the end and on failure; the pending bytes are there still.
bool Reader::Core::refill(Reader& reader, std::size_t alignment) {
  if (ended_ || closed_ || !status_.ok()) return false;
  if (!place_pending(reader, alignment)) return false;
  std::byte* into = block_.data() + (reader.limit_ - block_.data());
  const std::size_t room =
      std::min(static_cast<std::size_t>(block_.end() - into), options_.block_bytes);
  std::size_t got;
  if (!fetch({into, std::min(room, most_fetched_bytes_)}, got)) return false;
  if (most_fetched_bytes_ < options_.block_bytes) most_fetched_bytes_ *= block_growth;
  filled_block_ = got == room;
  reader.limit_ += got;
  return true;
}

// Moves the pending bytes so that there is room behind them, into a larger block where that pays.
// In a large block they end at a page boundary, so that pages are copied whole.
bool Reader::Core::place_pending(Reader& reader, std::size_t alignment) {
  const auto pending = static_cast<std::size_t>(reader.limit_ - reader.cursor_);
  Block larger;
  if (const std::size_t wanted = wanted_bytes(pending); wanted > block_.bytes()) {
    larger = Block::allocate(wanted);
    if (!larger && pending == block_.bytes()) {
      return fail(Status::failure(Operation::allocate, source_->path(), ENOMEM, limit_position_));
    }
  }
  const Block& block = larger ? larger : block_;
  const bool whole_pages = block.bytes() > 16 * page_bytes && pending + page_bytes < block.bytes();
  const std::size_t pending_end = whole_pages ? round_up(pending, page_bytes) : pending;
  const std::size_t begin = (pending_end - pending) / alignment * alignment;
  move_pending(reader, block.data() + begin, pending);
  if (larger) block_ = std::move(larger);
  return true;
}

std::size_t Reader::Core::wanted_bytes(std::size_t pending) const {
  const std::size_t slack = options_.block_bytes >= 16 * page_bytes ? page_bytes : 0;
  const std::size_t full_bytes = options_.block_bytes + slack;
  if (!block_) return std::min(first_block_bytes, full_bytes);
  if (pending > block_.bytes() / 2) return block_.bytes() * 2;  // a line or record longer than it
  if (filled_block_) return std::min(block_.bytes() * block_growth, full_bytes);
  return block_.bytes();
}

void Reader::Core::move_pending(Reader& reader, std::byte* to, std::size_t pending) {
  // What was scanned without finding a newline need not be scanned again.
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
  if (!refill(reader)) return end;
  return static_cast<int>(*reader.cursor_++);
}

void Reader::Core::run_out_of_memory(const Reader& reader) {
  fail(Status::failure(Operation::allocate, source_->path(), ENOMEM, reader.position()));
}

std::size_t Reader::Core::read(Reader& reader, MutableBytes into) {
  std::size_t done = 0;
  for (;;) {
    const auto pending = static_cast<std::size_t>(reader.limit_ - reader.cursor_);
    const std::size_t bytes = std::min(pending, into.size() - done);
    if (bytes > 0) std::memcpy(into.data() + done, reader.cursor_, bytes);
    reader.cursor_ += bytes;
    done += bytes;
    if (done == into.size()) return done;
    // The block is empty: what is at least as long as a full one need not pass through it.
    std::size_t got = 0;
    const MutableBytes rest = into.subspan(done);
    const bool passes_block = rest.size() >= options_.block_bytes;
    const bool more = passes_block ? fetch(rest, got) : refill(reader);
    if (passes_block) window_begin_ = reader.limit_;
    done += got;
    if (!more) return done;
  }
}

ConstBytes Reader::Core::peek(Reader& reader, std::size_t bytes) {
  while (static_cast<std::size_t>(reader.limit_ - reader.cursor_) < bytes && refill(reader)) {
  }
  return {reader.cursor_, reader.limit_};
}

std::uint64_t Reader::Core::take(Reader& reader, std::uint64_t bytes) const {
  const auto pending = static_cast<std::uint64_t>(reader.limit_ - reader.cursor_);
  const std::uint64_t taken = std::min(pending, bytes);
  reader.cursor_ += taken;
  return taken;
}

std::uint64_t Reader::Core::skip(Reader& reader, std::uint64_t bytes) {
  std::uint64_t left = bytes - take(reader, bytes);
  if (left > options_.block_bytes) skip_by_position(reader, left);
  while (left > 0 && refill(reader)) left -= take(reader, left);
  return bytes - left;
}

// A size is a hint. So the last byte before the place is read: when it is not there, the rest is
// passed by reading from where this began.
void Reader::Core::skip_by_position(Reader& reader, std::uint64_t& left) {
  if (closed_ || !status_.ok()) return;
  const std::uint64_t begin = limit_position_;
  std::uint64_t bytes = 0;
  if (!size(bytes).ok() || bytes <= begin) return;
  const std::uint64_t passed = std::min(left, bytes - begin) - 1;
  if (!go_to(reader, begin + passed).ok()) return;
  if (refill(reader)) {
    left -= passed;
  } else if (status_.ok()) {
    if (Status status = go_to(reader, begin); !status.ok()) fail(std::move(status));
  }
}

// What is in the block is forgotten: the next byte comes from `position` of the source.
Status Reader::Core::go_to(Reader& reader, std::uint64_t position) {
  Status status = os::guarded_status(source_->path(), [&] { return source_->seek(position); });
  if (!status.ok()) return status;
  window_begin_ = reader.cursor_ = reader.limit_;
  reader.newline_ = reader.newlines_end_ = nullptr;
  scanned_until_ = reader.limit_;
  limit_position_ = position;
  ended_ = false;
  most_fetched_bytes_ = fetched_bytes_after_seek;
  return {};
}

Status Reader::Core::seek(Reader& reader, std::uint64_t position) {
  if (!status_.ok()) return status();
  if (closed_) return closed_already(Operation::seek);
  const auto in_block = static_cast<std::uint64_t>(reader.limit_ - window_begin_);
  const std::uint64_t before_limit = limit_position_ - position;  // wraps where it lies behind
  if (position <= limit_position_ && before_limit <= in_block) {
    const std::byte* const to = reader.limit_ - before_limit;
    if (to < reader.cursor_) {
      reader.newline_ = reader.newlines_end_ = nullptr;
      scanned_until_ = to;
    }
    reader.cursor_ = to;
    ended_ = false;  // the file may have grown
    return {};
  }
  return go_to(reader, position);
}

Status Reader::Core::size(std::uint64_t& bytes) {
  if (closed_) return closed_already(Operation::stat);
  return os::guarded_status(source_->path(), [&] { return source_->size(bytes); });
}

Status Reader::Core::closed_already(Operation operation) const {
  return Status::failure(operation, source_->path(), EBADF, std::nullopt, "the Reader is closed");
}

std::size_t Reader::Core::read_values(Reader& reader, MutableBytes into, std::size_t value_bytes) {
  const std::size_t got = read(reader, into);
  const std::size_t beyond = got % value_bytes;
  if (beyond != 0 && status_.ok()) fail_partial("value", reader.position() - beyond, beyond, value_bytes);
  return got / value_bytes;
}

void Reader::Core::fail_partial(std::string_view what, std::uint64_t position, std::size_t bytes,
                                std::size_t whole_bytes) {
  const std::string reason = "partial " + std::string(what) + " of " + std::to_string(bytes) + " of " +
                             std::to_string(whole_bytes) + " bytes at the end";
  fail(Status::failure(Operation::read, source_->path(), EBADMSG, position, reason));
}

// Straight from the source, behind what the block holds.
template <typename Memory>
Status Reader::Core::read_rest(Reader& reader, Memory& out) {
  out.clear();
  if (closed_ && status_.ok()) return closed_already(Operation::read);
  if (!status_.ok()) return status();
  const ConstBytes pending(reader.cursor_, reader.limit_);
  std::uint64_t bytes = 0;
  const bool is_known = source_->size(bytes).ok() && bytes > limit_position_;
  const std::uint64_t expected = pending.size() + (is_known ? bytes - limit_position_ : 0) + 1;
  if (!reserve(out, expected) || !resize(out, pending.size())) {
    fail(Status::failure(Operation::allocate, source_->path(), ENOMEM, reader.position()));
    return status();
  }
  if (!pending.empty()) std::memcpy(data(out), pending.data(), pending.size());
  reader.cursor_ = window_begin_ = reader.limit_;
  Status read = read_to_end(source_->path(), out, [&](std::size_t, MutableBytes into, std::size_t& got) {
    fetch(into, got);
    return status_;
  });
  if (!read.ok()) fail(read.at(limit_position_));  // there was no memory; or it is known already
  return status();
}

std::string_view Reader::Core::read_until(Reader& reader, std::byte delimiter) {
  for (std::size_t searched = 0;;) {
    if (!status_.ok()) return {};
    const ConstBytes pending(reader.cursor_, reader.limit_);
    const ConstBytes fresh = pending.subspan(searched);
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

// What the input ends with, behind its last newline or delimiter.
std::string_view Reader::Core::take_last(Reader& reader) {
  if (!status_.ok() || reader.cursor_ == reader.limit_) return {};
  const std::string_view last = reader.take_line(reader.limit_, CarriageReturn::keep);
  reader.cursor_ = reader.limit_;  // there was no newline to pass
  return last;
}

std::string_view Reader::Core::next_line(Reader& reader, CarriageReturn carriage_return) {
  for (;;) {
    if (!status_.ok()) return {};
    if (find_in_window(reader)) {
      const std::byte* newline = reader.scan_base_ + *reader.newline_++;
      if (is_too_long(newline - reader.cursor_)) return fail_line(reader);
      return reader.take_line(newline, carriage_return);
    }
    if (is_too_long(reader.limit_ - reader.cursor_)) return fail_line(reader);
    if (!refill(reader)) return take_last(reader);
  }
}

bool Reader::Core::is_too_long(std::ptrdiff_t line_bytes) const {
  return static_cast<std::uint64_t>(line_bytes) > options_.max_line_bytes;
}

std::string_view Reader::Core::fail_line(Reader& reader) {
  reader.newline_ = reader.newlines_end_ = nullptr;
  const std::uint64_t position = reader.position();
  const std::string reason =
      "line longer than " + std::to_string(options_.max_line_bytes) + " bytes (max_line_bytes)";
  fail(Status::failure(Operation::read, source_->path(), EMSGSIZE, position, reason));
  return {};
}

// Whether newline_ stands at a newline at or behind the cursor; scans on until it does or the
// window is scanned to its end.
bool Reader::Core::find_in_window(Reader& reader) {
  for (;;) {
    while (reader.newline_ != reader.newlines_end_) {
      if (reader.scan_base_ + *reader.newline_ >= reader.cursor_) return true;
      ++reader.newline_;  // passed by get or read
    }
    scanned_until_ = std::max(scanned_until_, reader.cursor_);
    if (scanned_until_ == reader.limit_) return false;
    scan(reader);
  }
}

// A piece is no longer than a line may be: so a line that is too long reaches over two pieces, and
// its newline is the first of its piece, which always comes by way of the slow path and its check.
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

ConstBytes Reader::Core::take_records(Reader& reader, std::size_t record_bytes,
                                      std::size_t alignment) {
  const auto pending = [&] { return static_cast<std::size_t>(reader.limit_ - reader.cursor_); };
  const bool aligned = reinterpret_cast<std::uintptr_t>(reader.cursor_) % alignment == 0;
  if (!aligned && !place_pending(reader, alignment)) return {};
  while (pending() < record_bytes && refill(reader, alignment)) {
  }
  const std::size_t whole_bytes = pending() / record_bytes * record_bytes;
  if (whole_bytes == 0 && pending() > 0) {
    fail_partial("record", reader.position(), pending(), record_bytes);
  }
  const ConstBytes records(reader.cursor_, whole_bytes);
  reader.cursor_ += whole_bytes;
  return records;
}

Status Reader::Core::close(Reader& reader) {
  if (closed_) return status_;
  closed_ = true;
  if (Status status = source_->close(); !status.ok()) fail(std::move(status));
  limit_position_ = reader.position();
  window_begin_ = reader.cursor_ = reader.limit_ = nullptr;
  reader.newline_ = reader.newlines_end_ = nullptr;
  scanned_until_ = nullptr;  // or next_line() would scan the block that is gone
  block_ = Block();
  newlines_.reset();
  return status_;
}

Reader::Reader() noexcept = default;

Reader::~Reader() { close_from_destructor(); }

// Nothing is lost but a failure that looked like the end to whoever did not ask.
void Reader::close_from_destructor() noexcept {
  const os::CancellationHeldOff held_off;
  if (is_open()) {
    static_cast<void>(core_->close(*this));
    if (core_->has_untold_failure()) report_lost_error(core_->status());
  }
  core_.reset();
}

Reader::Reader(Reader&& other) noexcept { *this = std::move(other); }

Reader& Reader::operator=(Reader&& other) noexcept {
  if (this == &other) return *this;
  close_from_destructor();
  cursor_ = std::exchange(other.cursor_, nullptr);
  limit_ = std::exchange(other.limit_, nullptr);
  newline_ = std::exchange(other.newline_, nullptr);
  newlines_end_ = std::exchange(other.newlines_end_, nullptr);
  scan_base_ = std::exchange(other.scan_base_, nullptr);
  core_ = std::move(other.core_);
  return *this;
}

Status Reader::open(const std::string& path, const ReaderOptions& options) {
  const os::CancellationHeldOff held_off;
  if (is_open()) return already_open(path);
  std::unique_ptr<Source> source;
  Status status = open_file_source(path, options, source);
  return start(std::move(status), std::move(source), options);
}

Status Reader::open(std::unique_ptr<Source> source, const ReaderOptions& options) {
  const os::CancellationHeldOff held_off;
  if (is_open()) return already_open(source ? source->path() : "");
  if (!source) return refuse(no_source());
  Status status =
      os::guarded_status(source->path(), [&] { return check_options(options, source->path()); });
  return start(std::move(status), std::move(source), options);
}

Status Reader::attach(int descriptor, const std::string& name, const ReaderOptions& options) {
  if (is_open()) return already_open(name);
  std::unique_ptr<Source> source;
  const Status status = open_descriptor_source(descriptor, name, source);
  return status.ok() ? open(std::move(source), options) : refuse(status);
}

// What an open call comes to, once there is a Source or a failure.
Status Reader::start(Status status, std::unique_ptr<Source> source, const ReaderOptions& options) {
  if (!status.ok()) return refuse(std::move(status));
  void* const memory = ::operator new(sizeof(Core), std::nothrow);
  if (memory == nullptr) return refuse(os::no_memory(source->path()));
  core_.reset(new (memory) Core(std::move(source), options));
  return {};
}

// Every call is to find the failure. Without memory even for that, it finds a Reader that is not
// open.
Status Reader::refuse(Status status) {
  core_.reset(new (std::nothrow) Core(status));
  return status;
}

int Reader::get_slow() {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->get(*this) : end;
}

std::size_t Reader::read_slow(void* into, std::size_t bytes) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->read(*this, {static_cast<std::byte*>(into), bytes}) : 0;
}

ConstBytes Reader::peek_slow(std::size_t bytes) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->peek(*this, bytes) : ConstBytes();
}

std::uint64_t Reader::skip_slow(std::uint64_t bytes) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->skip(*this, bytes) : 0;
}

Status Reader::seek(std::uint64_t position) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->seek(*this, position) : never_opened();
}

Status Reader::size(std::uint64_t& bytes) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->size(bytes) : never_opened();
}

std::size_t Reader::read_values_slow(void* into, std::size_t value_bytes, std::size_t values) {
  if (!core_) return 0;
  const MutableBytes all(static_cast<std::byte*>(into), value_bytes * values);
  return os::guarded([&] { return core_->read_values(*this, all, value_bytes); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return std::size_t{0};
                     });
}

template <typename Memory>
Status Reader::read_rest_into(Memory& out) {
  if (!core_) return never_opened();
  return os::guarded([&] { return core_->read_rest(*this, out); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return core_->status();
                     });
}

Status Reader::read_rest(std::string& out) { return read_rest_into(out); }

Status Reader::read_rest(Bytes& out) { return read_rest_into(out); }

bool Reader::read_until(char delimiter, std::string_view& part) {
  part = {};
  if (!core_) return false;
  os::guarded([&] { part = core_->read_until(*this, static_cast<std::byte>(delimiter)); },
              [&] { core_->run_out_of_memory(*this); });
  return part.data() != nullptr;
}

std::string_view Reader::next_line_slow(CarriageReturn carriage_return) {
  if (!core_) return {};
  return os::guarded([&] { return core_->next_line(*this, carriage_return); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return std::string_view();
                     });
}

ConstBytes Reader::take_records(std::size_t record_bytes, std::size_t alignment) {
  if (!core_) return {};
  return os::guarded([&] { return core_->take_records(*this, record_bytes, alignment); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return ConstBytes();
                     });
}

std::uint64_t Reader::position() const noexcept {
  return core_ ? core_->limit_position() - static_cast<std::uint64_t>(limit_ - cursor_) : 0;
}

const Status& Reader::status() const noexcept { return core_ ? core_->status() : never_opened(); }

bool Reader::is_open() const noexcept { return core_ && core_->is_open(); }

Status Reader::close() {
  const os::CancellationHeldOff held_off;
  if (!core_) return never_opened();
  static_cast<void>(core_->close(*this));
  return core_->status();
}

}  // namespace sluice
