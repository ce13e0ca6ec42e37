// Writer: buffered writing at the machine's limit, without a lost byte or a lost error.
//
//   sluice::Writer writer;
//   if (Status status = writer.open("run.bin"); !status.ok()) return status;
//   for (double value : values) writer.write_value(value);
//   return writer.close();
//
// Contract: accepted bytes reach the target in order and exactly once, or the Writer has failed.
// close() is ok only if every byte is in the target, and as durable as options.durability asks for.
// An open Writer that is destroyed closes itself. A failure that no call has given to the program
// goes to the lost-error handler (sluice/lost_error.h). A Writer that replaces a file atomically is
// discarded instead, so that an incomplete file never takes the place of a complete file. The
// handler then learns that the Writer was not closed.
//
// These calls give the program the failure of the Writer: status(), flush(), seek(), write_at() and
// close(). These calls do not: put and write, which return only false, and a discard() that is
// refused, which returns a failure of its own.
//
// Failures: a Writer keeps its first failure for ever. status() names the first byte that was not
// written. Every byte that was accepted before that byte is in the target. (With seek(), "before"
// means the order of the calls, not the order of the positions.) put and write return false once
// the Writer has failed. They return no Status, so that they cost no more than a compare and a
// copy. close() reports the failure in any case. A failure shows at the first call that needs the
// target, which may come after the call whose bytes could not be written.
//
// After close() the Writer accepts nothing: put and write return false, and make the Writer fail
// with EBADF, unless the Writer had failed before. A second close() still returns the result of the
// first one, with one exception: see close().
//
// A Writer refuses bytes if it is closed, could not be opened or was never opened. These bytes are
// not lost silently either. If no call gives the program a failure after the refusal, the
// lost-error handler learns of the refusal when the Writer is destroyed or opened anew.
//
// Memory: if memory runs out, a call fails with ENOMEM. If accepted bytes can then no longer be
// written, the Writer fails as after any other error.
//
// Signals: a system call that a signal interrupts is made again. The kernel sends SIGPIPE for a
// write to a pipe or socket that no process reads any more, and SIGXFSZ for a write that would make
// a file grow beyond RLIMIT_FSIZE. If the program ignores or handles the signal, the Writer fails
// with EPIPE or EFBIG. Otherwise the signal ends the program. There are two exceptions. A Writer
// from sluice/standard_streams.h fails with EPIPE, and SIGPIPE does not end the program. A write by
// one of the library's own threads (see WriteBehind) fails with EFBIG without SIGXFSZ, because
// these threads block that signal. The library changes no signal's handling.
//
// Threads: one Writer belongs to one thread at a time. Different Writers are independent.
//
// pthread_cancel(): a thread that is cancelled finishes its call first, and ends at the next
// cancellation point. No call of a Writer is a cancellation point. Only deferred cancellation (the
// default) is supported, asynchronous cancellation is not.
//
// fork(): a Writer belongs to the process that opened it. In the child the buffered bytes are
// discarded, writing fails with ECANCELED, and the destructor is silent.
//
// For maintainers: the design with three inline pointers follows the Writer of google/riegeli.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/bytes.h"
#include "sluice/number.h"
#include "sluice/options.h"
#include "sluice/plain_value.h"
#include "sluice/sink.h"
#include "sluice/status.h"
#include "sluice/window.h"

namespace sluice {

class Codec;
struct CompressionOptions;

class Writer : private sluice_writer {
 public:
  // A Writer can be moved, and not copied. A Writer that was moved from is not open.
  Writer() noexcept;
  ~Writer();
  Writer(Writer&& other) noexcept;
  Writer& operator=(Writer&& other) noexcept;  // closes an open Writer first, as ~Writer does

