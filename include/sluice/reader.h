// Reader: buffered reading at the machine's limit: bytes, lines, records.
//
//   sluice::Reader reader;
//   if (Status status = reader.open("words.txt"); !status.ok()) return status;
//   for (std::string_view line : reader.lines()) count += line.size();
//   return reader.close();
//
// The end is a read of 0 bytes, never a size: /proc, pipes and growing files read right. The end
// and a failure both look like "no more" to every call that hands out bytes; status() tells them
// apart, and so does close(), which returns the first failure. A Reader that is destroyed after a
// failure which nobody has asked for, by status() or close(), gives it to the lost-error handler
// (sluice/lost_error.h).
// Where memory runs out the Reader fails with ENOMEM.
// Views handed out (lines, parts, records, what peek() shows) lie in the block and are valid until
// the next call.
//
// Threads: one Reader belongs to one thread at a time. Different Readers are independent.
// pthread_cancel(): a thread that is cancelled finishes its call first, and ends at the next
// cancellation point: no call of the library is one. Cancellation is to be deferred, as it is by
// default; the asynchronous kind is not supported.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sluice/bytes.h"
#include "sluice/number.h"
#include "sluice/options.h"
#include "sluice/plain_value.h"
#include "sluice/source.h"
#include "sluice/status.h"

namespace sluice {

class LineRange;
template <typename T>
class RecordRange;

class Reader {
 public:
  static constexpr int end = -1;  // what get() returns when there are no more bytes

  Reader() noexcept;
  ~Reader();
  Reader(Reader&& other) noexcept;
  Reader& operator=(Reader&& other) noexcept;

  // Opens the file at `path`, a Source of your own, or a descriptor that stays yours. A descriptor
  // that is non-blocking is waited for, without an end; on a socket that blocks, a timeout
  // (SO_RCVTIMEO) is a failure with EAGAIN. Once the end was seen it stays the end, also of a file
  // that grows. What is no open descriptor, or one that is not open for reading, fails with EBADF.
  // A directory fails with EISDIR. The open of a FIFO waits for a writer; a signal whose handler
  // returns does not end the wait.
  // Options that make no sense fail with EINVAL and name the option; an open Reader with EBUSY.
  Status open(const std::string& path, const ReaderOptions& options = {});
  Status open(std::unique_ptr<Source> source, const ReaderOptions& options = {});
  Status attach(int descriptor, const std::string& name, const ReaderOptions& options = {});

  // The next byte, 0 to 255, or Reader::end.
  int get();

  // Fills `into` and returns the number of bytes; fewer than asked for only at the end or on
  // failure.
  std::size_t read(MutableBytesView into) { return read(into.data(), into.size()); }
  std::size_t read(void* into, std::size_t bytes);

  // The bytes that come next, at least `bytes` of them and often many more; fewer only at the end
  // or on failure. They stay to be read: peek(1) shows what the block holds, and skip() passes what
  // was used of it. The block grows to what is asked for.
  BytesView peek(std::size_t bytes);

  // Passes so many bytes, and returns their number; fewer only at the end or on failure. What lies
  // beyond the block is not read where the Source has positions.
  std::uint64_t skip(std::uint64_t bytes);

  // The next byte to be handed out is the one at `position`, as position() counts. A seek within
  // the block makes no system call. One that misses it by 4 KiB at most reads around its position,
  // so that others near it find theirs in the block. Behind a far one less is read at once than in
  // sequence, until reading goes on there. A position behind the end is the end; one beyond 2^63 is
  // EFBIG. ESPIPE where the Source has no positions: the Reader then goes on as if nothing had been
  // asked. After a failure of the Reader every seek returns that failure.
  Status seek(std::uint64_t position);

  // Bytes from position 0 to the end, as far as the Source knows: files in /proc say 0, and others
  // may grow. ESPIPE where there is no size; the Reader goes on.
  Status size(std::uint64_t& bytes);

  // The next value, or values, from the bytes that Writer::write_value and write_values have
  // written. False, or fewer, at the end and on failure; bytes at the end that are no whole value
  // are a failure with EBADMSG and their offset.
  template <PlainValue T>
  bool read_value(T& value);
  template <MutablePlainValues T>
  std::size_t read_values(T&& values);

  // All that is left, replacing what `out` held; its capacity is reused. On failure `out` holds the
  // bytes read until then. Returns status().
  Status read_rest(std::string& out);
  Status read_rest(Bytes& out);

  // The bytes up to the next `delimiter`, which is passed and not given: next_line for any byte,
  // such as a comma or the NUL between names. options.max_line_bytes holds for them, too.
  bool read_until(char delimiter, std::string_view& part);

  // The next line without its newline; false at the end or on failure. NUL bytes are kept, the last
  // line needs no newline, and a line may be longer than the block (see options.max_line_bytes).
  bool next_line(std::string_view& line, CarriageReturn carriage_return = CarriageReturn::keep);
  LineRange lines(CarriageReturn carriage_return = CarriageReturn::keep);

