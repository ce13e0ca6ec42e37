// Reader: buffered reading at the machine's limit: bytes, lines, records.
//
//   sluice::Reader reader;
//   if (Status status = reader.open("words.txt"); !status.ok()) return status;
//   for (std::string_view line : reader.lines()) count += line.size();
//   return reader.close();
//
// The end: the input ends where a read gives 0 bytes, whatever size the file has. So files in
// /proc, pipes and growing files are read correctly.
//
// Failures: after a failure every call that hands out bytes gives no bytes, as at the end. There is
// one exception: a failure to fetch more bytes, because the Source failed or the block could not
// grow. After such a failure get(), read(), peek() and skip() still give the bytes that were
// fetched before it, such as the beginning of a line. To tell a failure from the end, ask status():
// at the end it is ok. status() and close() return the first failure. If no call has given the
// failure to the program, the destructor gives it to the lost-error handler (sluice/lost_error.h).
// If memory runs out, the Reader fails with ENOMEM.
//
// Views: lines, the parts that read_until() gives, records, and the bytes that peek() shows lie in
// the Reader's block. These views are valid until the next call of the Reader.
//
// Threads: one Reader belongs to one thread at a time. Different Readers are independent.
//
// pthread_cancel(): a thread that is cancelled finishes its call first, and ends at the next
// cancellation point. No call of the library is a cancellation point. Only deferred cancellation
// (the default) is supported, asynchronous cancellation is not. One case is different: if a process
// has only one thread, and this thread has cancelled itself, it may end within a call that reads.
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
#include "sluice/window.h"

namespace sluice {

class LineRange;
template <typename T>
class RecordRange;

class Reader : private sluice_reader {
 public:
  static constexpr int end = -1;  // get() returns it when there are no more bytes

  // A Reader can be moved, and not copied. A Reader that was moved from is not open.
  Reader() noexcept;
  ~Reader();
  Reader(Reader&& other) noexcept;
  Reader& operator=(Reader&& other) noexcept;

  // These calls open the file at `path`, a Source of your own, or your own descriptor, which
  // close() leaves open.
  //  - Options that make no sense fail with EINVAL, and the message names the option.
  //  - A Reader that is open must be closed first (EBUSY).
  //  - A directory fails with EISDIR.
  //  - A number that is not a descriptor open for reading fails with EBADF.
  //  - If a descriptor is non-blocking, the Reader waits for it, however long that takes. On a
  //    socket that blocks, a timeout (SO_RCVTIMEO) is a failure with EAGAIN.
  //  - The open of a FIFO waits for a writer. A signal whose handler returns does not end the wait.
  // Once the Reader has seen the end, it stays at the end until seek(), even if the file grows.
  Status open(const std::string& path, const ReaderOptions& options = {});
  Status open(std::unique_ptr<Source> source, const ReaderOptions& options = {});
  Status attach(int descriptor, const std::string& name, const ReaderOptions& options = {});

  // Takes the next byte, 0 to 255, or returns Reader::end.
  int get();

  // Fills `into` and returns the number of bytes. The number is smaller than asked for only at the
  // end or on failure.
  std::size_t read(MutableBytesView into) { return read(into.data(), into.size()); }
  std::size_t read(void* into, std::size_t bytes);

  // Shows the bytes that come next, without passing them: at least `bytes` of them, and often many
  // more. There are fewer only at the end or on failure. The block grows if `bytes` asks for more
  // than it holds. So a program can work in the block: peek(1) shows all bytes that the block
  // holds, and skip() passes the bytes that the program has used.
  BytesView peek(std::size_t bytes);

  // Passes `bytes` bytes, and returns how many it has passed. The number is smaller than asked for
  // only at the end or on failure. If the Source has positions and knows its size, a skip of more
  // than options.block_bytes beyond the block does not read the bytes that it passes. It reads only
  // the last one of them, to see that they are there.
  std::uint64_t skip(std::uint64_t bytes);

  // Goes to `position`: the byte there, as position() counts, is the next one that is handed out.
  // If `position` is past the end, the Reader is at the end.
  //
  // A seek within the block makes no system call. In a regular file that was opened by its path,
  // and in any Source whose reads_anywhere() is true, a seek to a position at most 4 KiB outside
  // the block fetches the bytes around this position, so that further seeks near it stay within the
  // block. After any other seek the first fetch is small, and each further one is larger.
  //
  // A position from 2^63 on fails with EFBIG. After attach(), a position that is too large for the
  // descriptor's file system fails with EFBIG too. A Source without positions fails with ESPIPE.
  // After these failures the Reader goes on as if seek() had not been called. Once the Reader
  // itself has failed, every seek returns the failure of the Reader.
  Status seek(std::uint64_t position);

