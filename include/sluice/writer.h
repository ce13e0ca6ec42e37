// Writer: buffered writing at the machine's limit, without a lost byte or a lost error.
//
//   sluice::Writer writer;
//   if (Status status = writer.open("run.bin"); !status.ok()) return status;
//   for (double value : values) writer.write_value(value);
//   return writer.close();
//
// The contract in short. Bytes accepted reach the target in order, exactly once, or the Writer has
// failed. A failure is kept for ever: status() names the first byte that was not written, and every
// byte before it is in the target. close() is ok only if every byte is where options.durability
// says.
// An open Writer that is destroyed closes itself; a failure then goes to the lost-error handler
// (sluice/lost_error.h).
// One that replaces a file atomically is discarded instead, and the handler learns that it was not
// closed: half a file takes no one's place.
//
// put and write return false once the Writer has failed; they return no Status because they cost no
// more than a compare and a copy, and close() reports the failure in any case. A false is seen at
// the first call that needs the target, which may come after the bytes at fault.
// After close() nothing is accepted: put and write return false and status() is EBADF from the
// first such call on, unless the Writer had failed before. close() keeps to its own result.
//
// Where memory runs out a call fails with ENOMEM; what was accepted and can no longer be written is
// a failure of the Writer like any other.
//
// Signals: a system call that one interrupts is made again. What the kernel sends for a write ends
// the program unless the program ignores or handles it: SIGPIPE, when nobody reads a pipe or socket
// any more, and SIGXFSZ, when a file would grow beyond RLIMIT_FSIZE. The Writer then fails with
// EPIPE or EFBIG. A write that is made behind the program fails so without SIGXFSZ: the library's
// threads block it. The library changes no signal's handling.
//
// Threads: one Writer belongs to one thread at a time. Different Writers are independent.
// pthread_cancel(): a thread that is cancelled finishes its call first, and ends at the next
// cancellation point: no call of the library is one. Cancellation is to be deferred, as it is by
// default; the asynchronous kind is not supported.
// fork(): a Writer belongs to the process that opened it. In the child its buffered bytes are
// discarded, writing fails with ECANCELED and the destructor is silent.
//
// The three-pointer fast path with a cold slow path follows the Writer of google/riegeli.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sluice/bytes.h"
#include "sluice/number.h"
#include "sluice/options.h"
#include "sluice/plain_value.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

class Writer {
 public:
  Writer() noexcept;
  ~Writer();
  Writer(Writer&& other) noexcept;
  Writer& operator=(Writer&& other) noexcept;  // an open target is closed first, as by ~Writer

  // Opens the file at `path`, a Sink of your own, or a descriptor that stays yours. Opening a Sink
  // or a descriptor creates nothing: `create` and `permissions` have no meaning there and are
  // ignored. The offset of a descriptor moves as under write(2), and position() begins with it. A
  // descriptor that is non-blocking is waited for, without an end. On a socket that blocks, a
  // timeout (SO_SNDTIMEO) is a failure with EAGAIN; the kernel counts it anew for each part that it
  // takes.
  // A descriptor that is not open for writing fails with EBADF. Options that make no sense fail
  // with EINVAL and name the option. A Writer that is open must be closed first (EBUSY).
  // An open that fails has changed no byte of an old file. Where there was no file it may leave an
  // empty one: durability was asked for, and there is no memory left, say. With
  // replace_atomically it leaves nothing; where it must, the message names the temporary file.
  // The open of a FIFO waits for a reader. A signal whose handler returns does not end the wait:
  // open is called again. What may have to give up opens the FIFO itself, and attaches it.
  Status open(const std::string& path, const WriterOptions& options = {});
  Status open(std::unique_ptr<Sink> sink, const WriterOptions& options = {});
  Status attach(int descriptor, const std::string& name, const WriterOptions& options = {});

  bool put(std::byte value);
  bool put(char value) { return put(static_cast<std::byte>(value)); }

