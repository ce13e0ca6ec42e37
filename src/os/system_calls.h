// SystemCalls: every system call that the library makes, as one table of virtual functions.
//
// The calls, their flags and their errors are Linux's. On other systems this layer translates them.
// A call returns the kernel's result: a number >= 0, or -errno. A test puts its own table in place
// (ScopedSystemCalls) to fail the N-th call, shorten it, interrupt it or delay it. Nothing else
// replaces the table.
// Threads: any thread may read the table in place. The table is exchanged only while no I/O is
// under way.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "os/platform.h"

namespace sluice::os {

// The result of a system call: a number >= 0, or -errno. It has 64 bits on every system.
using CallResult = std::int64_t;

class SystemCalls {
 public:
  virtual ~SystemCalls() = default;

  virtual CallResult open(const char* path, int flags, unsigned permissions);
  virtual CallResult close(int descriptor);
  virtual CallResult duplicate(int descriptor);  // fcntl(F_DUPFD_CLOEXEC)
  virtual CallResult read(int descriptor, void* into, std::size_t bytes);
  virtual CallResult pread(int descriptor, void* into, std::size_t bytes, std::uint64_t position);
  virtual CallResult writev(int descriptor, const iovec* pieces, int count);
  virtual CallResult pwritev(int descriptor, const iovec* pieces, int count,
                             std::uint64_t position);
  virtual CallResult fstat(int descriptor, FileStat& result);
  virtual CallResult stat(const char* path, FileStat& result);
  virtual CallResult seek_current(int descriptor);  // lseek(descriptor, 0, SEEK_CUR): moves nothing
  virtual CallResult seek_to(int descriptor, std::uint64_t position);  // lseek(..., SEEK_SET)
  virtual CallResult seek_end(int descriptor);                     // lseek(descriptor, 0, SEEK_END)
  virtual CallResult status_flags(int descriptor);                 // fcntl(F_GETFL)
  virtual CallResult set_status_flags(int descriptor, int flags);  // fcntl(F_SETFL)
  // The alignment that direct I/O needs, in memory and in the file. Both are 0 if the file has no
  // direct I/O, or if the file system does not tell.
  virtual CallResult direct_alignment(int descriptor, std::size_t& memory_bytes,
                                      std::size_t& file_bytes);
  // A queue for reads that the kernel makes while the program goes on (Linux AIO). It takes one
  // read at a time. finish_read() waits for the read, and gives its result: bytes, or -errno. If
  // finish_read() itself fails, the read may still be under way. close_read_queue() waits for the
  // read.
  virtual CallResult open_read_queue(std::uint64_t& queue);
  virtual CallResult begin_read(std::uint64_t queue, int descriptor, void* into, std::size_t bytes,
                                std::uint64_t position);
  virtual CallResult finish_read(std::uint64_t queue, CallResult& read);
  virtual CallResult close_read_queue(std::uint64_t queue);
  // The absolute path of an open file, from /proc. The result is its length, without a final NUL.
  virtual CallResult name_of(int descriptor, char* into, std::size_t bytes);
  virtual CallResult is_terminal(int descriptor);  // 1 or 0
  virtual CallResult fdatasync(int descriptor);
  virtual CallResult fsync(int descriptor);
  virtual CallResult sync_file_range(int descriptor, std::uint64_t position, std::uint64_t bytes,
                                     unsigned flags);

  // Names in an open directory; `directory` may be AT_FDCWD.
  virtual CallResult openat(int directory, const char* name, int flags, unsigned permissions);
  // The next entries of an open directory, in the form of getdents64. 0 if there are no more.
  virtual CallResult read_directory(int descriptor, void* into, std::size_t bytes);
  virtual CallResult renameat(int directory, const char* from, const char* to);
  virtual CallResult unlinkat(int directory, const char* name);
  // The target of an open symbolic link (O_PATH), without a final NUL.
  virtual CallResult link_target(int descriptor, char* into, std::size_t bytes);