  // These calls open the file at `path`, a Sink of your own, or your own descriptor, which close()
  // leaves open.
  //
  // Mistakes: options that make no sense fail with EINVAL, and the message names the option. A
  // Writer that is open must be closed first (EBUSY).
  //
  // A Sink or a descriptor: opening it creates nothing, so `create` and `permissions` are ignored.
  //
  // A descriptor: attach() fails with EBADF if the descriptor is not open for writing. The file
  // offset moves as under write(2), and position() begins with that offset, or with the end of the
  // file if the descriptor appends (O_APPEND). If the descriptor is non-blocking, the Writer waits
  // for it, however long that takes. On a socket that blocks, a timeout (SO_SNDTIMEO) is a failure
  // with EAGAIN. The timeout begins anew each time that the kernel has taken some of the bytes.
  //
  // A FIFO: open waits for a reader. A signal whose handler returns does not end the wait, because
  // open is then called again. A program that may have to give up must open the FIFO itself and
  // attach it.
  //
  // After a failed open the bytes of an old file are unchanged. If there was no file, open may
  // leave an empty file, for example if durability was asked for and memory has run out. With
  // replace_atomically open leaves nothing. If it cannot remove its temporary file, the message
  // names that file.
  Status open(const std::string& path, const WriterOptions& options = {});
  template <NotOptions<WriterOptions> T>
  Status open(const std::string&, const T&) = delete;  // pass options: {.create = CreateMode::...}
  Status open(std::unique_ptr<Sink> sink, const WriterOptions& options = {});
  Status attach(int descriptor, const std::string& name, const WriterOptions& options = {});

  // Accepts one byte. Returns false once the Writer has failed. An integer of more than one byte,
  // such as the result of Reader::get(), must be between 0 and 255. Any other integer, such as
  // Reader::end, is a mistake of the program: the bytes that were accepted before are written, and
  // the Writer fails with EINVAL.
  bool put(std::byte value);
  bool put(char value) { return put(static_cast<std::byte>(value)); }
  template <SmallInteger T>
  bool put(T value) {
    return put(static_cast<std::byte>(value));
  }
  template <LargeInteger T>
  bool put(T value) {
    if (!std::in_range<std::uint8_t>(value)) [[unlikely]]
      return refuse_integer();
    return put(static_cast<std::byte>(value));
  }
  template <NeitherByteNorInteger T>
  bool put(const T&) = delete;  // pass one char; write() takes text, write_number() a number

  // Accepts bytes or text. Returns false once the Writer has failed. A null pointer to text is a
  // mistake of the program: the bytes that were accepted before are written, and the Writer fails
  // with EINVAL.
  //
  // A write is large if it does not fit into the room left in the block and has at least N bytes. N
  // is options.block_bytes / 16, or options.block_bytes with WriteBehind::on. A large write leaves
  // in two parts. The first part leaves in the caller's thread and is not copied: one system call
  // writes the buffered bytes and this part, up to a position in the target that is a multiple of
  // N. The second part, fewer than N bytes, is copied into the block. A large write at position 0
  // leaves whole, because it may be all that the program writes.
  bool write(const void* data, std::size_t bytes);
  bool write(BytesView bytes) { return write(bytes.data(), bytes.size()); }
  bool write(std::string_view text) { return write(text.data(), text.size()); }
  template <CharPointer T>
  bool write(const T& text) {
    if (text == nullptr) [[unlikely]]
      return refuse_null();
    return write(std::string_view(text));
  }
  // A literal, or a const array of characters that ends with its only NUL. Any other const array is
  // a mistake of the program: the bytes that were accepted before are written, and the Writer fails
  // with EINVAL.
  template <std::size_t size>
  bool write(const char (&text)[size]) {
    if (!ends_with_its_only_nul(text)) [[unlikely]]
      return refuse_text(text[size - 1] == 0);
    return write(text, size - 1);
  }
  // An array and a number of its bytes. A number that is larger than the array is a mistake of the
  // program, as above.
  template <PlainArray T, Size Bytes>
  bool write(const T& array, Bytes bytes) {
    const auto wanted = static_cast<std::size_t>(bytes);
    if (wanted > sizeof array) [[unlikely]]
      return refuse_size();
    return write(static_cast<const void*>(array), wanted);
  }
  template <PointerToNoPlainValue T, Size Bytes>
  bool write(const T&, Bytes) = delete;  // no plain value: write its contents
  bool write(std::nullptr_t) = delete;   // a null pointer is no text: pass "" or a std::string_view
  // A char array that is not const may hold text up to a NUL, or bytes.
  template <std::size_t size>
  bool write(char (&array)[size]) = delete;  // pass a std::string_view or a BytesView of the array
  template <NeitherBytesNorText T>
  bool write(const T& value) = delete;  // use write_value, write_values, write_number, put or print
  template <typename First, NoSizeBehind<First> Second>
  bool write(const First&, const Second&) = delete;  // write() each, or use print
  template <typename T, typename U, typename V>
  bool write(const T&, const U&, const V&, const auto&...) = delete;  // write() each, or use print

