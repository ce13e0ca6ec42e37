// OStreamWriter is a std::ostream over a Writer, and IStreamReader is a std::istream over a Reader.
// This header also has the other direction: a Sink over a std::ostream and a Source over a
// std::istream.
//
//   sluice::OStreamWriter out("table.txt");
//   for (const Row& row : rows) out << row.name << ' ' << row.count << '\n';
//   if (sluice::Status status = out.close(); !status.ok()) return status;
//
// An OStreamWriter is a std::ostream and an IStreamReader is a std::istream, so code that takes
// those works unchanged. The put area and the get area of the stream buffers are the blocks of the
// Writer and the Reader: no byte is copied twice.
//
// Contract: bytes that the stream has accepted reach the target in order and exactly once, or the
// stream has badbit (at the latest after close()) and status() tells why. With exceptions() the
// streams throw std::ios_base::failure as every standard stream does; status() still tells why.
//
// failbit and badbit: a std::ostream that has one of them drops everything that is inserted. So if
// an OStreamWriter is closed or destroyed in this state, its Writer fails with EINVAL, and a file
// that is replaced atomically stays as it was. Call clear() first if nothing is missing. A stream
// that borrows its Writer makes the Writer fail in this way only in close(), not in the destructor
// of the stream.
//
// An OStreamWriter that is destroyed while it is open closes its Writer as ~Writer does: a failure
// that the program has not asked for by status() or close() goes to the lost-error handler
// (sluice/lost_error.h), and a file that is replaced atomically stays as it was. So call close().
//
// Failed reads: a read that fails sets badbit. The end of the input does not. A failure that the
// program has not asked for by status() or close() goes to the lost-error handler, as with Reader.
//
// Owning and borrowing: a stream owns a Writer or Reader that the stream has opened, or that
// std::move gave to the stream. A stream borrows a Writer or Reader that it gets as an lvalue. A
// borrowed object must outlive the stream and stay at its place. The destructor of a borrowing
// OStreamWriter hands the accepted bytes to the Writer. The destructor of a borrowing IStreamReader
// takes the Reader to the stream's position. Both leave the borrowed object open.
//
// Direct use of the Writer or Reader: call writer() or reader() of the stream, and use the object
// that this call gives. After the next call on the stream, call writer() or reader() again.
// writer() hands the bytes of the put area to the Writer. reader() takes the Reader to the position
// of the get area. So all bytes stay in order. After flush() or sync() a borrowed Writer or Reader
// may be used directly too. It is a mistake of the program to write to the Writer while the put
// area has bytes: bytes may be lost. If the Writer notices the mistake, the Writer fails with
// EINVAL. In a debug build of the library an assertion ends the program instead.
//
// Speed: an OStreamWriter has inlined forms of << for text and char, of put() and of write(). Code
// that knows only a std::ostream still makes a sentry object for each call. Formatting and parsing
// numbers with << and >> takes most of its time in the locale: Writer::write_number and
// Reader::next_number use no locale.
//
// Differences from std::basic_filebuf:
//  - Bytes are never converted: no codecvt facet is used. imbue() changes how << and >> format and
//    parse, and nothing else. Positions count bytes.
//  - There are no open modes. The options say how the target is opened, and bytes are binary.
//  - A stream reads or writes, never both.
//  - pubsetbuf(nullptr, 0) before or after the first byte makes an output stream unbuffered: each
//    call writes its bytes. Every other pubsetbuf() has no effect, because the block is the
//    Writer's or Reader's own.
//  - tellp() and tellg() also count the bytes of targets without positions, such as a pipe.
//  - seekp(offset, std::ios::end) needs an end that the stream knows: see OStreamWriter.
//  - close() that fails sets badbit besides failbit. flush() on a closed stream sets badbit.
//  - A second close() after one without a failure sets no bit. That of a std::ofstream sets
//    failbit.
//  - A terminal gets each line as soon as it is complete, and with Durability::every_write each
//    call is durable when it returns, as with Writer. There is then no put area.
//  - A seek beyond the end is allowed, in memory too.
//  - In a pipe, seekg() goes to a position whose bytes are still in the block, and fails for
//    others.
//
// Threads, pthread_cancel() and fork(): a stream follows the rules of its Writer or Reader. In a
// forked child writing fails, and the destructor writes nothing and is silent.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ios>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <type_traits>

#include "sluice/bytes.h"
#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/status.h"
#include "sluice/writer.h"

