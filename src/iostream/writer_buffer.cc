#include <algorithm>
#include <cerrno>
#include <utility>

#include "iostream/buffer_failures.h"
#include "sluice/files.h"
#include "sluice/iostream.h"

namespace sluice {
namespace {

using Traits = std::char_traits<char>;

// Returns the end of a target that open() has just opened by its path, or nothing if the end is not
// known.
std::optional<std::uint64_t> end_of(const std::string& path, const WriterOptions& options,
                                    std::uint64_t start) {
  if (options.create == CreateMode::append) return start;
  if (options.create != CreateMode::existing) return 0;
  std::uint64_t bytes = 0;
  if (!file_size(path, bytes).ok()) return std::nullopt;
  return bytes;
}

}  // namespace

WriterBuffer::WriterBuffer() = default;

WriterBuffer::WriterBuffer(Writer&& writer) : own_(std::move(writer)) {}

WriterBuffer::WriterBuffer(Writer& writer) : writer_(&writer) {}

WriterBuffer::~WriterBuffer() { hand_over(); }

WriterBuffer::WriterBuffer(WriterBuffer&& other) noexcept
    : std::streambuf((static_cast<void>(other.hand_over()), other)) {
  take(other);
}

WriterBuffer& WriterBuffer::operator=(WriterBuffer&& other) noexcept {
  if (this == &other) return *this;
  hand_over();
  other.hand_over();
  std::streambuf::operator=(other);  // the locale
  take(other);
  return *this;
}

// Neither put area has bytes.
void WriterBuffer::take(WriterBuffer& other) {
  own_ = std::move(other.own_);
  writer_ = other.writer_ == &other.own_ ? &own_ : other.writer_;
  other.writer_ = &other.own_;
  is_unbuffered_ = std::exchange(other.is_unbuffered_, false);
  end_ = std::exchange(other.end_, std::nullopt);
  sought_ = other.sought_;
  latest_ = std::exchange(other.latest_, Status());
}

void WriterBuffer::swap(WriterBuffer& other) {
  if (this == &other) return;
  WriterBuffer third(std::move(other));
  other = std::move(*this);
  *this = std::move(third);
}

// The Writer gets the bytes of the put area. The next call makes a new put area, because the
// program may use the Writer directly until then.
void WriterBuffer::hand_over() {
  if (pptr() != pbase()) writer_->commit(static_cast<std::size_t>(pptr() - pbase()));
  setp(nullptr, nullptr);
}

// Makes the Writer's whole window the put area. The window has no room if the Writer has to see
// each call. Then there is no put area, and each character comes to overflow().
void WriterBuffer::take_window() {
  const auto room = static_cast<std::size_t>(writer_->limit_ - writer_->cursor_);
  if (room == 0 || is_unbuffered_) return setp(nullptr, nullptr);
  char* const begin = reinterpret_cast<char*>(writer_->reserve(room).data());
  setp(begin, begin + room);
}

// Ends a call of the Writer, which has accepted bytes or has failed. Returns false if the bytes may
// be missing.
bool WriterBuffer::written(bool accepted) {
  if (accepted && is_unbuffered_) accepted = sync() == 0;
  take_window();
  return accepted;
}

WriterBuffer::int_type WriterBuffer::overflow(int_type byte) {
  hand_over();
  if (Traits::eq_int_type(byte, Traits::eof())) return Traits::not_eof(byte);
  return written(writer_->put(Traits::to_char_type(byte))) ? byte : Traits::eof();
}

std::streamsize WriterBuffer::xsputn(const char* bytes, std::streamsize count) {
  if (count <= 0) return 0;
  if (fits(bytes, static_cast<std::size_t>(count))) return count;
  hand_over();
  const std::uint64_t begin = writer_->position();
  if (written(writer_->write(bytes, static_cast<std::size_t>(count)))) return count;
  // After a failure the position is that of the first byte that was not written.
  const std::uint64_t end = std::max(writer_->position(), begin);
  return static_cast<std::streamsize>(
      std::min<std::uint64_t>(end - begin, static_cast<std::uint64_t>(count)));
}

int WriterBuffer::sync() {
  hand_over();
  latest_ = writer_->flush_untold(FlushTo::os);
  return latest_.ok() ? 0 : -1;
}

std::streambuf* WriterBuffer::setbuf(char* memory, std::streamsize bytes) {
  if (memory != nullptr || bytes != 0) return this;
  is_unbuffered_ = true;
  // The bytes that were accepted before leave with the next ones at the latest.
  hand_over();
  return this;
}

std::uint64_t WriterBuffer::position() const {
  return writer_->position() + static_cast<std::uint64_t>(pptr() - pbase());
}

// A seek alone adds no bytes to the target.
void WriterBuffer::note_end() {
  const bool has_written = position() > sought_;
  if (end_ && has_written) end_ = std::max(*end_, position());
}

WriterBuffer::pos_type WriterBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                             std::ios_base::openmode which) {
  if ((which & std::ios_base::out) == 0)
    return refuse_seek(latest_, EINVAL, "the stream only writes");
  if (!is_open()) return refuse_seek(latest_, EBADF, "the Writer is not open");
  if (from == std::ios_base::beg) return go_to(0, offset);
  if (from == std::ios_base::cur) {
    if (offset == 0) return pos_type(static_cast<off_type>(position()));
    return go_to(position(), offset);
  }
  note_end();
  if (!end_) return refuse_seek(latest_, ESPIPE, "the stream does not know the end of its target");
  return go_to(*end_, offset);
}