  // The next number as text: whitespace is passed, then what std::from_chars reads, and no more. So
  // "-1.5e3,7" is one number for a double, after which ",7" is left; there is no plus sign, and a
  // base other than 10 has no prefix. False at the end of the input, where status() is ok.
  // Text that is no number is a failure with EBADMSG, and a number that does not fit T one with
  // ERANGE: the offset is that of the text, `value` stays, and every further call finds the
  // failure until skip_bad_number() gets past it. options.max_line_bytes holds for numbers, too.
  template <Integer T>
  bool next_number(T& value);
  template <Integer T>
  bool next_number(T& value, int base);
  template <FloatingPoint T>
  bool next_number(T& value, std::chars_format format = std::chars_format::general);

  // After a failure of next_number() for its text: the Reader is ok again and has passed that text,
  // which ends before the next of the `delimiters` or at the end of the input. False, and nothing
  // has changed, where there is no such failure.
  bool skip_bad_number(std::string_view& text, std::string_view delimiters = " \t\n\v\f\r");

  // The rest of the input as spans of T (as written by Writer::write_values), as many at a time as
  // the block holds. A partial record at the end fails with EBADMSG and its offset.
  template <typename T>
  RecordRange<T> records();

  // Bytes from where the source began to the next byte that will be handed out. What is attached
  // begins where its descriptor stands; the offsets in its errors count from there, too.
  std::uint64_t position() const noexcept;

  const Status& status() const noexcept;
  bool is_open() const noexcept;

  // Returns the first failure, of reading or of closing. A second call returns the same.
  Status close();

 private:
  // Implementation details follow.
  friend class LineRange;
  template <typename T>
  friend class RecordRange;
  class Core;  // everything that the fast path does not touch: src/core/reader.cc

  void close_from_destructor() noexcept;
  Status start(Status status, std::unique_ptr<Source> source, const ReaderOptions& options);
  Status refuse(Status status);
  int get_slow();
  std::size_t read_slow(void* into, std::size_t bytes);
  BytesView peek_slow(std::size_t bytes);
  std::uint64_t skip_slow(std::uint64_t bytes);
  template <typename Memory>
  Status read_rest_into(Memory& out);
  template <typename Call>
  bool guarded_call(Call call);
  template <Integer T>
  bool next_integer(T& value, int base);
  template <FloatingPoint T>
  bool next_floating_point(T& value, std::chars_format format);
  std::size_t read_values_slow(void* into, std::size_t value_bytes, std::size_t values);
  // Lines go by value, so that the caller's view stays in registers; null when there is none.
  std::string_view take_next_line(CarriageReturn carriage_return);
  // The same for a caller who keeps what newline_ was after its last line in a register.
  std::string_view take_next_line(CarriageReturn carriage_return, const std::uint32_t*& newline);
  std::string_view next_line_slow(CarriageReturn carriage_return);
  std::string_view take_line(const std::byte* newline, CarriageReturn carriage_return);
  BytesView take_records(std::size_t record_bytes, std::size_t alignment);

  // [cursor_, limit_) is read from the source and not yet handed out.
  const std::byte* cursor_ = nullptr;
  const std::byte* limit_ = nullptr;
  // [newline_, newlines_end_) are offsets from scan_base_ of newlines in the block, in order. Those
  // before cursor_ were passed by get or read.
  const std::uint32_t* newline_ = nullptr;
  const std::uint32_t* newlines_end_ = nullptr;
  const std::byte* scan_base_ = nullptr;
  std::unique_ptr<Core> core_;
};

// The lines of a Reader, for a range-based for. One pass: the views are valid until the next step.
class LineRange {
 public:
  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;

    Iterator(Reader& reader, CarriageReturn carriage_return)
        : reader_(&reader), carriage_return_(carriage_return) {
      ++*this;
    }
    std::string_view operator*() const { return line_; }
    Iterator& operator++() {
      line_ = reader_->take_next_line(carriage_return_, newline_);
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return line_.data() == nullptr; }

   private:
    Reader* reader_;
    std::string_view line_;
    const std::uint32_t* newline_ = nullptr;  // reader_->newline_, if nobody else has read since
    CarriageReturn carriage_return_;
  };

  LineRange(Reader& reader, CarriageReturn carriage_return)
      : reader_(&reader), carriage_return_(carriage_return) {}
  Iterator begin() const { return {*reader_, carriage_return_}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  Reader* reader_;
  CarriageReturn carriage_return_;
};

// The records of a Reader, as many at a time as the block holds. One pass, as LineRange.
template <typename T>
class RecordRange {
  static_assert(PlainValue<T>, "a record is read as its bytes lie in memory");
  static_assert(alignof(T) <= alignof(std::max_align_t), "blocks are aligned as malloc does it");

 public:
  class Iterator {
   public:
    using value_type = std::span<const T>;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(Reader& reader) : reader_(&reader) { ++*this; }
    std::span<const T> operator*() const { return records_; }
    Iterator& operator++() {
      const BytesView bytes = reader_->take_records(sizeof(T), alignof(T));
      records_ = {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return records_.empty(); }

   private:
    Reader* reader_;
    std::span<const T> records_;
  };

