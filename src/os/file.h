// File: an open descriptor with the kernel's rough edges taken off.
//
// EINTR is retried, short transfers are continued, a non-blocking descriptor is waited for (EAGAIN
// from any other is a failure: the timeout that is set for a socket), one call moves at most 1 GiB
// in at most 16 pieces, and close(2) is called once. Not thread-safe.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice::os {

class File {
 public:
  enum class Access : std::uint8_t {
    read,
    truncate,
    overwrite,  // what is there stays; created when it is not there
    append,
    exclusive,
    update,     // reading and writing; created when it is not there
    directory,  // to be synced
  };
  // When a write returns, the bytes are visible, or durable (O_DSYNC).
  enum class Written : std::uint8_t { visible, durable };

  File() noexcept = default;
  ~File() { static_cast<void>(close()); }
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  static Status open(const std::string& path, Access access, unsigned permissions, File& out,
                     Written written = Written::visible);
  // The same for a file that is there already; ENOENT when there is none.
  static Status open_old(const std::string& path, Access access, File& out, Written written);
  // A descriptor that stays the caller's: close() leaves it open. Nothing is asked of it.
  static File borrow(int descriptor, std::string name);
  // The same where it is to be read or written: EBADF when it is not open for that. `start` is
  // where the next read or write begins: the descriptor's own offset, or the end when it appends; 0
  // when there are no positions. `appends`: every write goes to the end (O_APPEND).
  static Status attach_for_reading(int descriptor, std::string name, File& out,
                                   std::uint64_t& start);
  static Status attach_for_writing(int descriptor, std::string name, File& out,
                                   std::uint64_t& start, bool& appends);
  // A descriptor that was opened elsewhere in this layer. It is closed even where there is no
  // memory for the path.
  static File adopt(int descriptor, std::string_view path);
  // The same for a File that is closed and has its path already: needs no memory.
  void own(int descriptor) noexcept;

  int descriptor() const noexcept { return descriptor_; }
  const std::string& path() const noexcept { return path_; }
  bool is_open() const noexcept { return descriptor_ >= 0; }
  bool is_owned() const noexcept { return owned_; }

  // False for pipes, sockets and terminals, which have no positions.
  bool is_seekable() const;
  bool is_terminal() const;
  Status end_position(std::uint64_t& position) const;  // 0 when there are no positions
  Status size(std::uint64_t& bytes) const;             // ESPIPE for what has none
  Status seek(std::uint64_t position);  // moves the descriptor's own offset; ESPIPE likewise
  // EISDIR for a directory: it can be opened for reading, and nothing be read from it.
  Status refuse_directory() const;
  // Whether path() still stands for this file: it may have been renamed, removed or replaced.
  Status has_its_name(bool& result) const;

  // Writes all pieces at `position`, which need not be the descriptor's own offset; or at the
  // descriptor's own offset, in which case `position` only serves the message.
  Status write_at(std::uint64_t position, std::span<const BytesView> pieces, std::size_t& written);
  Status write_next(std::uint64_t position, std::span<const BytesView> pieces,
                    std::size_t& written);

  // One read of at most into.size() bytes; `got` is 0 at the end only.
  Status read_at(std::uint64_t position, MutableBytesView into, std::size_t& got);
  Status read_next(std::uint64_t position, MutableBytesView into, std::size_t& got);

  void will_read_in_sequence();  // advice: cannot fail
  // Advice: later reads are answered by the disk, not by the kernel's copy of the file in memory.
  // After a failed sync the two differ. A file that somebody has mapped stays in memory.
  void forget_cached();

  // The first `bytes` bytes, mapped read-only; unmap_file gives them back.
  Status map(std::uint64_t bytes, BytesView& out) const;

  Status truncate(std::uint64_t bytes);
  // What Access::truncate does at open: drops the bytes of a regular file, and does nothing to
  // anything else. A failure is one of Operation::open.
  Status drop_bytes();

  // Keeps every other opening of this file, in this process or another, from locking it. The lock
  // is shared with forked children: unlock() takes it from them too, close() does not.
  Status lock();  // EBUSY when it is locked
  Status unlock();

  // Makes durable the bytes and what is needed to read them back; or everything about the file.
  // What has no storage behind it (a pipe, a socket, a terminal, another character device) has
  // nothing to make durable: ok. A file system that cannot sync gives EINVAL, ENOTSUP or ENOSYS,
  // with a reason that says so.
  Status sync();
  Status sync_with_attributes();

  // The directory that has the file's name now, wherever a symbolic link, a chdir() or a rename
  // have led: to be synced, which makes the name durable. `out` stays closed where there is no
  // name to lose: for what is no regular file, and what was removed. A directory that cannot be
  // opened, which takes permission to read it, is a failure of the operation `during`.
  Status open_directory(Operation during, File& out) const;
  Status sync_directory();

  // Has the kernel begin to write the bytes back, without waiting for them; it may wait briefly for
  // room in the device's queue. Does nothing where that cannot be asked for.
  Status start_write_back(std::uint64_t position, std::uint64_t bytes);

  // Another descriptor of the same opening, which keeps its lock, and the file's number, when this
  // one is closed.
  Status duplicate(File& out) const;

  Status close();

 private:
  template <typename Call>
  Status write_all(Call call, std::uint64_t position, std::span<const BytesView> pieces,
                   std::size_t& written);
  static Status open_with(const std::string& path, int flags, unsigned permissions, File& out,
                          Written written);
  static Status attach(int descriptor, std::string name, int mode, File& out, long& flags);
  std::string present_path() const;
  Status sync_failed(int code);
  template <typename Call>
  Status read_once(Call call, std::uint64_t position, std::size_t& got);

  int descriptor_ = -1;
  bool owned_ = false;
  std::string path_;
};

// A failure when there is a NUL in the name: the kernel would take what stands before it.
Status refuse_nul(Operation operation, const std::string& path);

// Makes the call again for as long as a signal interrupts it.
template <typename Call>
long uninterrupted(Call call) {
  long result;
  do {
    result = call();
  } while (result == -EINTR);
  return result;
}

// What fstat(2) and stat(2) find. File systems that other processes serve may be interrupted here.
long facts_of(int descriptor, struct stat& facts);
long facts_at(const std::string& path, struct stat& facts);

void unmap_file(BytesView mapped);

// The size of the regular file at `path`; ESPIPE for what has none.
Status file_size(const std::string& path, std::uint64_t& bytes);

}  // namespace sluice::os
