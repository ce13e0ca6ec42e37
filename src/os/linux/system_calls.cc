#include "os/system_calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace sluice::os {
namespace {

// Turns libc's result (-1 and errno) into the kernel's (-errno).
CallResult result(long value) { return value >= 0 ? value : -errno; }

// Gives no file the number of a closed standard stream. Otherwise everything that is printed on
// that stream, even the library's own lost errors, would go into the file.
CallResult above_standard_streams(int descriptor) {
  if (descriptor > STDERR_FILENO) return descriptor;
  const CallResult moved = result(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  ::close(descriptor);
  return moved;
}

static_assert(sizeof(off_t) == 8, "files have more than 2 GiB: define _FILE_OFFSET_BITS=64");
off_t offset(std::uint64_t position) { return static_cast<off_t>(position); }

// This name reaches an open file without further permission. Calls that refuse O_PATH descriptors
// need such a name.
std::string name_in_proc(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

sigset_t set_of(int signal) {
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  return one;
}

}  // namespace

CallResult SystemCalls::open(const char* path, int flags, unsigned permissions) {
  const CallResult descriptor = result(::open(path, flags | O_CLOEXEC, permissions));
  return descriptor < 0 ? descriptor : above_standard_streams(static_cast<int>(descriptor));
}

CallResult SystemCalls::close(int descriptor) { return result(::close(descriptor)); }

CallResult SystemCalls::duplicate(int descriptor) {
  return result(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

CallResult SystemCalls::read(int descriptor, void* into, std::size_t bytes) {
  return result(::read(descriptor, into, bytes));
}

CallResult SystemCalls::pread(int descriptor, void* into, std::size_t bytes,
                              std::uint64_t position) {
  return result(::pread(descriptor, into, bytes, offset(position)));
}

CallResult SystemCalls::writev(int descriptor, const iovec* pieces, int count) {
  // For a single piece write() costs the kernel less than writev(): it saves 2 % of the time of
  // writing a small file.
  if (count == 1) return result(::write(descriptor, pieces[0].iov_base, pieces[0].iov_len));
  return result(::writev(descriptor, pieces, count));
}

CallResult SystemCalls::pwritev(int descriptor, const iovec* pieces, int count,
                                std::uint64_t position) {
  if (count == 1) {
    return result(::pwrite(descriptor, pieces[0].iov_base, pieces[0].iov_len, offset(position)));
  }
  return result(::pwritev(descriptor, pieces, count, offset(position)));
}

CallResult SystemCalls::fstat(int descriptor, FileStat& into) {
  return result(::fstat(descriptor, &into));
}

CallResult SystemCalls::stat(const char* path, FileStat& into) {
  return result(::stat(path, &into));
}

CallResult SystemCalls::seek_to(int descriptor, std::uint64_t position) {
  return result(::lseek(descriptor, offset(position), SEEK_SET));
}

CallResult SystemCalls::seek_current(int descriptor) {
  return result(::lseek(descriptor, 0, SEEK_CUR));
}

CallResult SystemCalls::seek_end(int descriptor) {
  return result(::lseek(descriptor, 0, SEEK_END));
}

CallResult SystemCalls::status_flags(int descriptor) {
  return result(::fcntl(descriptor, F_GETFL));
}

CallResult SystemCalls::set_status_flags(int descriptor, int flags) {
  return result(::fcntl(descriptor, F_SETFL, flags));
}

CallResult SystemCalls::direct_alignment(int descriptor, std::size_t& memory_bytes,
                                         std::size_t& file_bytes) {
  memory_bytes = file_bytes = 0;
#ifdef STATX_DIOALIGN  // absent from headers before Linux 6.1
  struct statx facts {};
  const CallResult done = result(::statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &facts));
  if (done < 0 || (facts.stx_mask & STATX_DIOALIGN) == 0) return done;
  memory_bytes = facts.stx_dio_mem_align;
  file_bytes = facts.stx_dio_offset_align;
#else
  static_cast<void>(descriptor);
#endif
  return 0;
}

// The C library has no functions for these calls.
CallResult SystemCalls::open_read_queue(std::uint64_t& queue) {
  aio_context_t made = 0;
  const CallResult done = result(::syscall(SYS_io_setup, 1, &made));
  queue = made;
  return done;
}

CallResult SystemCalls::begin_read(std::uint64_t queue, int descriptor, void* into,
                                   std::size_t bytes, std::uint64_t position) {
  iocb read{};
  read.aio_fildes = static_cast<std::uint32_t>(descriptor);
  read.aio_lio_opcode = IOCB_CMD_PREAD;
  read.aio_buf = reinterpret_cast<std::uintptr_t>(into);
  read.aio_nbytes = bytes;
  read.aio_offset = offset(position);
  iocb* reads = &read;
  return result(::syscall(SYS_io_submit, static_cast<aio_context_t>(queue), 1L, &reads));
}

CallResult SystemCalls::finish_read(std::uint64_t queue, CallResult& read) {
  io_event event{};
  const auto context = static_cast<aio_context_t>(queue);
  const CallResult done =
      result(::syscall(SYS_io_getevents, context, 1L, 1L, &event, static_cast<timespec*>(nullptr)));
  read = event.res;
  return done;
}

CallResult SystemCalls::close_read_queue(std::uint64_t queue) {
  return result(::syscall(SYS_io_destroy, static_cast<aio_context_t>(queue)));
}

CallResult SystemCalls::name_of(int descriptor, char* into, std::size_t bytes) {
  return result(::readlink(name_in_proc(descriptor).c_str(), into, bytes));
}

CallResult SystemCalls::is_terminal(int descriptor) { return ::isatty(descriptor); }

CallResult SystemCalls::fdatasync(int descriptor) { return result(::fdatasync(descriptor)); }

CallResult SystemCalls::fsync(int descriptor) { return result(::fsync(descriptor)); }

CallResult SystemCalls::sync_file_range(int descriptor, std::uint64_t position, std::uint64_t bytes,
                                        unsigned flags) {
  return result(::sync_file_range(descriptor, offset(position), offset(bytes), flags));
}

CallResult SystemCalls::openat(int directory, const char* name, int flags, unsigned permissions) {
  const CallResult descriptor = result(::openat(directory, name, flags | O_CLOEXEC, permissions));
  return descriptor < 0 ? descriptor : above_standard_streams(static_cast<int>(descriptor));
}

CallResult SystemCalls::read_directory(int descriptor, void* into, std::size_t bytes) {
  return result(::getdents64(descriptor, into, bytes));
}

CallResult SystemCalls::renameat(int directory, const char* from, const char* to) {
  return result(::renameat(directory, from, directory, to));
}

CallResult SystemCalls::unlinkat(int directory, const char* name) {
  return result(::unlinkat(directory, name, 0));
}

CallResult SystemCalls::link_target(int descriptor, char* into, std::size_t bytes) {
  return result(::readlinkat(descriptor, "", into, bytes));
}

CallResult SystemCalls::fixed_attributes(int descriptor, std::uint64_t& attributes) {
  struct statx facts {};
  const CallResult done = result(::statx(descriptor, "", AT_EMPTY_PATH, 0, &facts));
  attributes = facts.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND);
  return done;
}

CallResult SystemCalls::fchmod(int descriptor, unsigned mode) {
  return result(::fchmod(descriptor, mode));
}

CallResult SystemCalls::fchown(int descriptor, uid_t owner, gid_t group) {
  return result(::fchown(descriptor, owner, group));
}

CallResult SystemCalls::list_attributes(int descriptor, char* into, std::size_t bytes) {
  const CallResult listed = result(::flistxattr(descriptor, into, bytes));
  if (listed != -EBADF) return listed;
  return result(::listxattr(name_in_proc(descriptor).c_str(), into, bytes));
}

CallResult SystemCalls::get_attribute(int descriptor, const char* name, void* into,
                                      std::size_t bytes) {
  const CallResult got = result(::fgetxattr(descriptor, name, into, bytes));
  if (got != -EBADF) return got;
  return result(::getxattr(name_in_proc(descriptor).c_str(), name, into, bytes));
}

CallResult SystemCalls::set_attribute(int descriptor, const char* name, const void* value,
                                      std::size_t bytes) {
  return result(::fsetxattr(descriptor, name, value, bytes, 0));
}

CallResult SystemCalls::remove_attribute(int descriptor, const char* name) {
  return result(::fremovexattr(descriptor, name));
}

CallResult SystemCalls::clone_file(int from, int to) { return result(::ioctl(to, FICLONE, from)); }

CallResult SystemCalls::copy_range(int from, int to, std::uint64_t position, std::size_t bytes) {
  off_t at = offset(position);
  off_t to_at = at;
  return result(::copy_file_range(from, &at, to, &to_at, bytes, 0));
}

CallResult SystemCalls::seek_data(int descriptor, std::uint64_t position) {
  return result(::lseek(descriptor, offset(position), SEEK_DATA));
}

CallResult SystemCalls::seek_hole(int descriptor, std::uint64_t position) {
  return result(::lseek(descriptor, offset(position), SEEK_HOLE));
}

CallResult SystemCalls::random_bytes(void* into, std::size_t bytes) {
  return result(::getrandom(into, bytes, 0));
}

CallResult SystemCalls::truncate(int descriptor, std::uint64_t bytes) {
  return result(::ftruncate(descriptor, offset(bytes)));
}

CallResult SystemCalls::lock(int descriptor) {
  return result(::flock(descriptor, LOCK_EX | LOCK_NB));
}

CallResult SystemCalls::unlock(int descriptor) { return result(::flock(descriptor, LOCK_UN)); }

CallResult SystemCalls::will_read_in_sequence(int descriptor) {
  return -::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
}

CallResult SystemCalls::forget_cached(int descriptor, std::uint64_t position, std::uint64_t bytes) {
  return -::posix_fadvise(descriptor, offset(position), offset(bytes), POSIX_FADV_DONTNEED);
}

CallResult SystemCalls::poll(int descriptor, short events, int timeout_ms) {
  pollfd request{descriptor, events, 0};
  return result(::poll(&request, 1, timeout_ms));
}

CallResult SystemCalls::map_file(int descriptor, std::size_t bytes, void*& address) {
  address = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  return address == MAP_FAILED ? -errno : 0;
}

CallResult SystemCalls::map_memory(std::size_t bytes, void*& address) {
  address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return address == MAP_FAILED ? -errno : 0;
}

CallResult SystemCalls::remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                                     void*& address) {
  address = ::mremap(old, old_bytes, bytes, MREMAP_MAYMOVE);
  return address == MAP_FAILED ? -errno : 0;
}

CallResult SystemCalls::unmap(void* address, std::size_t bytes) {
  return result(::munmap(address, bytes));
}

CallResult SystemCalls::advise_huge_pages(void* address, std::size_t bytes) {
  return result(::madvise(address, bytes, MADV_HUGEPAGE));
}

CallResult SystemCalls::populate(void* address, std::size_t bytes) {
  constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, Linux 5.14; absent from older headers
  return result(::madvise(address, bytes, populate_write));
}

CallResult SystemCalls::processors() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
  return result(::sysconf(_SC_NPROCESSORS_ONLN));  // the set has no room for all processors
}