  // Sets `bytes` to the number of bytes from position 0 to the end, as far as the Source knows. The
  // size of a file in /proc is 0, and any file may grow. A Source without a size fails with ESPIPE,
  // and the Reader goes on. A device has no size either, although a seek in a block device works.
  Status size(std::uint64_t& bytes);

  // These calls read values that Writer::write_value or write_values has written. At the end and on
  // failure read_value() returns false, and read_values() returns a smaller number of values than
  // `values` has. If the input ends with an incomplete value, the Reader fails with EBADMSG and the
  // offset of that value. Both calls pass the bytes of an incomplete value, and no later call gives
  // them. This also holds if a failure of the Source has cut the value off.
  template <PlainValue T>
  bool read_value(T& value);
  template <MutablePlainValues T>
  std::size_t read_values(T&& values);
  template <NotPlainValue T>
  bool read_value(T& value) = delete;  // read its members, or use next_line() for text
  template <NotMutablePlainValues T>
  std::size_t read_values(T&& values) = delete;  // pass a std::span of values that are not const

  // Reads all bytes that are left into `out`, and returns status(). The bytes replace the old
  // contents of `out`, whose capacity is reused. After a failure `out` holds the bytes that were
  // read before the failure.
  Status read_rest(std::string& out);
  Status read_rest(Bytes& out);

  // Gives the bytes up to the next `delimiter`, and passes the delimiter. The call works like
  // next_line(), with a byte of your choice instead of the newline: a comma, or the NUL between
  // names. options.max_line_bytes limits the parts too.
  bool read_until(char delimiter, std::string_view& part);
  template <BytesOrText T>
  bool read_until(const T&, std::string_view&) = delete;  // pass one char: ',' instead of ","

  // Gives the next line without its newline. Returns false at the end or on failure. NUL bytes are
  // kept, the last line needs no newline, and a line may be longer than the block (see
  // options.max_line_bytes).
  bool next_line(std::string_view& line, CarriageReturn carriage_return = CarriageReturn::keep);
  LineRange lines(CarriageReturn carriage_return = CarriageReturn::keep) &;
  LineRange lines(CarriageReturn = CarriageReturn::keep) && = delete;  // give the Reader a name

  // Reads the next number, which the input has as text. The call passes whitespace and then the
  // text that std::from_chars reads, and no more. For example, if the input is "-1.5e3,7" and T is
  // double, the call passes "-1.5e3", and ",7" is left. The call accepts no plus sign, and no
  // prefix for a base other than 10.
  //
  // Nothing has to stand between two numbers: "1-2" is 1 and -2, and of "12x" the call reads 12
  // before the next call fails at the "x". A program that requires a space or a newline after each
  // number looks at peek(1) after the call.
  //
  // At the end of the input the call returns false, and status() is ok.
  //
  // Text that is not a number is a failure with EBADMSG. A number that does not fit T is a failure
  // with ERANGE. The failure has the offset of the text, its message quotes the beginning of the
  // text, and `value` stays as it was. The Reader keeps the failure, so no call gives further bytes
  // until skip_bad_number() passes the text.
  //
  // A `base` that is not between 2 and 36 is a failure with EINVAL.
  //
  // The call fetches bytes until it sees the end of the number. If the Source fails before that,
  // the call gives no number. A text of more than options.max_line_bytes bytes is a failure with
  // EMSGSIZE if the call has to fetch bytes to see its end. If "(" follows the text "nan", the text
  // goes on to the ")", or to a byte that may not stand between the parentheses.
  template <Integer T>
  bool next_number(T& value);
  template <Integer T>
  bool next_number(T& value, int base);
  template <FloatingPoint T>
  bool next_number(T& value, std::chars_format format = std::chars_format::general);
  template <NotNumber T>
  bool next_number(T&, auto...) = delete;  // use next_line() for text, get() for a byte

