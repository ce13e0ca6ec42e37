// System calls on descriptors, counted and timed.
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "memory.h"
#include "open_calls.h"
#include "pieces.h"
#include "real.h"
#include "transfer_calls.h"

namespace sluice::preload {
namespace {

enum class Direction { none, in, out };

template <Direction direction, typename Work>
auto transfer(Usage* usage, Work work) {
  if (usage == nullptr) return work();
  SlowCall slow(*usage);
  const auto result = work();
  const uint64_t bytes = result > 0 ? static_cast<uint64_t>(result) : 0;
  slow.finish(1, direction == Direction::out ? bytes : 0, direction == Direction::in ? bytes : 0);
  if (direction == Direction::out) count_written(*usage, bytes);
  if (direction == Direction::in) count_bytes(*usage, bytes);
  if (result < 0) ++usage->failures;
  return result;
}

template <typename Work>
auto control(Usage* usage, Work work) {
  return transfer<Direction::none>(usage, work);
}

// libstdc++ hands over two pieces: the bytes of its buffer, of which there may be none, and then
// the data of the caller.
void note_last_piece(Usage* usage, const struct iovec* pieces, int count) {
  if (count <= 0 || count > IOV_MAX || !may_be_memory(pieces)) return;
  note_written(usage, pieces[count - 1].iov_base, pieces[count - 1].iov_len);
}

template <typename Work>
int opened(const char* path, const void* caller, const void* frame, Work work) {
  if (!is_recording()) return work();
  SlowTime time(is_opening_to_be_timed());
  const int descriptor = work();
  time.stop();
  if (descriptor < 0) return descriptor;
  note_opened(descriptor, path);
  if (Usage* const usage = usage_of_descriptor(Call::open, descriptor, caller, frame)) {
    ++usage->slow_calls;
    time.add_to(*usage, 1, 0, 0);
  }
  return descriptor;
}

}  // namespace

// NOTE notes where the data lies.
#define SLUICE_TRANSFER(DIRECTION, CALL, RESULT, NAME, PARAMETERS, ARGUMENTS, NOTE)      \
  SLUICE_HOOK RESULT NAME PARAMETERS {                                                   \
    Usage* const usage = usage_of_descriptor(Call::CALL, descriptor, SLUICE_CALLER);     \
    NOTE;                                                                                \
    return transfer<Direction::DIRECTION>(usage, [&] { return real().NAME ARGUMENTS; }); \
  }

SLUICE_TRANSFER(out, write, ssize_t, write, (int descriptor, const void* data, size_t bytes),
                (descriptor, data, bytes), note_written(usage, data, bytes))
SLUICE_TRANSFER(out, writev, ssize_t, writev,
                (int descriptor, const struct iovec* pieces, int count),
                (descriptor, pieces, count), note_last_piece(usage, pieces, count))
SLUICE_TRANSFER(in, read, ssize_t, read, (int descriptor, void* data, size_t bytes),
                (descriptor, data, bytes), note_read(usage, data, bytes))

#define SLUICE_NOTE_in_block note_read(usage, data, bytes)
#define SLUICE_NOTE_out_block note_written(usage, data, bytes)
#define SLUICE_NOTE_in_pieces
#define SLUICE_NOTE_out_pieces
#define SLUICE_LISTED(DIRECTION, DATA, CALL, NAME, PARAMETERS, ARGUMENTS) \
  SLUICE_TRANSFER(DIRECTION, CALL, ssize_t, NAME, PARAMETERS, ARGUMENTS,  \
                  SLUICE_NOTE_##DIRECTION##_##DATA)
SLUICE_TRANSFER_CALLS(SLUICE_LISTED)

SLUICE_TRANSFER(none, fsync, int, fsync, (int descriptor), (descriptor), )
SLUICE_TRANSFER(none, fdatasync, int, fdatasync, (int descriptor), (descriptor), )

// From one file to another: one system call, counted for the written file.
template <typename Work>
ssize_t copied(Call call, int in, int out, const void* caller, const void* frame, Work work) {
  Usage* const read = usage_of_descriptor(call, in, caller, frame);
  const ssize_t result =
      transfer<Direction::out>(usage_of_descriptor(call, out, caller, frame), work);
  if (read != nullptr && result > 0) {
    ++read->slow_calls;
    read->system_bytes += static_cast<uint64_t>(result);
    count_bytes(*read, static_cast<uint64_t>(result));
  }
  return result;
}

#define SLUICE_SEND(NAME, OFFSET)                                                   \
  SLUICE_HOOK ssize_t NAME(int out, int in, OFFSET offset, size_t bytes) noexcept { \
    return copied(Call::sendfile, in, out, SLUICE_CALLER,                           \
                  [&] { return real().NAME(out, in, offset, bytes); });             \
  }
SLUICE_SEND(sendfile, off_t*)
SLUICE_SEND(sendfile64, off64_t*)

SLUICE_HOOK ssize_t copy_file_range(int in, off64_t* in_offset, int out, off64_t* out_offset,
                                    size_t bytes, unsigned flags) {
  return copied(Call::copy_file_range, in, out, SLUICE_CALLER, [&] {
    return real().copy_file_range(in, in_offset, out, out_offset, bytes, flags);
  });
}

// dprintf writes its formatted text at once.
#define SLUICE_PRINTED(REAL, ...)                                                       \
  transfer<Direction::out>(usage_of_descriptor(Call::write, descriptor, SLUICE_CALLER), \
                           [&] { return real().REAL(descriptor, __VA_ARGS__, list); })
SLUICE_HOOK int vdprintf(int descriptor, const char* format, va_list list) {
  return SLUICE_PRINTED(vdprintf, format);
}
SLUICE_HOOK int __vdprintf_chk(int descriptor, int flag, const char* format, va_list list) {
  return SLUICE_PRINTED(__vdprintf_chk, flag, format);
}
SLUICE_HOOK int dprintf(int descriptor, const char* format, ...) {
  SLUICE_RETURN_WITH_LIST(format, SLUICE_PRINTED(vdprintf, format));
}
SLUICE_HOOK int __dprintf_chk(int descriptor, int flag, const char* format, ...) {
  SLUICE_RETURN_WITH_LIST(format, SLUICE_PRINTED(__vdprintf_chk, flag, format));
}

#define SLUICE_LSEEK(NAME, OFFSET)                                              \
  SLUICE_HOOK OFFSET NAME(int descriptor, OFFSET offset, int whence) noexcept { \
    return control(usage_of_descriptor(Call::lseek, descriptor, SLUICE_CALLER), \
                   [&] { return real().NAME(descriptor, offset, whence); });    \
  }
SLUICE_LSEEK(lseek, off_t)
SLUICE_LSEEK(lseek64, off64_t)

SLUICE_HOOK int close(int descriptor) {
  Usage* const usage = usage_of_descriptor(Call::close, descriptor, SLUICE_CALLER);
  if (usage != nullptr) forget_descriptor(descriptor);
  return control(usage, [&] { return real().close(descriptor); });
}

SLUICE_HOOK int close_range(unsigned first, unsigned last, int flags) noexcept {
  const auto end = static_cast<int>(last < INT_MAX ? last : INT_MAX);
  if (is_recording() && first <= last && first < INT_MAX) {
    forget_descriptors(static_cast<int>(first), end);
  }
  return real().close_range(first, last, flags);
}

SLUICE_HOOK void closefrom(int first) noexcept {
  if (is_recording()) forget_descriptors(first < 0 ? 0 : first, INT_MAX);
  real().closefrom(first);
}

// Copies a descriptor. `place` may have been taken by another file before; -1: by none.
template <typename Work>
int copied(const void* caller, const void* frame, int descriptor, int place, Work work) {
  Usage* const usage = usage_of_descriptor(Call::dup, descriptor, caller, frame);
  if (is_recording() && place >= 0) forget_descriptor(place);
  const int copy = control(usage, work);
  if (is_recording() && copy >= 0) descriptor_copied(descriptor, copy);
  return copy;
}

SLUICE_HOOK int dup(int descriptor) noexcept {
  return copied(SLUICE_CALLER, descriptor, -1, [&] { return real().dup(descriptor); });
}

SLUICE_HOOK int dup2(int descriptor, int to) noexcept {
  return copied(SLUICE_CALLER, descriptor, to, [&] { return real().dup2(descriptor, to); });
}

SLUICE_HOOK int dup3(int descriptor, int to, int flags) noexcept {
  return copied(SLUICE_CALLER, descriptor, to, [&] { return real().dup3(descriptor, to, flags); });
}

void note_command(int descriptor, int command, int result) {
  if (result < 0 || !is_recording()) return;
  if (command == F_SETFL) note_flags(descriptor);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) descriptor_copied(descriptor, result);
}

// Every command has one argument at most.
#define SLUICE_CONTROL(NAME)                                                          \
  SLUICE_HOOK int NAME(int descriptor, int command, ...) {                            \
    SLUICE_LONGS_BEHIND(command, 1)                                                   \
    Usage* const usage = usage_of_descriptor(Call::fcntl, descriptor, SLUICE_CALLER); \
    const auto work = [&] { return real().NAME(descriptor, command, arguments[0]); }; \
    const int result = control(usage, work);                                          \
    note_command(descriptor, command, result);                                        \
    return result;                                                                    \
  }
SLUICE_CONTROL(fcntl)
SLUICE_CONTROL(fcntl64)

#define SLUICE_OPENED(CALL) return opened(path, SLUICE_CALLER, [&] { return CALL; })
SLUICE_OPEN_CALLS

}  // namespace sluice::preload