namespace sluice {

// The stream buffer of an OStreamWriter. It owns or borrows a Writer; sluice/iostream.h has the
// rules.
class WriterBuffer final : public std::streambuf {
 public:
  // `writer` is owned if it is given by std::move, and borrowed otherwise. A buffer that was moved
  // from is like a new one.
  WriterBuffer();                          // owns a Writer, which is not open
  explicit WriterBuffer(Writer&& writer);  // owns it
  explicit WriterBuffer(Writer& writer);   // borrows it
  ~WriterBuffer() override;
  WriterBuffer(WriterBuffer&& other) noexcept;
  WriterBuffer& operator=(WriterBuffer&& other) noexcept;  // closes the Writer that it owns first
  void swap(WriterBuffer& other);

  // Each of these calls opens the Writer that the buffer owns, as the Writer's calls do. If the
  // buffer borrows a Writer, close the buffer first (otherwise EBUSY). After these calls the buffer
  // uses a Writer of its own.
  Status open(const std::string& path, const WriterOptions& options = {});
  Status open(std::unique_ptr<Sink> sink, const WriterOptions& options = {});
  Status attach(int descriptor, const std::string& name, const WriterOptions& options = {});
  bool is_open() const { return writer_->is_open(); }

  // Closes the Writer, also a borrowed one, and returns the result.
  Status close();

  // Makes the Writer fail with EINVAL, unless the Writer has failed already. The stream calls this
  // if it has failbit or badbit, because it then drops the bytes that the program inserts. The
  // bytes that were accepted are written.
  void fail_with_stream();
  bool owns_writer() const { return writer_ == &own_; }

  // The Writer's failure, or else the result of the latest open, seek, sync or close.
  const Status& status() const;

  // The Writer, to which the bytes of the put area are handed first.
  Writer& writer();

  // Puts the bytes into the put area if they fit there, and returns true. Otherwise the call does
  // nothing and returns false.
  bool fits(const char* bytes, std::size_t count);
  bool fits(char byte) { return fits(&byte, 1); }

 protected:
  // Implementation details follow.
  int_type overflow(int_type byte) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                   std::ios_base::openmode which) override;
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override;
  int sync() override;
  std::streambuf* setbuf(char* memory, std::streamsize bytes) override;

 private:
  std::uint64_t position() const;
  void hand_over();
  void take_window();
  bool written(bool accepted);
  Status may_open(const std::string& name);
  Status opened(Status status, std::optional<std::uint64_t> end);
  pos_type go_to(std::uint64_t from, off_type offset);
  void note_end();
  void take(WriterBuffer& other);

  Writer own_;
  Writer* writer_ = &own_;
  bool is_unbuffered_ = false;
  std::optional<std::uint64_t> end_;  // the largest position that is known to be in the target
  std::uint64_t sought_ = 0;          // where the latest seek went, or writing began
  Status latest_;
};

// The stream buffer of an IStreamReader. It owns or borrows a Reader; sluice/iostream.h has the
// rules.
class ReaderBuffer final : public std::streambuf {
 public:
  // `reader` is owned if it is given by std::move, and borrowed otherwise. A buffer that was moved
  // from is like a new one.
  ReaderBuffer();
  explicit ReaderBuffer(Reader&& reader);
  explicit ReaderBuffer(Reader& reader);
  ~ReaderBuffer() override;
  ReaderBuffer(ReaderBuffer&& other) noexcept;
  ReaderBuffer& operator=(ReaderBuffer&& other) noexcept;
  void swap(ReaderBuffer& other);

  // Each of these calls opens the Reader that the buffer owns, as the Reader's calls do. If the
  // buffer borrows a Reader, close the buffer first (otherwise EBUSY). After these calls the buffer
  // uses a Reader of its own.
  Status open(const std::string& path, const ReaderOptions& options = {});
  Status open(std::unique_ptr<Source> source, const ReaderOptions& options = {});
  Status attach(int descriptor, const std::string& name, const ReaderOptions& options = {});
  bool is_open() const { return reader_->is_open(); }

  // Closes the Reader, also a borrowed one, and returns the result.
  Status close();

  // The Reader's failure, or else the result of the latest open, seek or close.
  const Status& status() const;

  // Takes the Reader to the position of the get area, and gives the Reader. The call loses a
  // character that was put back and that differs from the byte of the input. If the source has no
  // positions, the call loses every character that was put back.
  Reader& reader();

  // Names the stream whose badbit a failed read sets. Null: no stream's badbit is set.
  void set_stream(std::ios* stream) { stream_ = stream; }

