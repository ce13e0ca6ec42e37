// Reader: buffered reading at the machine's limit: bytes, lines, records.
//
//   sluice::Reader reader;
//   if (Status status = reader.open("words.txt"); !status.ok()) return status;
//   for (std::string_view line : reader.lines()) count += line.size();
//   return reader.close();
//
// The end: the input ends where a read gives 0 bytes, whatever size the file has. So pipes, files
// in /proc and files that grow meanwhile are read up to the end that the Reader finds.
//
// Failures: after a failure every call that hands out bytes gives no bytes, as at the end. There is
// one exception: a failure to fetch more bytes, because the Source failed or the block could not
// grow. After such a failure get(), read(), peek() and skip() still give the bytes that were
// fetched before it, such as the beginning of a line. To tell a failure from the end, ask status():
// at the end it is ok. status() and close() return the first failure. If no call has given the
// failure to the program, the destructor gives it to the lost-error handler (sluice/lost_error.h).
// If memory runs out, the Reader fails with ENOMEM.
//
// After close() the Reader gives no bytes. The first call that asks for bytes makes the Reader fail
// with EBADF, unless the Reader had failed before. A second close() still returns the result of the
// first one.
//
// Views: lines, the parts that read_until() gives, records, and the bytes that peek() shows lie in
// the Reader's block. These views are valid until the next call that reads, peeks, skips, seeks,
// closes or moves the Reader. position(), size(), status() and is_open() leave them valid.
//
// Threads: one Reader belongs to one thread at a time. Different Readers are independent.
//
// pthread_cancel(): a thread that is cancelled finishes its call first, and ends at the next
// cancellation point. No call of a Reader is a cancellation point. Only deferred cancellation (the
// default) is supported, asynchronous cancellation is not. One case is different: if a process has
// only one thread, and this thread has cancelled itself, it may end within a call that reads.
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