  explicit RecordRange(Reader& reader) : reader_(&reader) {}
  Iterator begin() const { return Iterator(*reader_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  Reader* reader_;
};

inline int Reader::get() {
  if (cursor_ == limit_) [[unlikely]]
    return get_slow();
  return static_cast<int>(*cursor_++);
}

inline std::size_t Reader::read(void* into, std::size_t bytes) {
  if (static_cast<std::size_t>(limit_ - cursor_) < bytes) [[unlikely]]
    return read_slow(into, bytes);
  if (bytes != 0) std::memcpy(into, cursor_, bytes);  // both pointers may be null when bytes is 0
  cursor_ += bytes;
  return bytes;
}

inline BytesView Reader::peek(std::size_t bytes) {
  if (static_cast<std::size_t>(limit_ - cursor_) < bytes) [[unlikely]]
    return peek_slow(bytes);
  return {cursor_, limit_};
}

inline std::uint64_t Reader::skip(std::uint64_t bytes) {
  if (static_cast<std::uint64_t>(limit_ - cursor_) < bytes) [[unlikely]]
    return skip_slow(bytes);
  cursor_ += bytes;
  return bytes;
}

template <PlainValue T>
bool Reader::read_value(T& value) {
  if (static_cast<std::size_t>(limit_ - cursor_) < sizeof(T)) [[unlikely]] {
    return read_values_slow(&value, sizeof(T), 1) == 1;
  }
  std::memcpy(&value, cursor_, sizeof(T));
  cursor_ += sizeof(T);
  return true;
}

template <MutablePlainValues T>
std::size_t Reader::read_values(T&& values) {
  return read_values_slow(std::ranges::data(values), sizeof(*std::ranges::data(values)),
                          std::ranges::size(values));
}

// Two numbers with one byte of whitespace between them are the usual case. Everything else takes
// the slow path: more whitespace, text that is no number, a number that may not fit, and the end of
// the block, where a number may go on behind it.
template <Integer T>
bool Reader::next_number(T& value) {
  constexpr int max_digits = 18;  // of any number that fits 64 bits
  constexpr std::ptrdiff_t max_bytes = 1 + 1 + max_digits + 1;
  if (limit_ - cursor_ < max_bytes) [[unlikely]]
    return next_integer(value, 10);
  const std::byte* at = cursor_;
  if (*at == std::byte{'\n'} || *at == std::byte{' '}) [[likely]]
    ++at;
  const bool is_negative = std::signed_integral<T> && *at == std::byte{'-'};
  if (is_negative) [[unlikely]]
    ++at;
  std::uint64_t magnitude = 0;
  int digits = 0;
#pragma GCC unroll 18  // 3.2 ns instead of 4.2 for a number of seven digits
  for (; digits < max_digits; ++digits) {
    const unsigned digit = std::to_integer<unsigned>(at[digits]) - unsigned{'0'};
    if (digit > 9) break;
    magnitude = magnitude * 10 + digit;
  }
  constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if (digits == 0 || digits == max_digits || magnitude > max + (is_negative ? 1 : 0)) [[unlikely]]
    return next_integer(value, 10);
  at += digits;
  cursor_ = at;
  value = static_cast<T>(is_negative ? 0 - magnitude : magnitude);
  return true;
}

template <Integer T>
bool Reader::next_number(T& value, int base) {
  return next_integer(value, base);
}

template <FloatingPoint T>
bool Reader::next_number(T& value, std::chars_format format) {
  return next_floating_point(value, format);
}

inline std::string_view Reader::take_next_line(CarriageReturn carriage_return) {
  if (newline_ == newlines_end_ || scan_base_ + *newline_ < cursor_) [[unlikely]] {
    return next_line_slow(carriage_return);
  }
  return take_line(scan_base_ + *newline_++, carriage_return);
}

// The next step waits for the one before only in a register, not in newline_ in memory: 0.05 to 0.2
// nanoseconds a line less, of 1.1 to 1.2.
inline std::string_view Reader::take_next_line(CarriageReturn carriage_return,
                                               const std::uint32_t*& newline) {
  const std::uint32_t* const next = newline;
  if (next != newline_ || next == newlines_end_ || scan_base_ + *next < cursor_) [[unlikely]] {
    const std::string_view line = take_next_line(carriage_return);
    newline = newline_;
    return line;
  }
  newline = newline_ = next + 1;
  return take_line(scan_base_ + *next, carriage_return);
}

inline bool Reader::next_line(std::string_view& line, CarriageReturn carriage_return) {
  line = take_next_line(carriage_return);
  return line.data() != nullptr;
}

inline std::string_view Reader::take_line(const std::byte* newline,
                                          CarriageReturn carriage_return) {
  auto bytes = static_cast<std::size_t>(newline - cursor_);
  const char* text = reinterpret_cast<const char*>(cursor_);
  cursor_ = newline + 1;
  if (carriage_return == CarriageReturn::strip && bytes > 0 && text[bytes - 1] == '\r') --bytes;
  return {text, bytes};
}

inline LineRange Reader::lines(CarriageReturn carriage_return) { return {*this, carriage_return}; }

template <typename T>
RecordRange<T> Reader::records() {
  return RecordRange<T>(*this);
}

}  // namespace sluice
