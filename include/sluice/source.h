// Source: where a Reader's blocks come from (a file, memory, a decompressor, an object store).
//
// Threads: one thread at a time calls a Source. A Source must not throw.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sluice/bytes.h"
#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

// A std::string, a std::string_view or another object that converts to text.
template <typename T>
concept TextObject = std::is_class_v<T> && std::convertible_to<const T&, std::string_view>;

// A pointer to characters or an array of characters: it does not say where its text ends.
template <typename T>
concept TextWithoutSize = !std::is_class_v<T> && std::convertible_to<const T&, std::string_view>;

class Source {
 public:
  virtual ~Source() = default;  // releases the source if close() has not

  // Fetches bytes from byte `position` on, at most into.size() of them; into.size() is at least 1.
  // Positions are contiguous: the first call starts at 0, and each further call starts where the
  // last one ended or where seek() said, unless reads_anywhere() is true.
  // `got` is the number of bytes fetched. After a failure the Reader ignores it. The end is an ok
  // Status with 0 bytes; fewer bytes than asked for do not mean the end. If `got` is more than
  // into.size(), the Reader fails with EIO.
  virtual Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) = 0;

  // Makes the next read() start at byte `position`. If `position` is past the end, that read()
  // finds the end.
  // A Source without positions fails with ESPIPE, as this base class does, and reading may go on.
  virtual Status seek(std::uint64_t position);

  // The number of bytes from position 0 to the end. The size is a hint: the end is where read()
  // gives 0 bytes. A Source that does not know its size fails with ESPIPE, as this base class does,
  // and reading may go on.
  virtual Status size(std::uint64_t& bytes);

  // True if read() may start at any byte without a seek() before it, and if a read() that fails
  // does no harm to the reads after it, as in a file on a disk. After a seek to a position near the
  // block, the Reader then fetches the bytes around this position, so that further seeks near it
  // need no read(). The Reader asks once, at the first seek that leaves its block. This base class
  // says false.
  virtual bool reads_anywhere();

  // A Reader::read() of at least this many bytes calls read() with the program's own memory, so
  // that the bytes are not copied. A Reader::read() of fewer bytes takes them from the Reader's
  // block, and the Reader calls read() for a whole block. With few bytes a call costs more than
  // the copy. The Reader asks once, when it is opened. Whatever the Source says, so many bytes that
  // they would fill the block are not copied. This base class says SIZE_MAX: a call of a program's
  // own Source may be expensive, such as a request to a store.
  virtual std::size_t bypass_bytes() { return SIZE_MAX; }

  // True if begin_read() can read the bytes from byte `position` on. After many blocks in sequence
  // the Reader asks this before each further block that begins at a multiple of block_bytes. Only a
  // Source whose reads_anywhere() is true may say true. This base class says false.
  virtual bool can_begin_read(std::uint64_t position);

  // Begins to read into.size() bytes from byte `position` on, and returns while the read is under
  // way. Until end_read() returns, the Source may write to `into`. Returns false if no read was
  // begun. The Reader calls begin_read() only after can_begin_read() was true, and only if no other
  // read is under way. Until the Reader calls end_read(), it may make all other calls but close().
  virtual bool begin_read(std::uint64_t position, MutableBytesView into);

  // Waits for the read that begin_read() has begun, and returns how many bytes it fetched. Fewer
  // bytes than asked for, or 0, mean neither the end nor a failure: the Reader asks for the missing
  // bytes by read() when it comes to them. A number larger than asked for counts as 0. SIZE_MAX
  // means that nothing can end the read: the Reader then never uses or releases the memory of
  // `into`.
  virtual std::size_t end_read();

  // Releases the source. The Reader calls close() at most once, and after all other calls. The
  // destructor releases the source too.
  virtual Status close() = 0;

  // The name used in messages.
  virtual const std::string& path() const = 0;
};

// Opens the file at `path` for reading, as a Reader would. A directory fails with EISDIR.
Status open_file_source(const std::string& path, const ReaderOptions& options,
                        std::unique_ptr<Source>& source);

// Reads from an open descriptor, which stays the caller's. A descriptor that is not open for
// reading fails with EBADF. `name` is used in messages. The Source uses `cache` of the options;
// Direct::on fails with EINVAL.
Status open_descriptor_source(int descriptor, const std::string& name, const ReaderOptions& options,
                              std::unique_ptr<Source>& source);
Status open_descriptor_source(int descriptor, const std::string& name,
                              std::unique_ptr<Source>& source);

// Reads `bytes` or `text`, which must outlive the Source. Returns null if there is no memory for
// the Source.
std::unique_ptr<Source> make_memory_source(BytesView bytes);
template <TextObject T>
std::unique_ptr<Source> make_memory_source(const T& text) {
  const std::string_view view(text);
  return make_memory_source(std::as_bytes(std::span(view.data(), view.size())));
}
template <std::same_as<std::string> T>
std::unique_ptr<Source> make_memory_source(T&&) = delete;  // give the text a name
template <TextWithoutSize T>
std::unique_ptr<Source> make_memory_source(const T&) = delete;  // pass a std::string_view

}  // namespace sluice