CallResult SystemCalls::start_thread(void* (*body)(void*), void* argument, pthread_t& thread) {
  sigset_t blocked;
  sigset_t before;
  ::sigfillset(&blocked);
  // Faults that the thread causes itself, for example in a Sink of the program's own, are for the
  // program's handlers. If they were blocked, they would end the process without the handlers.
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
    ::sigdelset(&blocked, fault);
  }
  ::pthread_sigmask(SIG_SETMASK, &blocked, &before);  // the new thread inherits the mask
  const int error = ::pthread_create(&thread, nullptr, body, argument);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return -error;
}

CallResult SystemCalls::join_thread(pthread_t thread) { return -::pthread_join(thread, nullptr); }

CallResult SystemCalls::block_signal(int signal, bool& was_blocked) {
  const sigset_t one = set_of(signal);
  sigset_t before;
  const int error = ::pthread_sigmask(SIG_BLOCK, &one, &before);
  was_blocked = ::sigismember(&before, signal) == 1;
  return -error;
}

CallResult SystemCalls::unblock_signal(int signal) {
  const sigset_t one = set_of(signal);
  return -::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

CallResult SystemCalls::is_signal_waiting(int signal) {
  sigset_t waiting;
  ::sigemptyset(&waiting);
  ::sigpending(&waiting);
  return ::sigismember(&waiting, signal);
}

CallResult SystemCalls::take_signal(int signal) {
  const sigset_t one = set_of(signal);
  const timespec at_once{};
  return result(::sigtimedwait(&one, nullptr, &at_once));
}

}  // namespace sluice::os
