#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "iostream/buffer_failures.h"
#include "sluice/iostream.h"

namespace sluice {
namespace {

using Traits = std::char_traits<char>;

}  // namespace

ReaderBuffer::ReaderBuffer() = default;

ReaderBuffer::ReaderBuffer(Reader&& reader) : own_(std::move(reader)) {}

ReaderBuffer::ReaderBuffer(Reader& reader) : reader_(&reader) {}

ReaderBuffer::~ReaderBuffer() { settle(); }

ReaderBuffer::ReaderBuffer(ReaderBuffer&& other) noexcept : std::streambuf(other) { take(other); }

ReaderBuffer& ReaderBuffer::operator=(ReaderBuffer&& other) noexcept {
  if (this == &other) return *this;
  settle();
  std::streambuf::operator=(other);  // the get area and the locale
  take(other);
  return *this;
}

// The get area of this buffer is already that of `other`. The block moves with the Reader, but a
// character that was put back lies in the buffer.
void ReaderBuffer::take(ReaderBuffer& other) {
  own_ = std::move(other.own_);
  reader_ = other.reader_ == &other.own_ ? &own_ : other.reader_;
  other.reader_ = &other.own_;
  area_ = std::exchange(other.area_, Area::in_block);
  put_back_ = other.put_back_;
  if (area_ != Area::in_block) {
    const auto read = gptr() - eback();
    setg(&put_back_, &put_back_ + read, &put_back_ + 1);
  }
  other.setg(nullptr, nullptr, nullptr);
  last_ = std::exchange(other.last_, std::nullopt);
  latest_ = std::exchange(other.latest_, Status());
}

void ReaderBuffer::swap(ReaderBuffer& other) {
  if (this == &other) return;
  ReaderBuffer third(std::move(other));
  other = std::move(*this);
  *this = std::move(third);
}

// The Reader stands at the beginning of the get area in its block, and behind a character that was
// put back.
std::uint64_t ReaderBuffer::position() const {
  if (area_ == Area::in_block) {
    return reader_->position() + static_cast<std::uint64_t>(gptr() - eback());
  }
  return reader_->position() - static_cast<std::uint64_t>(egptr() - gptr());
}

// Takes the Reader to the position of the get area, and ends the get area.
void ReaderBuffer::settle() {
  if (gptr() != eback()) {
    last_ = gptr()[-1];
    if (area_ == Area::in_block) reader_->skip(static_cast<std::uint64_t>(gptr() - eback()));
  } else if (area_ != Area::in_block) {
    // Without positions the Reader cannot go back. It then stays behind the byte.
    static_cast<void>(reader_->seek_untold(position()));
  }
  setg(nullptr, nullptr, nullptr);
  area_ = Area::in_block;
}

// To a std::istream a failure looks like the end. So the failure sets badbit here.
void ReaderBuffer::tell_stream() {
  if (!reader_->is_open()) {
    latest_ = Status::failure(Operation::read, stream_name, EBADF, std::nullopt,
                              "the Reader is not open");
  } else if (!reader_->has_failed()) {
    return;
  }
  if (stream_ != nullptr) stream_->setstate(std::ios_base::badbit);
}

// Makes bytes of the block the get area. No function writes to the get area while it lies there.
void ReaderBuffer::show(BytesView bytes) {
  constexpr std::size_t most = std::numeric_limits<int>::max();  // gbump takes an int
  char* const begin = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
  setg(begin, begin, begin + std::min(bytes.size(), most));
}

ReaderBuffer::int_type ReaderBuffer::underflow() {
  if (gptr() == egptr()) {
    settle();
    show(reader_->peek(1));
  }
  if (gptr() != egptr()) return Traits::to_int_type(*gptr());
  tell_stream();
  return Traits::eof();
}

std::streamsize ReaderBuffer::xsgetn(char* bytes, std::streamsize count) {
  const std::streamsize ready = std::min<std::streamsize>(egptr() - gptr(), count);
  if (ready > 0) {
    std::memcpy(bytes, gptr(), static_cast<std::size_t>(ready));
    gbump(static_cast<int>(ready));  // the get area has less than 2 GiB: see show()
  }
  if (ready >= count) return std::max<std::streamsize>(ready, 0);
  settle();
  const auto rest = static_cast<std::size_t>(count - ready);
  const std::size_t got = reader_->read(bytes + ready, rest);
  if (got > 0) last_ = bytes[ready + static_cast<std::streamsize>(got) - 1];
  if (got < rest) tell_stream();
  return ready + static_cast<std::streamsize>(got);
}

// Called if the byte before the get area is put back, or another character than the one before.
ReaderBuffer::int_type ReaderBuffer::pbackfail(int_type byte) {
  if (gptr() == eback() && !step_back()) return Traits::eof();
  // gptr()[-1] is the byte of the input, or the character that was put back before.
  const bool is_any = Traits::eq_int_type(byte, Traits::eof());
  const char before = gptr()[-1];
  const char wanted = is_any ? before : Traits::to_char_type(byte);
  if (wanted == before) {
    gbump(-1);
    return Traits::to_int_type(wanted);
  }
  settle();
  put_back(wanted, Area::other_put_back);
  return Traits::to_int_type(wanted);
}

// Makes a get area that has the byte before the position, and stands behind this byte.
bool ReaderBuffer::step_back() {
  const std::uint64_t at = position();
  if (area_ == Area::other_put_back || at == 0) return false;
  if (!reader_->has_failed() && reader_->seek_untold(at - 1).ok()) {
    area_ = Area::in_block;
    last_.reset();
    show(reader_->peek(1));
    if (gptr() != egptr()) {
      gbump(1);
      return true;
    }
    static_cast<void>(reader_->seek_untold(at));
    return false;
  }
  if (area_ != Area::in_block || !last_) return false;
  put_back(*last_, Area::byte_put_back);
  gbump(1);
  return true;
}

// The Reader must stand behind the place of the character.
void ReaderBuffer::put_back(char byte, Area area) {
  put_back_ = byte;
  area_ = area;
  last_.reset();
  setg(&put_back_, &put_back_, &put_back_ + 1);
}

std::streamsize ReaderBuffer::showmanyc() {
  if (!is_open()) return -1;
  if (gptr() == egptr()) settle();
  if (const std::size_t in_block = reader_->peek(0).size(); in_block > 0) {
    return static_cast<std::streamsize>(in_block);
  }
  std::uint64_t bytes = 0;
  if (!reader_->size(bytes).ok() || bytes <= position()) return 0;
  return static_cast<std::streamsize>(bytes - position());
}

int ReaderBuffer::sync() {
  if (area_ == Area::in_block || gptr() != eback()) settle();
  return is_open() && !reader_->has_failed() ? 0 : -1;
}

ReaderBuffer::pos_type ReaderBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                             std::ios_base::openmode which) {
  if ((which & std::ios_base::in) == 0)
    return refuse_seek(latest_, EINVAL, "the stream only reads");
  if (!is_open()) return refuse_seek(latest_, EBADF, "the Reader is not open");
  if (from == std::ios_base::beg) return go_to(0, offset);
  if (from == std::ios_base::cur) {
    if (offset == 0) return pos_type(static_cast<off_type>(position()));
    return go_to(position(), offset);
  }
  std::uint64_t end = 0;
  latest_ = reader_->size(end);
  return latest_.ok() ? go_to(end, offset) : no_position;
}