  // A write that does not fit and has at least options.block_bytes / 16 bytes (with WriteBehind::on
  // options.block_bytes) is not copied, but for its end beyond the last multiple of that size: it
  // leaves in one call with whatever was buffered before it, in the caller's thread.
  bool write(const void* data, std::size_t bytes);
  bool write(BytesView bytes) { return write(bytes.data(), bytes.size()); }
  bool write(std::string_view text) { return write(text.data(), text.size()); }
  bool write(const char* text) { return write(std::string_view(text)); }
  bool write(std::nullptr_t) = delete;
  // A char array that is no literal may hold text up to a NUL, or bytes: say which.
  template <std::size_t size>
  bool write(char (&text_or_bytes)[size]) = delete;
  // What is neither bytes nor text: see write_value() and write_number().
  template <NeitherBytesNorText T>
  bool write(const T& value) = delete;

  // The object's bytes as they lie in memory, padding and byte order included.
  template <PlainValue T>
  bool write_value(const T& value) {
    return write(&value, sizeof(T));
  }

  // The elements' bytes, one after another: of a std::span, std::vector, std::array, ...
  template <typename T>
  requires PlainValues<const T>
  bool write_values(const T& values) {
    return write(std::ranges::data(values),
                 std::ranges::size(values) * sizeof(*std::ranges::data(values)));
  }

  // The number as text: 42, -1.5, 1e+300, inf, nan. An integer is written in `base`, 2 to 36, with
  // the letters a to z. A floating-point number is written as the shortest text that reads back as
  // the same number, or in `format` with `precision` digits. Every text is that of std::to_chars.
  // A base outside 2 to 36 is a mistake of the program: nothing of what is buffered is written, and
  // the Writer fails with EINVAL.
  template <Integer T>
  bool write_number(T value);
  template <Integer T>
  bool write_number(T value, int base);
  template <FloatingPoint T>
  bool write_number(T value);
  template <FloatingPoint T>
  bool write_number(T value, std::chars_format format);
  template <FloatingPoint T>
  bool write_number(T value, std::chars_format format, int precision);

  // Room for `bytes` bytes (at most options.block_bytes) to build data in place; commit() says how
  // many of them were used. Empty once the Writer has failed or when `bytes` is more than a block.
  // Valid until the next call on this Writer that writes, flushes, commits or reserves.
  // A commit of more bytes than are reserved is a mistake of the program, and so is one after a
  // call that has accepted bytes since: none of its bytes leaves, and the Writer fails with EINVAL.
  // As after every failure, what was still buffered is not written either. Where the library was
  // built without NDEBUG, an assertion ends the program.
  MutableBytesView reserve(std::size_t bytes);
  void commit(std::size_t bytes);

  // Writes over what is at `position`: a header whose counts are known only at the end, say.
  // position() stays, and so does what reserve() gave, unless bytes beyond the block had to be
  // written. What lies in the block is changed there, without a system call; anything else is
  // written before the call returns. Where `position` lies behind the end of the target, zeros fill
  // the gap. A patch is as durable as every other write: see Durability.
  // ESPIPE, with the name of the target, where that has no positions (a pipe, a terminal, a file
  // that is appended to), and EFBIG beyond 2^63: the Writer goes on. Any other failure is one of
  // the Writer.
  Status write_at(std::uint64_t position, BytesView bytes);
  Status write_at(std::uint64_t position, std::string_view text);
  template <PlainValue T>
  Status write_value_at(std::uint64_t position, const T& value) {
    return write_at(position, BytesView(reinterpret_cast<const std::byte*>(&value), sizeof value));
  }

  // What is written next goes to `position`, over what is there; zeros fill a gap behind the end.
  // Where the target has no positions it fails as write_at() does, and the Writer goes on.
  Status seek(std::uint64_t position);

  // Bytes from the start of the target to the next byte that will be accepted. After a failure that
  // has an offset it is that: the first byte that was not written. After a seek() or a write_at()
  // bytes behind it may have been written.
  std::uint64_t position() const noexcept;

  // ok, or the first failure. Failures of write-behind show up at the next call that needs the
  // target.
  const Status& status() const noexcept;
  bool is_open() const noexcept;

  // Where the target cannot be made durable (see Durability) a flush to storage says so, and the
  // Writer goes on. When a file is replaced atomically, nothing shows before close().
  Status flush(FlushTo to = FlushTo::os);

  // When the target cannot be released either after a failure (a temporary file that stays behind,
  // say), the message goes on to tell of that; status() stays the first failure alone.
  // A second call returns what the first one did; unless that was Operation::sync_directory, which
  // says that the file is replaced but that its name may not survive a power cut: then the
  // directory is synced once more, and nothing else is done. status() stays.
  Status close();

