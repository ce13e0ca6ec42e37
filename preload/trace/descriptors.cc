// System calls on descriptors, counted and timed.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "account.h"
#include "descriptors.h"
#include "files.h"
#include "hook.h"
#include "names.h"
#include "real.h"

namespace sluice::preload {
namespace {

// `most_ahead` bytes are still near, if they lie ahead of where the last call has ended.
void note_position(Usage* usage, uint64_t position, long bytes, uint64_t most_ahead) {
  constexpr auto where_the_file_stands = static_cast<uint64_t>(-1);  // of preadv2 and pwritev2
  if (usage == nullptr || bytes < 0 || position == where_the_file_stands) return;
  if (position - usage->next_position + near_bytes > near_bytes + most_ahead) ++usage->far_calls;
  usage->next_position = position + static_cast<uint64_t>(bytes);
}

// From one file to another: one system call, counted for the written file.
template <typename Work>
long copy_file(Call call, int in, int out, Caller caller, Work work) {
  Usage* const read = usage_of_descriptor(call, in, caller);
  const long result = transfer<Direction::out>(usage_of_descriptor(call, out, caller), work);
  if (read != nullptr && result > 0) {
    ++read->slow_calls;
    read->system_bytes += static_cast<uint64_t>(result);
    count_bytes(*read, static_cast<uint64_t>(result));
  }
  return result;
}

}  // namespace

// At the position that is the fourth argument.
#define SLUICE_TRANSFERS_AT(work, CALL, DIRECTION, names)                                       \
  SLUICE_WORK(long, work) {                                                                     \
    Usage* const usage = usage_of(Call::CALL, arguments);                                       \
    const long bytes = transfer<Direction::DIRECTION>(usage, [&] { return arguments.call(); }); \
    note_position(usage, static_cast<uint64_t>(arguments.value[3]), bytes, near_bytes);         \
    return bytes;                                                                               \
  }                                                                                             \
  SLUICE_AROUND(work, names)

SLUICE_TRANSFERS_AT(sluice_pwrite, pwrite, out, "pwrite, pwrite64");
SLUICE_TRANSFERS_AT(sluice_pwritev, pwritev, out, "pwritev, pwritev64, pwritev2, pwritev64v2");
SLUICE_TRANSFERS_AT(sluice_pread, pread, in, "pread, pread64, __pread_chk, __pread64_chk");
SLUICE_TRANSFERS_AT(sluice_preadv, preadv, in, "preadv, preadv64, preadv2, preadv64v2");
SLUICE_TRANSFERS(sluice_write, write, 0, out, long, "write");
SLUICE_TRANSFERS(sluice_read, read, 0, in, long, "read, __read_chk");
SLUICE_TRANSFERS(sluice_readv, readv, 0, in, long, "readv");
SLUICE_TRANSFERS(sluice_fsync, fsync, 0, none, int, "fsync");
SLUICE_TRANSFERS(sluice_fdatasync, fdatasync, 0, none, int, "fdatasync");
SLUICE_TRANSFERS(sluice_sync_file_range, sync_file_range, 0, none, int, "sync_file_range");
SLUICE_TRANSFERS(sluice_syncfs, syncfs, 0, none, int, "syncfs");
SLUICE_TRANSFERS(sluice_fallocate, fallocate, 0, none, int,
                 "fallocate, fallocate64, posix_fallocate, posix_fallocate64");
SLUICE_TRANSFERS(sluice_flock, flock, 0, none, int, "flock, lockf, lockf64");

// The calls that follow a seek move the position too: by less than this, if they are small.
SLUICE_WORK(long, sluice_lseek) {
  constexpr uint64_t small_bytes = 4096;
  Usage* const usage = usage_of(Call::lseek, arguments);
  const long position = control(usage, [&] { return arguments.call(); });
  if (position >= 0) note_position(usage, static_cast<uint64_t>(position), 0, small_bytes);
  return position;
}
SLUICE_AROUND(sluice_lseek, "lseek, lseek64");

// libstdc++ hands over two pieces: the bytes of its buffer, of which there may be none, and then
// the data of the caller. A stream of Node hands over what was written to it, piece by piece.
SLUICE_WORK(long, sluice_writev) {
  constexpr int most_pieces = 1024;  // for the kernel
  Usage* const usage = usage_of(Call::writev, arguments);
  const auto* const pieces = arguments.address<const iovec>(1);
  const int count = arguments.number(2);
  if (usage != nullptr && count >= 2 && count <= most_pieces && may_be_memory(pieces)) {
    ++usage->paired_calls;
    usage->last_piece_bytes += pieces[count - 1].iov_len;
  }
  return transfer<Direction::out>(usage, [&] { return arguments.call(); });
}
SLUICE_AROUND(sluice_writev, "writev");

// The cut may hide how large the file was.
SLUICE_WORK(long, sluice_ftruncate) {
  Usage* const usage = usage_of(Call::ftruncate, arguments);
  if (usage != nullptr) look_at_size(arguments.number(0));
  return control(usage, [&] { return static_cast<int>(arguments.call()); });
}
SLUICE_AROUND(sluice_ftruncate, "ftruncate, ftruncate64");

SLUICE_WORK(long, sluice_connect) {
  const int result = static_cast<int>(arguments.call());
  const bool connects = result == 0 || errno == EINPROGRESS;
  if (connects && is_recording()) __atomic_add_fetch(&log->connections, 1, __ATOMIC_RELAXED);
  return result;
}
SLUICE_AROUND(sluice_connect, "connect");

// Calls that the log only counts.
#define SLUICE_COUNTS(work, COUNT, names)                                     \
  SLUICE_WORK(void, work) {                                                   \
    if (is_recording()) __atomic_add_fetch(&log->COUNT, 1, __ATOMIC_RELAXED); \
  }                                                                           \
  SLUICE_BEFORE(work, names)

SLUICE_COUNTS(sluice_pthread_create, started_threads, "pthread_create, thrd_create");
SLUICE_COUNTS(sluice_pthread_barrier_wait, barrier_waits, "pthread_barrier_wait");

SLUICE_WORK(long, sluice_sync) {
  return control(usage_of(Call::sync, arguments, no_place), [&] {
    arguments.call();
    return 0;
  });
}
SLUICE_AROUND(sluice_sync, "sync");

SLUICE_WORK(long, sluice_msync) {
  Usage* const usage = usage_of(Call::msync, arguments, no_place);
  if (usage != nullptr) count_bytes(*usage, static_cast<uint64_t>(arguments.value[1]));
  return control(usage, [&] { return static_cast<int>(arguments.call()); });
}
SLUICE_AROUND(sluice_msync, "msync");

#define SLUICE_COPIES(work, CALL, IN, OUT, names)                                                 \
  SLUICE_WORK(long, work) {                                                                       \
    return copy_file(Call::CALL, arguments.number(IN), arguments.number(OUT), arguments.caller(), \
                     [&] { return arguments.call(); });                                           \
  }                                                                                               \
  SLUICE_AROUND(work, names)

SLUICE_COPIES(sluice_sendfile, sendfile, 1, 0, "sendfile, sendfile64");
SLUICE_COPIES(sluice_copy_file_range, copy_file_range, 0, 2, "copy_file_range");

// Node copies in this way.
long copy_file_range_by_number(const long* given, Caller caller) {
  const auto in = static_cast<int>(given[0]);
  const auto out = static_cast<int>(given[2]);
  return copy_file(Call::copy_file_range, in, out, caller, [&] {
    return real().syscall(SYS_copy_file_range, given[0], given[1], given[2], given[3], given[4],
                          given[5]);
  });
}

// dprintf writes its formatted text at once. A vdprintf() of the program's own may call dprintf().
Usage* usage_of_print(int descriptor, Caller caller) {
  Usage* const usage = usage_of_descriptor(Call::write, descriptor, caller);
  if (usage != nullptr) usage->printed = 1;
  return usage;
}
SLUICE_WORK(long, sluice_vdprintf) {
  Usage* const usage = usage_of_print(arguments.number(0), arguments.caller());
  return transfer<Direction::out>(usage, [&] { return static_cast<int>(arguments.call()); });
}
SLUICE_AROUND(sluice_vdprintf, "vdprintf, __vdprintf_chk");
SLUICE_HOOK int dprintf(int descriptor, const char* format, ...) {
  Usage* const usage = usage_of_print(descriptor, SLUICE_CALLER);
  SLUICE_RETURN_WITH_LIST(format, transfer<Direction::out>(usage, [&] {
                            return real().vdprintf(descriptor, format, list);
                          }));
}
SLUICE_HOOK int __dprintf_chk(int descriptor, int flag, const char* format, ...) {
  Usage* const usage = usage_of_print(descriptor, SLUICE_CALLER);
  SLUICE_RETURN_WITH_LIST(format, transfer<Direction::out>(usage, [&] {
                            return real().__vdprintf_chk(descriptor, flag, format, list);
                          }));
}

// Other flags matter for files that are written to, and are asked for then.
long note_direct_access(long descriptor, int flags) {
  if (descriptor >= 0 && (flags & O_DIRECT) != 0 && is_recording()) {
    note_flags(static_cast<int>(descriptor));
  }
  return descriptor;
}

SLUICE_WORK(long, sluice_open) {
  return note_direct_access(open_by_name(Call::open, arguments, {arguments.text(0)}),
                            arguments.number(1));
}
SLUICE_AROUND(sluice_open, "open, open64, __open_2, __open64_2, creat, creat64");

SLUICE_WORK(long, sluice_openat) {
  const bool is_no_link = (arguments.number(2) & O_NOFOLLOW) != 0;
  return note_direct_access(
      open_by_name(Call::open, arguments, {arguments.text(1), arguments.number(0), is_no_link}),
      arguments.number(2));
}
SLUICE_AROUND(sluice_openat, "openat, openat64, __openat_2, __openat64_2");

// The call has written the new name over the template when the name is noted.
SLUICE_WORK(long, sluice_mkstemp) {
  return open_by_name(Call::open, arguments, {arguments.text(0)});
}
SLUICE_AROUND(sluice_mkstemp,
              "mkstemp, mkstemp64, mkstemps, mkstemps64, mkostemp, mkostemp64, mkostemps,"
              "mkostemps64");

SLUICE_WORK(long, sluice_close) {
  Usage* const usage = usage_of(Call::close, arguments);
  if (usage != nullptr) forget_descriptor(arguments.number(0));
  return control(usage, [&] { return static_cast<int>(arguments.call()); });
}
SLUICE_AROUND(sluice_close, "close");

void before_closing(unsigned first, unsigned last) {
  if (is_recording()) forget_descriptors(first, last);
}

SLUICE_WORK(long, sluice_dup) {
  const auto call = [&] { return static_cast<int>(arguments.call()); };
  const int copy = control(usage_of(Call::dup, arguments), call);
  const bool is_new = copy >= 0 && copy != arguments.number(0);  // not of dup2(1, 1)
  if (is_new && is_recording()) descriptor_copied(arguments.number(0), copy);
  return copy;
}
SLUICE_AROUND(sluice_dup, "dup, dup2, dup3");

SLUICE_WORK(long, sluice_fcntl) {
  const int descriptor = arguments.number(0);
  const int command = arguments.number(1);
  const auto call = [&] { return static_cast<int>(arguments.call()); };
  const bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
                     command == F_OFD_SETLKW;
  const int result = control(usage_of(locks ? Call::flock : Call::fcntl, arguments), call);
  if (result < 0 || !is_recording()) return result;
  if (command == F_SETFL) note_flags(descriptor);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) descriptor_copied(descriptor, result);
  return result;
}
SLUICE_AROUND(sluice_fcntl, "fcntl, fcntl64");

}  // namespace sluice::preload