class Codec;
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
  //  - The open of a FIFO waits until a process opens the FIFO for writing. A signal whose handler
  //    returns does not end the wait.
  // Once the Reader has seen the end, it stays at the end until seek(), even if the file grows.
  Status open(const std::string& path, const ReaderOptions& options = {});
  template <NotOptions<ReaderOptions> T>
  Status open(const std::string&, const T&) = delete;  // pass ReaderOptions
  Status open(std::unique_ptr<Source> source, const ReaderOptions& options = {});
  Status attach(int descriptor, const std::string& name, const ReaderOptions& options = {});

  // Takes the next byte, 0 to 255, or returns Reader::end.
  int get();

  // Fills `into` and returns the number of bytes. The number is smaller than asked for only at the
  // end or on failure.
  std::size_t read(MutableBytesView into) { return read(into.data(), into.size()); }
  std::size_t read(void* into, std::size_t bytes);
  template <NotMutableBytes T>
  std::size_t read(T&&) = delete;  // pass a MutableBytesView, or an address and a size

  // Shows the bytes that come next, and leaves them in place: at least `bytes` bytes, and often
  // many more. The view has fewer bytes only at the end or on failure. If `bytes` is larger than
  // the block, the block grows. So a program can work in the block: peek(1) shows all bytes that
  // the block holds, and skip() skips the bytes that the program has used.
  BytesView peek(std::size_t bytes);

  // Skips `bytes` bytes, and returns how many bytes it has skipped. The number is smaller than
  // asked for only at the end or on failure. If the Source has positions and knows its size, the
  // Reader does not read the skipped bytes if the skip ends more than options.block_bytes after the
  // block. It then seeks to the last skipped byte and reads from there, to see that the input is
  // that long.
  std::uint64_t skip(std::uint64_t bytes);

  // Goes to `position`, counted as position() counts. The byte there is the next byte that is
  // handed out. If `position` is past the end, the Reader is at the end.
  //
  // A seek within the block makes no system call. In a regular file that was opened by its path,
  // and in any Source whose reads_anywhere() is true, a seek to a position at most 4 KiB outside
  // the block fetches the bytes around this position, so that further seeks near it stay within the
  // block. After any other seek the first fetch is small, and each further one is larger.
  //
  // A position from 2^63 on fails with EFBIG. After attach(), a position that is too large for the
  // descriptor's file system fails with EFBIG too. A Source without positions fails with ESPIPE,
  // unless the byte at `position` is still in the block. A program cannot rely on that. After these
  // failures, and after any other failure of a Source's seek(), the Reader goes on as if seek() had
  // not been called. Once the Reader itself has failed, every seek returns the failure of the
  // Reader.
  Status seek(std::uint64_t position);

  // Sets `bytes` to the number of bytes from position 0 to the end, as far as the Source knows. The
  // size of a file in /proc is 0, and any file may grow. A Source without a size fails with ESPIPE,
  // and the Reader goes on. A device has no size either, although a seek in a block device works.
  Status size(std::uint64_t& bytes);

  // These calls read values that Writer::write_value or write_values has written. At the end and on
  // failure read_value() returns false, and read_values() returns a smaller number of values than
  // `values` has. If the input ends with an incomplete value, the Reader fails with EBADMSG and the
  // offset of that value. Both calls skip the bytes of an incomplete value, and no later call gives
  // these bytes. This also holds if the value is incomplete because the Source has failed: the
  // bytes that were fetched before that failure are skipped here.
  template <PlainValue T>
  bool read_value(T& value);
  template <MutablePlainValues T>
  std::size_t read_values(T&& values);
  template <NotPlainValue T>
  bool read_value(T& value) = delete;  // read its members, or use next_line() for text
  template <PlainValue T>
  bool read_value(const T& value) = delete;  // pass a value that is not const
  template <NotMutablePlainValues T>
  std::size_t read_values(T&& values) = delete;  // pass a std::span of values that are not const

  // Reads all bytes that are left into `out`, and returns status(). The bytes replace the old
  // contents of `out`, whose capacity is reused. After a failure `out` holds the bytes that were
  // read before the failure.
  Status read_rest(std::string& out);
  Status read_rest(Bytes& out);

  // Gives the bytes up to the next `delimiter`, and skips the delimiter. The call works like
  // next_line(), with a byte of your choice instead of the newline: a comma, or the NUL between
  // names. options.max_line_bytes limits the parts too.
  bool read_until(char delimiter, std::string_view& part);
  template <BytesOrText T>
  bool read_until(const T&, std::string_view&) = delete;  // pass one char: ',' instead of ","
  bool read_until(char, std::string&) = delete;           // pass a std::string_view, and copy that

  // Gives the next line without its newline. Returns false at the end or on failure. NUL bytes are
  // kept, the last line needs no newline, and a line may be longer than the block (see
  // options.max_line_bytes).
  bool next_line(std::string_view& line, CarriageReturn carriage_return = CarriageReturn::keep);
  bool next_line(std::string&, auto...) = delete;  // pass a std::string_view, and copy that
  LineRange lines(CarriageReturn carriage_return = CarriageReturn::keep) &;
  LineRange lines(CarriageReturn = CarriageReturn::keep) && = delete;  // give the Reader a name

  // Reads the next number from text. The call skips whitespace, takes the text that std::from_chars
  // reads, and takes no more. For example, if the input is "-1.5e3,7" and T is double, the call
  // takes "-1.5e3", and ",7" is left. The call accepts no plus sign, and no prefix for a base other
  // than 10.
  //
  // Nothing has to stand between two numbers. From "1-2" two calls read 1 and -2. From "12x" the
  // first call reads 12, and the second call fails at the "x". A program that requires a space or a
  // newline after each number looks at peek(1) after the call.
  //
  // At the end of the input the call returns false, and status() is ok.
  //
  // Text that is not a number is a failure with EBADMSG. A number that does not fit T is a failure
  // with ERANGE. The failure has the offset of the text, its message quotes the beginning of the
  // text, and `value` stays as it was. The Reader keeps the failure, so no call gives further bytes
  // until skip_bad_number() skips the text.
  //
  // A `base` that is not between 2 and 36 is a failure with EINVAL.
  //
  // The call fetches bytes until it sees the end of the number. If the Source fails before that,
  // the call gives no number. A text of more than options.max_line_bytes bytes may be a failure
  // with EMSGSIZE. As with std::from_chars, "nan(...)" is one text, up to its ")".
  template <Integer T>
  bool next_number(T& value);
  template <Integer T>
  bool next_number(T& value, int base);
  template <FloatingPoint T>
  bool next_number(T& value, std::chars_format format = std::chars_format::general);
  template <Integer T, typename... Arguments>
  requires NotBase<Arguments...>
  bool next_number(T&, Arguments...) = delete;  // give a base, such as 16, and nothing more
  template <FloatingPoint T, typename... Arguments>
  requires NotFormat<Arguments...>
  bool next_number(T&, Arguments...) = delete;  // give a std::chars_format, and nothing more
  template <NotNumber T>
  bool next_number(T&, auto...) = delete;  // use next_line() for text, get() for a byte

  // Call this when next_number() has failed because of the text (EBADMSG or ERANGE). The call skips
  // that text, gives it in `text`, and makes the Reader ok again. The text begins at the byte where
  // next_number() failed, even if this byte is a delimiter. The text ends before the next byte that
  // is in `delimiters`, or at the end of the input. If next_number() has not failed in this way,
  // the call returns false, `text` is empty, and the Reader stays as it was. If the end of the text
  // is not found within options.max_line_bytes, the Reader fails with EMSGSIZE.
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
  friend Status open_decompressed(Reader& reader, const std::string& path,
                                  std::span<const Codec* const> codecs,
                                  const ReaderOptions& options);
  friend struct CInterface;  // src/c/handles.h
  class Core;                // holds all that the fast path does not touch: src/core/reader_core.h

  // For a caller that does not give the Status to the program: the failure stays untold.
  bool has_failed() const noexcept;
  Status seek_untold(std::uint64_t position);
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
  // Some of them may lie before cursor_, because get or read has gone past them.
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
  static_assert(PlainValue<T>, "the bytes of T are addresses: use next_line() for text");
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

