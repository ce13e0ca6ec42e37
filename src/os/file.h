// File: an open descriptor without the kernel's rough edges.
//
// EINTR is retried, short transfers are continued, and a call on a non-blocking descriptor waits
// until the descriptor is ready. (EAGAIN from a blocking descriptor is a failure: the timeout of a
// socket has passed.) One call moves at most 1 GiB in at most 16 pieces. close(2) is called once.
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "os/system_calls.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice::os {

// The largest position in a file. No byte is there, because a size can be no larger than this.
inline constexpr std::uint64_t max_position = std::numeric_limits<std::int64_t>::max();

constexpr std::size_t max_bytes_per_call = std::size_t{1} << 30;  // Linux moves at most 0x7ffff000

class File {
 public:
  enum class Access : std::uint8_t {
    read,
    truncate,
    overwrite,  // the old bytes stay; created if there is no file
    append,
    exclusive,
    update,     // reading and writing; created if there is no file
    directory,  // opened to sync it
  };
  // When a write returns, its bytes are visible, or durable (O_DSYNC).
  enum class Written : std::uint8_t { visible, durable };

  File() noexcept = default;
  ~File() { static_cast<void>(close()); }
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  static Status open(const std::string& path, Access access, unsigned permissions, File& out,
                     Written written = Written::visible);
  // Opens a file that exists already. ENOENT if there is none.
  static Status open_old(const std::string& path, Access access, File& out, Written written);
  // Takes a descriptor that still belongs to the caller: close() leaves it open. Makes no system
  // call.
  static File borrow(int descriptor, std::string name);
  // Takes a descriptor that still belongs to the caller, for reading or for writing. EBADF if the
  // descriptor is not open for that. `start` is where the next read or write begins: the
  // descriptor's own offset, the end if it appends, or 0 if there are no positions. `appends`:
  // every write goes to the end (O_APPEND).
  static Status attach_for_reading(int descriptor, std::string name, File& out,
                                   std::uint64_t& start);
  static Status attach_for_writing(int descriptor, std::string name, File& out,
                                   std::uint64_t& start, bool& appends);
  // Takes a descriptor that this layer has opened. The descriptor is closed even if there is no
  // memory for the path.
  static File adopt(int descriptor, std::string_view path);
  // Gives a descriptor to a File that is closed and has its path already. Needs no memory.
  void own(int descriptor) noexcept;

  int descriptor() const noexcept { return descriptor_; }
  const std::string& path() const noexcept { return path_; }
  bool is_open() const noexcept { return descriptor_ >= 0; }
  bool is_owned() const noexcept { return owned_; }

  // False for pipes, sockets and terminals, which have no positions.
  bool is_seekable() const;
  // The failure of a write at `position` if the file has no positions.
  Status expect_positions(std::uint64_t position) const;
  bool is_terminal() const;
  bool is_regular() const;
  Status end_position(std::uint64_t& position) const;  // 0 if there are no positions
  Status size(std::uint64_t& bytes) const;             // ESPIPE if there is no size
  Status seek(std::uint64_t position);  // moves the descriptor's own offset; ESPIPE if it has none
  // EISDIR for a directory: a directory can be opened for reading, but it has no bytes to read.
  Status refuse_directory() const;
  // Tells whether path() still stands for this file, which may have been renamed, removed or
  // replaced.
  Status has_its_name(bool& result) const;

  // Writes all pieces at `position`, independently of the descriptor's own offset. write_next()
  // writes at the descriptor's own offset; `position` then only serves the message.
  Status write_at(std::uint64_t position, std::span<const BytesView> pieces, std::size_t& written);
  Status write_next(std::uint64_t position, std::span<const BytesView> pieces,
                    std::size_t& written);

  // One read of at most into.size() bytes. `got` is 0 only at the end.
  //
  // read_at() is inline because of its returns: some processors mispredict every return between a
  // system call and the program. On a Zen 5 each level of calls below the program cost 12 ns, where
  // pread took 440 ns.
  Status read_at(std::uint64_t position, MutableBytesView into, std::size_t& got) {
    const std::size_t bytes = std::min(into.size(), max_bytes_per_call);
    const CallResult result = calls().pread(descriptor_, into.data(), bytes, position);
    if (result < 0) [[unlikely]]
      return read_on_at(result, position, into, got);
    got = static_cast<std::size_t>(result);
    return {};
  }
  Status read_next(std::uint64_t position, MutableBytesView into, std::size_t& got);

  void will_read_in_sequence();  // advice: cannot fail
  // Advice: the kernel gives up its copy of these bytes in memory, so that later reads take them
  // from the disk. (After a failed sync the copy may differ from the disk.) 0 bytes stand for all
  // bytes from `position` on. Bytes that are not yet on the disk stay in memory, and bytes that
  // some process has mapped.
  void forget_cached(std::uint64_t position = 0, std::uint64_t bytes = 0);