  // Writes the object's bytes as they lie in memory, in the machine's byte order and with padding.
  template <PlainValue T>
  bool write_value(const T& value) {
    return write(&value, sizeof(T));
  }
  template <std::size_t size>
  bool write_value(char (&array)[size]) {
    return write(&array, size);
  }
  template <NotPlainValue T>
  bool write_value(const T& value) = delete;  // use write_values or write(), or write its members
  template <std::size_t size>
  bool write_value(const char (&text)[size]) = delete;  // use write(), which leaves out the NUL

  // Writes the bytes of the elements, one after another. `values` is a std::span, std::vector,
  // std::array, ...
  template <typename T>
  requires PlainValues<const T>
  bool write_values(const T& values) {
    return write(std::ranges::data(values),
                 std::ranges::size(values) * sizeof(*std::ranges::data(values)));
  }
  template <NotPlainValues T>
  bool write_values(const T& values) = delete;  // use write, write_value or write_number for each
  template <std::size_t size>
  bool write_values(char (&array)[size]) {
    return write(&array, size);
  }
  template <std::size_t size>
  bool write_values(const char (&text)[size]) = delete;  // use write(), which leaves out the NUL
  template <typename T, std::size_t size>
  bool write_values(T (&&list)[size]) = delete;  // pass a std::array, a std::vector or a std::span

  // Writes the number as text, with the characters that std::to_chars gives: 42, -1.5, 1e+300, inf,
  // nan.
  //  - An integer is written in `base`, 2 to 36, with the letters a to z.
  //  - A floating-point number is written as the shortest text that reads back as this number, or
  //    in `format` with `precision` digits.
  // A base outside 2 to 36 is a mistake of the program: the bytes that were accepted before are
  // written, and the Writer fails with EINVAL.
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
  template <FloatingPoint T, typename... Arguments>
  requires NotFormatAndPrecision<Arguments...>
  bool write_number(T, Arguments...) = delete;  // give a std::chars_format, and then a precision
  template <Integer T, typename... Arguments>
  requires NotBase<Arguments...>
  bool write_number(T, Arguments...) = delete;  // give a base, such as 16, and nothing more
  template <NotNumber T>
  bool write_number(const T&, auto...) = delete;  // cast it to a number, or use put() or write()

  // reserve() gives room for `bytes` bytes (at most options.block_bytes), in which the program
  // builds data in place. commit() says how many bytes of the room were used. The room is empty if
  // the Writer has failed, or if `bytes` is more than a block. The room is valid until the next
  // call on this Writer that accepts bytes, seeks, flushes, commits or reserves. write_at() and a
  // refused seek() may leave it valid: see there.
  //
  // A commit() is a mistake of the program in two cases: it commits more bytes than are reserved,
  // or another call has accepted bytes since the reserve(). The bytes that were accepted before are
  // then written, the committed bytes are not written, and the Writer fails with EINVAL. If the
  // library was built without NDEBUG, an assertion ends the program.
  MutableBytesView reserve(std::size_t bytes);
  void commit(std::size_t bytes);