WriterBuffer::pos_type WriterBuffer::seekpos(pos_type position, std::ios_base::openmode which) {
  return seekoff(off_type(position), std::ios_base::beg, which);
}

WriterBuffer::pos_type WriterBuffer::go_to(std::uint64_t from, off_type offset) {
  if (is_before_beginning(from, offset)) {
    return refuse_seek(latest_, EINVAL, before_beginning);
  }
  note_end();
  hand_over();
  const std::uint64_t target = from + static_cast<std::uint64_t>(offset);
  latest_ = writer_->seek_untold(target);
  if (!latest_.ok()) return no_position;
  sought_ = target;
  return pos_type(static_cast<off_type>(target));
}

Status WriterBuffer::may_open(const std::string& name) {
  if (!writer_->is_open()) writer_ = &own_;
  if (writer_ == &own_) return {};
  return refuse_open(name, "the stream has a Writer that is open");
}

Status WriterBuffer::opened(Status status, std::optional<std::uint64_t> end) {
  if (status.ok()) {
    end_ = end;
    sought_ = own_.position();
  }
  latest_ = std::move(status);
  return latest_;
}

Status WriterBuffer::open(const std::string& path, const WriterOptions& options) {
  Status status = may_open(path);
  if (status.ok()) status = own_.open(path, options);
  if (!status.ok()) return opened(std::move(status), std::nullopt);
  return opened({}, end_of(path, options, own_.position()));
}

Status WriterBuffer::open(std::unique_ptr<Sink> sink, const WriterOptions& options) {
  Status status = may_open(sink ? sink->path() : std::string());
  return opened(status.ok() ? own_.open(std::move(sink), options) : std::move(status),
                std::nullopt);
}

Status WriterBuffer::attach(int descriptor, const std::string& name, const WriterOptions& options) {
  Status status = may_open(name);
  return opened(status.ok() ? own_.attach(descriptor, name, options) : std::move(status),
                std::nullopt);
}

Status WriterBuffer::close() {
  hand_over();
  latest_ = writer_->close();
  return latest_;
}

void WriterBuffer::fail_with_stream() {
  hand_over();
  if (!is_open() || !writer_->flush_untold(FlushTo::os).ok()) return;
  writer_->refuse_call(
      EINVAL, "the stream has failbit or badbit, so it has dropped what was inserted since");
}

const Status& WriterBuffer::status() const {
  const Status& failure = writer_->status();
  return failure.ok() ? latest_ : failure;
}

Writer& WriterBuffer::writer() {
  note_end();
  hand_over();
  return *writer_;
}

}  // namespace sluice