  // Ends a Writer that replaces a file atomically, or whose Sink is staged, and leaves the target
  // as it was. close() fails from then on (ECANCELED). EINVAL for every other Writer, which stays
  // open: what it has written is in the target.
  Status discard();

 private:
  // Implementation details follow.
  friend class BlockRoom;  // sluice/print.h
  class Core;              // everything that the fast path does not touch: src/core/writer.cc

  bool put_slow(std::byte value);
  bool write_slow(const void* data, std::size_t bytes);
  MutableBytesView reserve_slow(std::size_t bytes);
  void commit_slow(std::size_t bytes);
  bool write_decimal_slow(bool is_negative, std::uint64_t magnitude);
  bool write_in_base(bool is_negative, std::uint64_t magnitude, int base);
  bool refuse_base(int base);
  template <FloatingPoint T>
  bool write_shortest_slow(T value);
  template <FloatingPoint T>
  bool write_formatted(T value, std::chars_format format, const int* precision);
  void close_from_destructor() noexcept;
  Status start(Status status, std::unique_ptr<Sink> sink, const WriterOptions& options);
  Status refuse(Status status);

  // begin_ <= cursor_ <= limit_; [begin_, cursor_) is accepted and not yet handed on.
  // All three are equal (and may be null) whenever every call has to take the slow path.
  std::byte* begin_ = nullptr;
  std::byte* cursor_ = nullptr;
  std::byte* limit_ = nullptr;
  // What reserve() gave. It counts for as long as the cursor is there, so that put and write need
  // not end it.
  const std::byte* reserved_at_ = nullptr;
  std::size_t reserved_bytes_ = 0;
  std::unique_ptr<Core> core_;
};

inline bool Writer::put(std::byte value) {
  if (cursor_ == limit_) [[unlikely]]
    return put_slow(value);
  *cursor_++ = value;
  return true;
}

inline bool Writer::write(const void* data, std::size_t bytes) {
  // 0 bytes take the slow path, too, because 0 - 1 is more than any room: it knows of a failure.
  if (bytes - 1 >= static_cast<std::size_t>(limit_ - cursor_)) [[unlikely]] {
    return write_slow(data, bytes);
  }
  std::memcpy(cursor_, data, bytes);
  cursor_ += bytes;
  return true;
}

template <Integer T>
bool Writer::write_number(T value) {
  if (static_cast<std::size_t>(limit_ - cursor_) < decimal_room_bytes) [[unlikely]] {
    return write_decimal_slow(value < 0, magnitude_of(value));
  }
  char* to = reinterpret_cast<char*>(cursor_);
  if (value < 0) *to++ = '-';
  cursor_ = reinterpret_cast<std::byte*>(write_decimal(to, magnitude_of(value)));
  return true;
}

template <Integer T>
bool Writer::write_number(T value, int base) {
  return write_in_base(value < 0, magnitude_of(value), base);
}

template <FloatingPoint T>
bool Writer::write_number(T value) {
  const auto room = static_cast<std::size_t>(limit_ - cursor_);
  if (std::same_as<T, long double> || room < shortest_room_bytes) return write_shortest_slow(value);
  if constexpr (!std::same_as<T, long double>) {
    char* const to = reinterpret_cast<char*>(cursor_);
    cursor_ = reinterpret_cast<std::byte*>(write_shortest(to, value));
  }
  return true;
}

template <FloatingPoint T>
bool Writer::write_number(T value, std::chars_format format) {
  return write_formatted(value, format, nullptr);
}

template <FloatingPoint T>
bool Writer::write_number(T value, std::chars_format format, int precision) {
  return write_formatted(value, format, &precision);
}

inline MutableBytesView Writer::reserve(std::size_t bytes) {
  if (static_cast<std::size_t>(limit_ - cursor_) < bytes) [[unlikely]]
    return reserve_slow(bytes);
  reserved_at_ = cursor_;
  reserved_bytes_ = bytes;
  return {cursor_, bytes};
}

inline void Writer::commit(std::size_t bytes) {
  if (cursor_ != reserved_at_ || bytes > reserved_bytes_) [[unlikely]]
    return commit_slow(bytes);
  cursor_ += bytes;
}

}  // namespace sluice
