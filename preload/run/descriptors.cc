// Calls on a descriptor: reading, writing, syncing and closing. Writes are gathered if asked for.
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "coalesce.h"
#include "fortified.h"
#include "held.h"
#include "hook.h"
#include "policy.h"
#include "real.h"
#include "shared_input.h"

namespace sluice::preload {
namespace {

ssize_t failure(int error) {
  errno = error;
  return -1;
}

// True if the hook answers the call with `result`.
bool is_held(int descriptor, const iovec* pieces, int count, ssize_t& result) {
  int failed = 0;
  if (!hold(descriptor, pieces, count, failed)) return false;
  result = 0;
  for (int i = 0; i < count; ++i) result += static_cast<ssize_t>(pieces[i].iov_len);
  if (failed != 0) result = failure(failed);
  return true;
}

// The error of a held write is returned even when nothing is held any more.
bool may_be_held_or_has_failed() { return policy.coalesce || failed_descriptors != 0; }

// Functions of their own, so that calls without extra work save no registers.
[[gnu::noinline]] ssize_t write_with_care(int descriptor, const void* data, size_t bytes) {
  if (may_be_held_or_has_failed()) {
    const iovec piece{const_cast<void*>(data), bytes};
    ssize_t result = 0;
    if (is_held(descriptor, &piece, 1, result)) return result;
  }
  settle_for(descriptor);
  return real().write(descriptor, data, bytes);
}

[[gnu::noinline]] ssize_t read_with_care(int descriptor, void* data, size_t bytes) {
  settle_for(descriptor);
  return real().read(descriptor, data, bytes);
}

// For a call that does not return the result of closing.
void stop_holding_silently_closed(int descriptor) {
  write_held_of(descriptor);
  const auto number = static_cast<unsigned>(descriptor);
  tell_of_lost_writes(number, number);
  stop_holding(descriptor);
}

}  // namespace

SLUICE_HOOK ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (may_be_held_or_has_failed() || must_settle_for(descriptor) || !are_real_functions_found())
      [[unlikely]]
    return write_with_care(descriptor, data, bytes);
  return real_functions.write(descriptor, data, bytes);
}

SLUICE_HOOK ssize_t read(int descriptor, void* data, size_t bytes) {
  if (must_settle_for(descriptor) || !are_real_functions_found()) [[unlikely]]
    return read_with_care(descriptor, data, bytes);
  return real_functions.read(descriptor, data, bytes);
}

SLUICE_HOOK ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  SLUICE_REAL(writev)
  ssize_t result = 0;
  if (may_be_held_or_has_failed() && is_held(descriptor, pieces, count, result)) return result;
  settle_for(descriptor);
  return real_function(descriptor, pieces, count);
}

SLUICE_HOOK int fsync(int descriptor) {
  SLUICE_REAL(fsync)
  settle_for(descriptor);
  if (const int error = take_held_error(descriptor)) return static_cast<int>(failure(error));
  return real_function(descriptor);
}

SLUICE_HOOK int fdatasync(int descriptor) {
  SLUICE_REAL(fdatasync)
  settle_for(descriptor);
  if (const int error = take_held_error(descriptor)) return static_cast<int>(failure(error));
  return real_function(descriptor);
}

SLUICE_HOOK int close(int descriptor) {
  SLUICE_REAL(close)
  settle_for(descriptor);
  const int error = stop_holding(descriptor);
  const int result = real_function(descriptor);
  return result == 0 && error != 0 ? static_cast<int>(failure(error)) : result;
}

// Writes through the copy, even by stdio, cannot be ordered with the held ones.
SLUICE_HOOK int dup(int descriptor) noexcept {
  SLUICE_REAL(dup)
  settle_for(descriptor);
  share_if_input(descriptor);
  may_not_hold(descriptor);
  return real_function(descriptor);
}

SLUICE_HOOK int dup2(int descriptor, int to) noexcept {
  SLUICE_REAL(dup2)
  settle_all();
  if (descriptor == to) return real_function(descriptor, to);
  share_if_input(descriptor);
  share_if_input(to);
  may_not_hold(descriptor);
  stop_holding_silently_closed(to);
  return real_function(descriptor, to);
}

SLUICE_HOOK int dup3(int descriptor, int to, int flags) noexcept {
  SLUICE_REAL(dup3)
  settle_all();
  if (descriptor == to) return real_function(descriptor, to, flags);
  share_if_input(descriptor);
  share_if_input(to);
  may_not_hold(descriptor);
  stop_holding_silently_closed(to);
  return real_function(descriptor, to, flags);
}

// Other calls that write to, close or change descriptors.

SLUICE_HOOK int vdprintf(int descriptor, const char* format, va_list list) {
  SLUICE_REAL(vdprintf)
  settle_for(descriptor);
  return real_function(descriptor, format, list);
}

SLUICE_HOOK int dprintf(int descriptor, const char* format, ...) {
  SLUICE_REAL(vdprintf)
  settle_for(descriptor);
  va_list list;
  va_start(list, format);
  const int result = real_function(descriptor, format, list);
  va_end(list);
  return result;
}

SLUICE_HOOK int __vdprintf_chk(int descriptor, int flag, const char* format, va_list list) {
  SLUICE_REAL(__vdprintf_chk)
  settle_for(descriptor);
  return real_function(descriptor, flag, format, list);
}

SLUICE_HOOK int __dprintf_chk(int descriptor, int flag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __vdprintf_chk(descriptor, flag, format, list);
  va_end(list);
  return result;
}

SLUICE_HOOK FILE* fdopen(int descriptor, const char* mode) noexcept {
  SLUICE_REAL(fdopen)
  settle_for(descriptor);
  share_if_input(descriptor);
  may_not_hold(descriptor);
  return real_function(descriptor, mode);
}

SLUICE_HOOK int close_range(unsigned first, unsigned last, int flags) noexcept {
  SLUICE_REAL(close_range)
  settle_all();
  stop_holding_all();
  if ((static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC) == 0) tell_of_lost_writes(first, last);
  return real_function(first, last, flags);
}

SLUICE_HOOK void closefrom(int first) noexcept {
  SLUICE_REAL(closefrom)
  settle_all();
  stop_holding_all();
  tell_of_lost_writes(first < 0 ? 0 : static_cast<unsigned>(first), UINT_MAX);
  real_function(first);
}

}  // namespace sluice::preload