  // Which of STATX_ATTR_IMMUTABLE and STATX_ATTR_APPEND are set; none if the file system does not
  // tell. Also takes a descriptor that was opened with O_PATH.
  virtual CallResult fixed_attributes(int descriptor, std::uint64_t& attributes);
  virtual CallResult fchmod(int descriptor, unsigned mode);
  virtual CallResult fchown(int descriptor, uid_t owner, gid_t group);
  // Extended attributes. The first two also take a descriptor that was opened with O_PATH.
  virtual CallResult list_attributes(int descriptor, char* into, std::size_t bytes);
  virtual CallResult get_attribute(int descriptor, const char* name, void* into, std::size_t bytes);
  virtual CallResult set_attribute(int descriptor, const char* name, const void* value,
                                   std::size_t bytes);
  virtual CallResult remove_attribute(int descriptor, const char* name);

  // Makes `to` share the bytes of `from` on the disk (FICLONE).
  virtual CallResult clone_file(int from, int to);
  virtual CallResult copy_range(int from, int to, std::uint64_t position, std::size_t bytes);
  virtual CallResult seek_data(int descriptor, std::uint64_t position);  // lseek(..., SEEK_DATA)
  virtual CallResult seek_hole(int descriptor, std::uint64_t position);  // lseek(..., SEEK_HOLE)

  virtual CallResult random_bytes(void* into, std::size_t bytes);
  virtual CallResult truncate(int descriptor, std::uint64_t bytes);  // ftruncate
  virtual CallResult lock(int descriptor);                           // flock(LOCK_EX | LOCK_NB)
  virtual CallResult unlock(int descriptor);                         // flock(LOCK_UN)
  // Advice: the file will be read from front to back.
  virtual CallResult will_read_in_sequence(int descriptor);
  // Advice: the kernel drops its copy of these bytes in memory, except parts that must still be
  // written to the disk. 0 bytes stand for all bytes from `position` on.
  virtual CallResult forget_cached(int descriptor, std::uint64_t position, std::uint64_t bytes);
  // malloc and realloc: null if there is no memory.
  virtual void* allocate(std::size_t bytes);
  virtual void* reallocate(void* old, std::size_t bytes);
  virtual CallResult poll(int descriptor, short events, int timeout_ms);
  virtual CallResult map_file(int descriptor, std::size_t bytes, void*& address);
  virtual CallResult map_memory(std::size_t bytes, void*& address);
  virtual CallResult remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                                  void*& address);
  virtual CallResult unmap(void* address, std::size_t bytes);
  virtual CallResult advise_huge_pages(void* address, std::size_t bytes);
  virtual CallResult populate(void* address, std::size_t bytes);  // MADV_POPULATE_WRITE
  virtual CallResult processors();  // the number that this process may use
  // Starts a thread with every signal blocked, except the signals of its own faults. Each started
  // thread must be joined.
  virtual CallResult start_thread(void* (*body)(void*), void* argument, pthread_t& thread);
  virtual CallResult join_thread(pthread_t thread);
  // These calls are about signals of this thread. The first two change the thread's mask, never the
  // process's handling of a signal. take_signal() removes a pending signal, and returns -EAGAIN if
  // no signal is pending.
  virtual CallResult block_signal(int signal, bool& was_blocked);
  virtual CallResult unblock_signal(int signal);
  virtual CallResult is_signal_waiting(int signal);  // 1 or 0
  virtual CallResult take_signal(int signal);
  virtual std::chrono::steady_clock::time_point now();
};

// The errno in a result below 0.
inline int error_of(CallResult result) { return static_cast<int>(-result); }

// The table in place.
SystemCalls& calls() noexcept;

// Puts `table` in place for the lifetime of this object.
class ScopedSystemCalls {
 public:
  explicit ScopedSystemCalls(SystemCalls& table) noexcept;
  ~ScopedSystemCalls();
  ScopedSystemCalls(const ScopedSystemCalls&) = delete;
  ScopedSystemCalls& operator=(const ScopedSystemCalls&) = delete;

 private:
  SystemCalls* previous_;
};

}  // namespace sluice::os