  // Maps the first `bytes` bytes read-only; unmap_file unmaps them.
  Status map(std::uint64_t bytes, BytesView& out) const;

  Status truncate(std::uint64_t bytes);
  // Drops the bytes of a regular file, as Access::truncate does at open. Does nothing to other
  // targets. A failure has Operation::open.
  Status drop_bytes();

  // Keeps every other opening of this file, in this process or another one, from locking it. Forked
  // children share the lock: unlock() takes it from them too, close() does not.
  Status lock();  // EBUSY if it is locked
  Status unlock();

  // Makes the bytes durable, and the attributes that are needed to read the bytes back.
  // sync_with_attributes() makes everything about the file durable. A target without storage (a
  // pipe, a socket, a terminal, another character device) has nothing to make durable: ok. A file
  // system that cannot sync gives EINVAL, ENOTSUP or ENOSYS, with a reason that says so.
  Status sync();
  Status sync_with_attributes();

  // Opens the directory that now holds the file's name, even if a symbolic link led to the file,
  // the file was renamed, or the process has changed its working directory. A sync of this
  // directory makes the name durable. `out` stays closed if the target has no name that could be
  // lost: if it is not a regular file, or was removed. If the directory cannot be opened, for
  // example because it is not readable, the failure has the operation `during`.
  Status open_directory(Operation during, File& out) const;
  // Makes the file's name durable by a sync of `directory`, and then closes `directory`. A failure
  // names this file, and its operation is Operation::sync_directory. There are two exceptions: the
  // file system cannot sync a directory, or the close fails.
  Status sync_name_in(File& directory) const;
  Status sync_directory();

  // Asks the kernel to begin writing the bytes back, and does not wait for the end. The call may
  // wait briefly for room in the device's queue. It does nothing if the kernel has no such call.
  Status start_write_back(std::uint64_t position, std::uint64_t bytes);
  // Waits until these bytes are written back, and no longer only in memory; 0 bytes stand for all
  // bytes from `position` on. They are not durable yet: the disk may have a cache of its own. A
  // failure may be about any byte of the file, and the kernel reports it only once.
  Status wait_for_write_back(std::uint64_t position, std::uint64_t bytes);

  // The alignment that direct I/O needs. Both are powers of two.
  struct DirectAlignment {
    std::size_t memory_bytes = 0;
    std::size_t file_bytes = 0;
  };
  // Finds out whether the file has direct I/O (O_DIRECT). ENOTSUP if it has none. set_direct()
  // makes the reads and writes that follow direct, or ordinary again.
  Status find_direct_alignment(DirectAlignment& alignment) const;
  Status set_direct(bool is_direct);

  // Makes another descriptor of the same opening. When this descriptor is closed, the new one keeps
  // the lock, and keeps the file's inode number in use.
  Status duplicate(File& out) const;

  Status close();

 private:
  // Handles the failure `first` of a pread: retries the call, or returns the failure.
  Status read_on_at(CallResult first, std::uint64_t position, MutableBytesView into,
                    std::size_t& got);
  template <typename Call>
  Status write_all(Call call, std::uint64_t position, std::span<const BytesView> pieces,
                   std::size_t& written);
  static Status open_with(const std::string& path, int flags, unsigned permissions, File& out,
                          Written written);
  static Status attach(int descriptor, std::string name, int mode, File& out, CallResult& flags);
  std::string present_path() const;
  Status sync_failed(int code);
  Status sync_range(std::uint64_t position, std::uint64_t bytes, unsigned flags);
  template <typename Call>
  Status read_once(Call call, std::uint64_t position, std::size_t& got);

  int descriptor_ = -1;
  bool owned_ = false;
  std::string path_;
};

// A failure if the path contains a NUL byte, because the kernel would take only the part before it.
// Also if the path is the URI of an object, such as s3://BUCKET/NAME, and there is no folder "s3:".
// This failure shows the scheme alone, because a URI may hold a password.
Status check_path(Operation operation, const std::string& path);

// Repeats the call as long as a signal interrupts it.
template <typename Call>
CallResult uninterrupted(Call call) {
  CallResult result;
  do {
    result = call();
  } while (result == -EINTR);
  return result;
}

// fstat(2) and stat(2). File systems that other processes serve may be interrupted here.
CallResult facts_of(int descriptor, FileStat& facts);
CallResult facts_at(const std::string& path, FileStat& facts);

void unmap_file(BytesView mapped);

// The size of the regular file at `path`. ESPIPE for other targets.
Status file_size(const std::string& path, std::uint64_t& bytes);

}  // namespace sluice::os