// Usually one newline or one space stands between two numbers. Four cases take the slow path: other
// whitespace, text that is not a number, a number that may not fit, and a number near the end of
// the block, because the number may go on after the block.
template <Integer T>
bool Reader::next_number(T& value) {
  constexpr unsigned max_digits = 18;  // any number of so many digits fits 64 bits
  constexpr std::ptrdiff_t max_bytes = 1 + 1 + max_digits + 1;
  if (limit_ - cursor_ < max_bytes) [[unlikely]]
    return next_integer(value, 10);
  // Each number waits for the end of the number before it. Loading from at + 1 saves the load from
  // waiting for ++at: 3.0 instead of 3.3 ns a number on Zen 5.
  const std::byte* at = cursor_;
  std::uint64_t text;
  if (*at == std::byte{'\n'} || *at == std::byte{' '}) [[likely]] {
    text = load_text(at + 1);
    ++at;
  } else {
    text = load_text(at);
  }
  const bool is_negative = std::signed_integral<T> && *at == std::byte{'-'};
  if (is_negative) [[unlikely]]
    text = load_text(++at);
  const LeadingDigits first = leading_digits(text);
  unsigned digits = first.count;
  std::uint64_t magnitude = first.value;
  if (digits == 8) {
    const LeadingDigits more = leading_digits(load_text(at + 8));
    magnitude = magnitude * small_powers_of_ten[more.count] + more.value;
    digits += more.count;
    for (; digits >= 16 && digits < max_digits; ++digits) {
      const unsigned digit = std::to_integer<unsigned>(at[digits]) - unsigned{'0'};
      if (digit > 9) break;
      magnitude = magnitude * 10 + digit;
    }
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

// Three cases take the slow path: a long double, text that is not a number or does not fit, and a
// text whose end this function does not see. This function takes three kinds of byte for the end of
// a number: a comma, a value of at most 32 (the space), and a value of 128 or more.
template <FloatingPoint T>
bool Reader::next_number(T& value, std::chars_format format) {
  if constexpr (!std::same_as<T, long double>) {
    const auto* at = reinterpret_cast<const char*>(cursor_);
    const auto* const limit = reinterpret_cast<const char*>(limit_);
    while (at != limit && (*at == ' ' || (*at >= '\t' && *at <= '\r'))) ++at;
    T parsed_value;
    const std::from_chars_result parsed = std::from_chars(at, limit, parsed_value, format);
    const bool is_whole =
        parsed.ptr != limit && (static_cast<signed char>(*parsed.ptr) <= ' ' || *parsed.ptr == ',');
    if (is_whole && parsed.ec == std::errc()) [[likely]] {
      cursor_ = reinterpret_cast<const std::byte*>(parsed.ptr);
      value = parsed_value;
      return true;
    }
  }
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