 protected:
  // Implementation details follow.
  int_type underflow() override;
  int_type pbackfail(int_type byte) override;
  std::streamsize xsgetn(char* bytes, std::streamsize count) override;
  std::streamsize showmanyc() override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                   std::ios_base::openmode which) override;
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override;
  int sync() override;

 private:
  // Where the get area lies.
  enum class Area : std::uint8_t { in_block, byte_put_back, other_put_back };

  std::uint64_t position() const;
  void settle();
  void tell_stream();
  void show(BytesView bytes);
  bool step_back();
  void put_back(char byte, Area area);
  pos_type go_to(std::uint64_t from, off_type offset);
  void take(ReaderBuffer& other);
  Status may_open(const std::string& name);
  Status opened(Status status);

  Reader own_;
  Reader* reader_ = &own_;
  std::ios* stream_ = nullptr;
  Area area_ = Area::in_block;
  char put_back_ = 0;         // the get area, unless area_ is in_block
  std::optional<char> last_;  // the byte before the get area, if it is known
  Status latest_;
};

// A const array of characters, such as a literal, or a pointer to such characters.
template <typename T>
concept ConstCharacters = std::same_as<const char*, std::decay_t<const T&>>;

// The text for which OStreamWriter has an inlined <<. For every other type, << is the operator of
// std::ostream.
template <typename T>
concept InsertedText =
    std::same_as<T, std::string_view> || std::same_as<T, std::string> || ConstCharacters<T>;

// A std::ostream over a Writer. The top of sluice/iostream.h has an example, the contract and the
// differences from std::ofstream.
//
// seekp(offset, std::ios::end): the stream knows the end of a file that it has opened by its path.
// The end is the position after the last byte that was in the file at open, or after the last byte
// that the stream has written, whichever is larger.
// The stream does not know of bytes after this end that Writer::write_at or another program has
// written. If the stream was given a Writer, a Sink or a descriptor, it does not know the end, and
// the call fails with ESPIPE. A seek that fails sets failbit; status() tells why, and the stream
// goes on after clear().
class OStreamWriter final : public std::ostream {
 public:
  // A stream that has opened a file or was given a Writer by std::move owns the Writer. A stream
  // that was moved from is not open. After an assignment it has the state bits that the other
  // stream had.
  OStreamWriter();
  explicit OStreamWriter(const std::string& path, const WriterOptions& options = {});
  explicit OStreamWriter(Writer&& writer);  // owns it
  explicit OStreamWriter(Writer& writer);   // borrows it
  ~OStreamWriter() override;
  OStreamWriter(OStreamWriter&& other) noexcept;
  OStreamWriter& operator=(OStreamWriter&& other) noexcept;  // closes the Writer that it owns first
  void swap(OStreamWriter& other);

  // These calls open a Writer that the stream owns: see Writer. They call clear() if they succeed,
  // and set failbit if they fail. They fail with EBUSY if the stream is open already.
  Status open(const std::string& path, const WriterOptions& options = {});
  Status open(std::unique_ptr<Sink> sink, const WriterOptions& options = {});
  Status attach(int descriptor, const std::string& name, const WriterOptions& options = {});
  bool is_open() const { return buffer_.is_open(); }

  // Closes the Writer, also a borrowed one, and returns the result. Sets badbit and failbit if it
  // is a failure.
  Status close();

  // The Writer's failure, or else the result of the latest open, seek, flush or close.
  const Status& status() const { return buffer_.status(); }

  // The Writer, for direct use until the next call on the stream.
  Writer& writer() { return buffer_.writer(); }

  // The stream's own buffer.
  WriterBuffer* rdbuf() const { return const_cast<WriterBuffer*>(&buffer_); }

  // These calls do what the calls of std::ostream with the same names do. They are inlined. If a
  // call only has to copy bytes into the put area, it makes no sentry object.
  OStreamWriter& write(const char* bytes, std::streamsize count) {
    if (count < 0 || !is_plain() || !buffer_.fits(bytes, static_cast<std::size_t>(count))) {
      std::ostream::write(bytes, count);
    }
    return *this;
  }
  OStreamWriter& put(char byte) {
    if (!is_plain() || !buffer_.fits(byte)) std::ostream::put(byte);
    return *this;
  }
  template <std::same_as<char> T>
  friend OStreamWriter& operator<<(OStreamWriter& out, T byte) {
    if (!out.is_plain() || out.width() != 0 || !out.buffer_.fits(byte)) out.insert(byte);
    return out;
  }
  template <InsertedText T>
  friend OStreamWriter& operator<<(OStreamWriter& out, const T& text) {
    if constexpr (std::is_pointer_v<T>) {
      if (text == nullptr) {
        out.setstate(badbit);
        return out;
      }
    }
    const std::string_view view(text);
    if (!out.is_plain() || out.width() != 0 || !out.buffer_.fits(view.data(), view.size())) {
      out.insert(view);
    }
    return out;
  }

