// Writing to a descriptor, syncing and closing it: gathered where that was asked for.
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "coalesce.h"
#include "held.h"
#include "hook.h"
#include "policy.h"
#include "real.h"

namespace sluice::preload {
namespace {

ssize_t failure(int error) {
  errno = error;
  return -1;
}

// True when the call is answered by `result`.
bool is_held(int descriptor, const iovec* pieces, int count, ssize_t& result) {
  int failed = 0;
  if (!hold(descriptor, pieces, count, failed)) return false;
  result = 0;
  for (int i = 0; i < count; ++i) result += static_cast<ssize_t>(pieces[i].iov_len);
  if (failed != 0) result = failure(failed);
  return true;
}

}  // namespace

SLUICE_HOOK ssize_t write(int descriptor, const void* data, size_t bytes) {
  SLUICE_REAL(write)
  const iovec piece{const_cast<void*>(data), bytes};
  ssize_t result = 0;
  if (policy.coalesce && is_held(descriptor, &piece, 1, result)) return result;
  settle_for(descriptor);
  return real_function(descriptor, data, bytes);
}

SLUICE_HOOK ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  SLUICE_REAL(writev)
  ssize_t result = 0;
  if (policy.coalesce && is_held(descriptor, pieces, count, result)) return result;
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

SLUICE_HOOK int dup2(int descriptor, int to) noexcept {
  SLUICE_REAL(dup2)
  settle_all();
  stop_holding(to);
  return real_function(descriptor, to);
}

SLUICE_HOOK int dup3(int descriptor, int to, int flags) noexcept {
  SLUICE_REAL(dup3)
  settle_all();
  stop_holding(to);
  return real_function(descriptor, to, flags);
}

}  // namespace sluice::preload