  // Writes `bytes` over the old bytes at `position`, for example over a header whose counts are
  // known only at the end. If `position` is past the end of the target, zeros fill the gap. If
  // `bytes` is empty, nothing changes, whatever `position` is, and the call returns status().
  //
  // Bytes that lie in the block are changed there, without a system call. All other bytes are
  // written before the call returns. They are as durable as the bytes of every other write: see
  // Durability. position() does not change. The room that reserve() gave stays valid too, unless
  // bytes beyond the block had to be written.
  //
  // Two failures leave the Writer as it was, with the room that reserve() gave:
  //  - ESPIPE, with the target's name: the target has no positions (a pipe, a terminal, a file that
  //    is appended to), and the bytes no longer lie in the block. Bytes that lie in the block can
  //    be changed in every target. The program cannot know how long they lie there.
  //  - EFBIG: the bytes are at position 2^63 or above.
  // Any other failure is a failure of the Writer.
  Status write_at(std::uint64_t position, BytesView bytes);
  Status write_at(std::uint64_t position, std::string_view text);
  // A literal or another const array of characters, as in write().
  template <std::size_t size>
  Status write_at(std::uint64_t position, const char (&text)[size]) {
    if (ends_with_its_only_nul(text)) return write_at(position, std::string_view(text, size - 1));
    refuse_text(text[size - 1] == 0);
    return status();
  }
  template <std::size_t size>
  Status write_at(std::uint64_t position, char (&array)[size]) = delete;  // pass a std::string_view
  template <CharPointer T>
  Status write_at(std::uint64_t position, const T& text) {
    if (text != nullptr) return write_at(position, std::string_view(text));
    refuse_null();
    return status();
  }
  Status write_at(std::uint64_t, std::nullptr_t) = delete;  // pass "" or a std::string_view
  template <NeitherBytesNorText T>
  Status write_at(std::uint64_t, const T&) = delete;  // use write_value_at, or pass a BytesView
  template <BytesOrText T>
  Status write_at(const T&, const auto&) = delete;                    // the position comes first
  Status write_at(std::uint64_t, const void*, std::size_t) = delete;  // pass a BytesView

  // Writes the object's bytes, as write_value() does, over the old bytes at `position`, as
  // write_at() does.
  template <PlainValue T>
  Status write_value_at(std::uint64_t position, const T& value) {
    return write_at(position, BytesView(reinterpret_cast<const std::byte*>(&value), sizeof value));
  }
  template <std::size_t size>
  Status write_value_at(std::uint64_t position, char (&array)[size]) {
    return write_at(position, std::as_bytes(std::span(array)));
  }
  template <NotPlainValue T>
  Status write_value_at(std::uint64_t, const T&) = delete;  // write its members; text: write_at()
  template <std::size_t size>
  Status write_value_at(std::uint64_t, const char (&)[size]) = delete;  // use write_at(): no NUL

  // Makes the next byte that is accepted go to `position`, over the old byte there. If `position`
  // is past the end, zeros fill the gap when that byte is written. If no further byte is accepted,
  // the target stays as it is.
  //
  // After these failures the Writer goes on, and position() is as before:
  //  - ESPIPE: the target has no positions. The room that reserve() gave stays valid.
  //  - EFBIG for a position from 2^63 on. The room that reserve() gave stays valid.
  //  - EFBIG for a smaller position: the file system of an attached descriptor, or a Sink of your
  //    own, does not support it. The buffered bytes are then written, and the room is gone. (In a
  //    file that was opened by its path, the write at such a position fails, not the seek.)
  // Any other failure is a failure of the Writer. If the target refused the seek, the failure's
  // offset is `position`, and every accepted byte is in the target. If the buffered bytes could not
  // be written before the seek, the failure names the first of them.
  Status seek(std::uint64_t position);

  // The number of bytes from the start of the target to the next byte that will be accepted. After
  // a failure that has an offset, position() is this offset: the first byte that was not written.
  // If seek() or write_at() was called, bytes after that byte may have been written. In a file that
  // is appended to, position() begins at the end that open found, and then counts only the bytes of
  // this Writer, not those of other processes.
  std::uint64_t position() const noexcept;

  // ok, or the first failure. If the Writer was never opened or was moved from, EBADF. A failure of
  // write-behind shows at the next call that needs the target.
  const Status& status() const noexcept;

  // True from an ok open() or attach() to the first close() or ok discard().
  bool is_open() const noexcept;

  // Makes the accepted bytes visible or durable: see FlushTo. If the target cannot be made durable
  // (see Durability), a flush to storage says so, and the Writer goes on. If a file is replaced
  // atomically or an object is written, nothing shows or is durable before close().
  Status flush(FlushTo to = FlushTo::os);