 private:
  // True if a call has only to write bytes: no failure, no tied stream, no flush after each call,
  // and no other buffer in the place of the stream's own.
  bool is_plain() const {
    return good() && tie() == nullptr && (flags() & unitbuf) == 0 && std::ios::rdbuf() == &buffer_;
  }
  void insert(char byte);
  void insert(std::string_view text);
  Status opened(Status status);
  void fail_owned_writer() noexcept;

  WriterBuffer buffer_;
};

inline bool WriterBuffer::fits(const char* bytes, std::size_t count) {
  if (count >= static_cast<std::size_t>(epptr() - pptr())) [[unlikely]]
    return false;
  if (count != 0) std::memcpy(pptr(), bytes, count);
  pbump(static_cast<int>(count));  // a block has at most 1 GiB
  return true;
}

// Exchanges the two streams, with their Writers.
inline void swap(OStreamWriter& first, OStreamWriter& second) { first.swap(second); }

// A std::istream over a Reader. The top of sluice/iostream.h has the contract and the differences
// from std::ifstream.
//
// putback() and unget() work for at least one byte after a read, and for every byte back to the
// beginning if the source has positions. putback() may put back another character than the one
// that was read. No further character can then be put back until this one is read again. The source
// stays as it is.
class IStreamReader final : public std::istream {
 public:
  // A stream that has opened a file or was given a Reader by std::move owns the Reader. A stream
  // that was moved from is not open. After an assignment it has the state bits that the other
  // stream had.
  IStreamReader();
  explicit IStreamReader(const std::string& path, const ReaderOptions& options = {});
  explicit IStreamReader(Reader&& reader);  // owns it
  explicit IStreamReader(Reader& reader);   // borrows it
  ~IStreamReader() override;
  IStreamReader(IStreamReader&& other) noexcept;
  IStreamReader& operator=(IStreamReader&& other) noexcept;
  void swap(IStreamReader& other);

  // These calls open a Reader that the stream owns: see Reader. They call clear() if they succeed,
  // and set failbit if they fail. They fail with EBUSY if the stream is open already.
  Status open(const std::string& path, const ReaderOptions& options = {});
  Status open(std::unique_ptr<Source> source, const ReaderOptions& options = {});
  Status attach(int descriptor, const std::string& name, const ReaderOptions& options = {});
  bool is_open() const { return buffer_.is_open(); }

  // Closes the Reader, also a borrowed one, and returns the first failure of reading or closing.
  // Sets badbit and failbit if there is one.
  Status close();

  // The Reader's failure, or else the result of the latest open, seek or close.
  const Status& status() const { return buffer_.status(); }

  // The Reader, for direct use until the next call on the stream.
  Reader& reader() { return buffer_.reader(); }

  // The stream's own buffer.
  ReaderBuffer* rdbuf() const { return const_cast<ReaderBuffer*>(&buffer_); }

 private:
  Status opened(Status status);

  ReaderBuffer buffer_;
};

// Exchanges the two streams, with their Readers.
inline void swap(IStreamReader& first, IStreamReader& second) { first.swap(second); }

// A Sink that writes to `target`, which must outlive the Sink. `name` is used in messages. Each
// write flushes the stream, so the Sink holds nothing back. A stream that refuses bytes keeps
// badbit and gives no reason: the failure is EIO. If the stream's flush() fails, nobody knows which
// bytes of the block that was being written have reached the stream's target. The failure names the
// first byte of this block. Positions are the stream's own, as tellp() gives them. Behind its end a
// stream in memory is filled with zeros. If the stream
// has no positions, seek() and write_at() of the Sink fail with ESPIPE. A stream cannot be made
// durable: sync() flushes it and fails with ENOTSUP. The stream must not be in append mode if
// seek() or write_at() are used. close() leaves the stream open. No exception leaves the Sink, even
// if exceptions() of the stream asks for exceptions. Returns null if there is no memory for the
// Sink.
std::unique_ptr<Sink> make_ostream_sink(std::ostream& target, const std::string& name = "a stream");

// A Source that reads `source`, which must outlive the Source, from the stream's present position
// on: this is position 0. A stream with badbit gives EIO. If the stream has no positions, seek()
// and size() of the Source fail with ESPIPE. The Source takes bytes ahead of the program, as every
// Source does. close() leaves the stream open. No exception leaves the Source. Returns null if
// there is no memory for the Source.
std::unique_ptr<Source> make_istream_source(std::istream& source,
                                            const std::string& name = "a stream");

}  // namespace sluice