ReaderBuffer::pos_type ReaderBuffer::seekpos(pos_type position, std::ios_base::openmode which) {
  return seekoff(off_type(position), std::ios_base::beg, which);
}

// If the Reader refuses, the stream goes on where it was.
ReaderBuffer::pos_type ReaderBuffer::go_to(std::uint64_t from, off_type offset) {
  if (is_before_beginning(from, offset)) {
    return refuse_seek(latest_, EINVAL, before_beginning);
  }
  const std::uint64_t target = from + static_cast<std::uint64_t>(offset);
  if (area_ == Area::in_block) settle();
  latest_ = reader_->seek_untold(target);
  if (!latest_.ok()) return no_position;
  area_ = Area::in_block;
  last_.reset();
  setg(nullptr, nullptr, nullptr);
  return pos_type(static_cast<off_type>(target));
}

Status ReaderBuffer::may_open(const std::string& name) {
  if (!reader_->is_open()) reader_ = &own_;
  if (reader_ == &own_) return {};
  return refuse_open(name, "the stream has a Reader that is open");
}

Status ReaderBuffer::opened(Status status) {
  latest_ = std::move(status);
  return latest_;
}

Status ReaderBuffer::open(const std::string& path, const ReaderOptions& options) {
  Status status = may_open(path);
  return opened(status.ok() ? own_.open(path, options) : std::move(status));
}

Status ReaderBuffer::open(std::unique_ptr<Source> source, const ReaderOptions& options) {
  Status status = may_open(source ? source->path() : std::string());
  return opened(status.ok() ? own_.open(std::move(source), options) : std::move(status));
}

Status ReaderBuffer::attach(int descriptor, const std::string& name, const ReaderOptions& options) {
  Status status = may_open(name);
  return opened(status.ok() ? own_.attach(descriptor, name, options) : std::move(status));
}

Status ReaderBuffer::close() {
  settle();
  last_.reset();
  latest_ = reader_->close();
  return latest_;
}

const Status& ReaderBuffer::status() const {
  const Status& failure = reader_->status();
  return failure.ok() ? latest_ : failure;
}

Reader& ReaderBuffer::reader() {
  settle();
  last_.reset();
  return *reader_;
}

}  // namespace sluice