  // Writes the buffered bytes, makes them as durable as options.durability says, and releases the
  // target. If the Writer had failed before, and the target cannot be released either (for example
  // because a temporary file stays behind), the message describes both failures. status() then has
  // the first failure alone.
  //
  // A second call returns the result of the first one, with one exception. If a file is replaced
  // atomically, a failure with Operation::sync_directory says that the file is replaced, but that
  // its name may not survive a power cut. After such a failure the second call syncs the directory
  // again, and does nothing else. status() stays as it was.
  Status close();

  // Ends a Writer that replaces a file atomically, or whose Sink is staged, and leaves the target
  // as it was. From then on close() fails with ECANCELED. With every other Writer discard() fails
  // with EINVAL, because the bytes written so far are in the target. That Writer stays open.
  Status discard();

 private:
  // Implementation details follow.
  // The base has the three pointers of the fast path: begin_, cursor_ and limit_.
  friend class BlockRoom;  // sluice/print.h
  friend Status open_compressed(Writer& writer, const std::string& path, const Codec& codec,
                                const CompressionOptions& compression,
                                const WriterOptions& options);
  friend struct CInterface;      // src/c/handles.h
  friend class StandardStreams;  // src/core/standard_streams.cc
  friend class WriterBuffer;     // sluice/iostream.h
  class Core;  // holds all that the fast path does not touch: src/core/writer_core.h

  bool put_slow(std::byte value);
  bool write_slow(const void* data, std::size_t bytes);
  MutableBytesView reserve_slow(std::size_t bytes);
  void commit_slow(std::size_t bytes);
  bool write_decimal_slow(bool is_negative, std::uint64_t magnitude);
  bool write_in_base(bool is_negative, std::uint64_t magnitude, int base);
  bool refuse_text(bool ends_with_nul);
  bool refuse_null();
  bool refuse_size();
  bool refuse_integer();
  template <typename Call>
  bool guarded_call(Call call);
  bool refuse_call(int code, std::string_view reason);
  std::string_view target_path() const;  // of a Writer that was opened once
  // Looks at no byte outside the array. For a literal, the compiler computes the result.
  template <std::size_t size>
  static bool ends_with_its_only_nul(const char (&text)[size]) {
    return std::memchr(text, 0, size) == text + (size - 1);
  }
  template <FloatingPoint T>
  bool write_shortest_slow(T value);
  template <FloatingPoint T>
  bool write_formatted(T value, std::chars_format format, const int* precision);
  // For a caller that does not give the Status to the program: the failure stays untold.
  Status seek_untold(std::uint64_t position);
  Status flush_untold(FlushTo to);
  void close_from_destructor() noexcept;
  void replace_core(Core* core);
  bool refuse_bytes();
  Status start(Status status, std::unique_ptr<Sink> sink, const WriterOptions& options);
  // Opens the file at `path`, unless `before` is a failure. `wrapper`, if it is not null, becomes
  // the Sink: wrap(*wrapper, the Sink of the file) tells it where to write.
  using Wrap = void (*)(Sink& wrapper, std::unique_ptr<Sink> file);
  Status open_wrapped(const std::string& path, const WriterOptions& options, Status before,
                      std::unique_ptr<Sink> wrapper, Wrap wrap);
  Status refuse(Status status);
  bool run_out_of_memory();

  // The room that reserve() gave. It counts only while the cursor stands at reserved_at_, so put
  // and write need not end it.
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
  // 0 bytes take the slow path too, because 0 - 1 is more than any room. The slow path returns
  // false after a failure.
  if (bytes - 1 >= static_cast<std::size_t>(limit_ - cursor_)) [[unlikely]] {
    return write_slow(data, bytes);
  }
  std::memcpy(cursor_, data, bytes);
  cursor_ += bytes;
  return true;
}

template <Integer T>
bool Writer::write_number(T value) {
  // The sign needs one byte more than the digits.
  if (static_cast<std::size_t>(limit_ - cursor_) <= decimal_room_bytes) [[unlikely]] {
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