  // Call this when next_number() has failed because of the text (EBADMSG or ERANGE). The call
  // passes that text, gives it in `text`, and makes the Reader ok again. The text has at least one
  // byte. It ends before the first of the `delimiters` that comes after that byte, or at the end of
  // the input. If next_number() has not failed in this way, the call returns false, `text` is
  // empty, and the Reader stays as it was. If the end of the text is not found within
  // options.max_line_bytes, the Reader fails with EMSGSIZE.
  bool skip_bad_number(std::string_view& text, std::string_view delimiters = " \t\n\v\f\r");

  // Gives the rest of the input as spans of T. The input must have the bytes of values of T, as
  // Writer::write_values writes them; each value is called a record here. Each span has all whole
  // records of the block. If the input ends with an incomplete record, the Reader fails with
  // EBADMSG and the offset of that record.
  template <typename T>
  RecordRange<T> records() &;
  template <typename T>
  RecordRange<T> records() && = delete;  // give the Reader a name

  // The number of bytes from the beginning of the source to the next byte that will be handed out.
  // With attach() the source begins at the descriptor's file offset. The offsets in errors count
  // from this beginning too.
  std::uint64_t position() const noexcept;

  // ok, or the first failure.
  const Status& status() const noexcept;

  // True from an ok open() or attach() to the first close().
  bool is_open() const noexcept;

  // Releases the source, and returns the first failure of reading or of closing. A second call
  // returns the result of the first one.
  Status close();

 private:
  // Implementation details follow.
  // The base has the two pointers of the fast path: cursor_ and limit_.
  friend class LineRange;
  friend class ReaderBuffer;  // sluice/iostream.h
  template <typename T>
  friend class RecordRange;
  friend struct CInterface;  // src/c/handles.h
  class Core;                // holds all that the fast path does not touch: src/core/reader.cc

  bool has_failed() const noexcept;  // does not count as asking for the failure
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
  bool refuse_call(std::string_view reason);
  template <Integer T>
  bool next_integer(T& value, int base);
  template <FloatingPoint T>
  bool next_floating_point(T& value, std::chars_format format);
  std::size_t read_values_slow(void* into, std::size_t value_bytes, std::size_t values);
  // Returns a line by value, so that the caller's view stays in registers. Null if there is no
  // line.
  std::string_view take_next_line(CarriageReturn carriage_return);
  // The caller keeps a copy of newline_ in a register from one line to the next. `newline` is this
  // copy, which the call compares with newline_ and sets.
  std::string_view take_next_line(CarriageReturn carriage_return, const std::uint32_t*& newline);
  std::string_view next_line_slow(CarriageReturn carriage_return);
  std::string_view take_line(const std::byte* newline, CarriageReturn carriage_return);
  BytesView take_records(std::size_t record_bytes, std::size_t alignment);

  // [newline_, newlines_end_) has the offsets from scan_base_ of newlines in the block, in order.
  // get or read has passed the newlines that lie before cursor_.
  const std::uint32_t* newline_ = nullptr;
  const std::uint32_t* newlines_end_ = nullptr;
  const std::byte* scan_base_ = nullptr;
  std::unique_ptr<Core> core_;
};

// The lines of a Reader. A range-based for loop can go through them once. Each view is valid until
// the next step of the loop.
class LineRange {
 public:
  // Implementation details follow.
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
    const std::uint32_t* newline_ = nullptr;  // equals reader_->newline_ if only this loop reads
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

// The records of a Reader. A range-based for loop can go through them once. Each span has all whole
// records of the block, and is valid until the next step of the loop.
template <typename T>
class RecordRange {
  static_assert(PlainValue<T>, "a record is read as its bytes lie in memory");
  static_assert(alignof(T) <= alignof(std::max_align_t), "blocks are aligned as malloc does it");

 public:
  // Implementation details follow.
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

// Usually one byte of whitespace stands between two numbers. Four cases take the slow path: more
// whitespace, text that is not a number, a number that may not fit, and the end of the block,
// because the number may go on past it.
template <Integer T>
bool Reader::next_number(T& value) {
  constexpr int max_digits = 18;  // any number of so many digits fits 64 bits
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
#pragma GCC unroll 18  // so that no digit needs a counter
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

// Each step of a loop over lines needs the result of the step before. This function finds that
// result in a register, not in newline_ in memory.
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

inline LineRange Reader::lines(CarriageReturn carriage_return) & {
  return {*this, carriage_return};
}

template <typename T>
RecordRange<T> Reader::records() & {
  return RecordRange<T>(*this);
}

}  // namespace sluice
