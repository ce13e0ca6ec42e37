#include "sluice/reader.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "backend/options.h"
#include "core/block.h"
#include "core/newlines.h"
#include "os/cancellation.h"
#include "os/guarded.h"
#include "os/never_destroyed.h"

namespace sluice {
namespace {

constexpr std::size_t first_block_bytes = 16 * 1024;
constexpr std::size_t block_growth = 4;
constexpr std::size_t page_bytes = 4096;

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

  const Status& status() const { return status_; }
  bool is_open() const { return !closed_; }
  std::uint64_t limit_position() const { return limit_position_; }

  int get(Reader& reader);
  std::size_t read(Reader& reader, MutableBytes into);
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
  bool find_in_window(Reader& reader);
  void scan(Reader& reader);
  bool is_too_long(std::ptrdiff_t line_bytes) const;
  std::string_view fail_line(Reader& reader);
  bool fail(Status status);

  std::unique_ptr<Source> source_;
  const ReaderOptions options_;
  Status status_;
  bool closed_ = false;
  bool ended_ = false;
  bool filled_block_ = false;  // the last read left no room: a larger block pays
  Block block_;
  std::uint64_t limit_position_ = 0;  // of the Reader's limit_ in the source
  const std::byte* scanned_until_ = nullptr;
  std::unique_ptr<std::uint32_t[]> newlines_;
};

bool Reader::Core::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
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
  if (!fetch({into, room}, got)) return false;
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
  reader.cursor_ = to;
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
    const bool more = rest.size() >= options_.block_bytes ? fetch(rest, got) : refill(reader);
    done += got;
    if (!more) return done;
  }
}

std::string_view Reader::Core::next_line(Reader& reader, CarriageReturn carriage_return) {
  for (;;) {
    if (!status_.ok()) return {};
    if (find_in_window(reader)) {
      const std::byte* newline = reader.scan_base_ + *reader.newline_++;
      if (is_too_long(newline - reader.cursor_)) return fail_line(reader);
      return reader.take_line(newline, carriage_return);
    }
    const std::ptrdiff_t pending = reader.limit_ - reader.cursor_;
    if (is_too_long(pending)) return fail_line(reader);
    if (refill(reader)) continue;
    if (!status_.ok() || pending == 0) return {};
    const std::string_view last = reader.take_line(reader.limit_, CarriageReturn::keep);
    reader.cursor_ = reader.limit_;  // there was no newline to pass
    return last;
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
    const std::string reason = "partial record of " + std::to_string(pending()) + " of " +
                               std::to_string(record_bytes) + " bytes at the end";
    fail(Status::failure(Operation::read, source_->path(), EBADMSG, reader.position(), reason));
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
  reader.cursor_ = reader.limit_ = nullptr;
  reader.newline_ = reader.newlines_end_ = nullptr;
  scanned_until_ = nullptr;  // or next_line() would scan the block that is gone
  block_ = Block();
  newlines_.reset();
  return status_;
}

Reader::Reader() noexcept = default;

Reader::~Reader() { close_from_destructor(); }

// Nothing is lost: what was read is with the caller.
void Reader::close_from_destructor() noexcept {
  const os::CancellationHeldOff held_off;
  if (is_open()) static_cast<void>(close());
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
  return core_ ? core_->close(*this) : never_opened();
}

}  // namespace sluice
