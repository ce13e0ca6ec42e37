// scanf and similar functions.
//
// How many bytes a call takes is known only afterwards: from the buffer and, if the buffer was
// filled anew, from the file's position. If a scan takes more than a whole buffer from a pipe, too
// few bytes are counted.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "account.h"
#include "hook.h"
#include "real.h"
#include "stream.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

int64_t position_of(const FILE* stream) {
  const int error = errno;
  const int64_t position = syscall(SYS_lseek, stream->_fileno, 0, SEEK_CUR);
  errno = error;
  return position;
}

struct BeforeScan {
  explicit BeforeScan(const FILE* stream)
      : held(stream),
        next(stream->_IO_read_ptr),
        end(stream->_IO_read_end),
        position(held.unread < few_bytes ? position_of(stream) : -1) {}

  // The buffer was filled anew, or the file has ended.
  bool went_to_kernel(const FILE* stream, const Held& after) const {
    return stream->_IO_read_end != end || stream->_IO_read_ptr < next ||
           after.at_end != held.at_end || (held.unread == 0 && after.unread > 0) ||
           (position >= 0 && position_of(stream) != position);
  }

  uint64_t fetched(const FILE* stream) const {
    if (position >= 0) return positive(position_of(stream) - position);
    return distance(stream->_IO_read_base, stream->_IO_read_end);
  }

  Held held;
  const char* next;
  const char* end;
  int64_t position;
};

template <typename Work>
int scan_from(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  return held_still<Locking::by_call>(stream, [&](const Waited& waited) {
    const BeforeScan before(stream);
    UnsureCall call(*usage, waited, before.held.unread);
    const int result = work();
    call.come_back();
    const Held after(stream);
    const bool is_slow = before.went_to_kernel(stream, after);
    const uint64_t fetched = is_slow ? before.fetched(stream) : 0;
    const uint64_t there = before.held.unread + fetched;
    const uint64_t taken = there > after.unread ? there - after.unread : 0;
    count_bytes(*usage, taken);
    if (!is_slow) {
      call.was_a_copy(taken * 16);
      return result;
    }
    const uint64_t capacity = capacity_of(stream);
    const uint64_t fills = capacity <= 1 ? fetched : (fetched + capacity - 1) / capacity;
    call.was_slow(fills + (after.at_end && !before.held.at_end ? 1 : 0), 0, fetched);
    return result;
  });
}

using ScanList = int (*)(FILE* stream, const char* format, va_list list);

}  // namespace

// The headers give some of these other names, so each has the name by which programs call it. The
// functions that take a list are the base of the others.
#define SLUICE_SCAN(SYMBOL, NAME, LIST)                                                        \
  static ScanList real_##NAME() {                                                              \
    static ScanList real_function = nullptr;                                                   \
    if (real_function == nullptr) [[unlikely]]                                                 \
      real_function = reinterpret_cast<ScanList>(find_real_function(LIST));                    \
    return real_function;                                                                      \
  }                                                                                            \
  SLUICE_HOOK int hook_v##NAME(FILE* stream, const char* format, va_list list) __asm__(LIST);  \
  SLUICE_HOOK int hook_v##NAME(FILE* stream, const char* format, va_list list) {               \
    return scan_from(usage_of_stream(Call::fscanf, stream, SLUICE_CALLER), stream,             \
                     [&] { return real_##NAME()(stream, format, list); });                     \
  }                                                                                            \
  SLUICE_HOOK int hook_v_in_##NAME(const char* format, va_list list) __asm__(SYMBOL "vscanf"); \
  SLUICE_HOOK int hook_v_in_##NAME(const char* format, va_list list) {                         \
    return scan_from(usage_of_stream(Call::fscanf, stdin, SLUICE_CALLER), stdin,               \
                     [&] { return real_##NAME()(stdin, format, list); });                      \
  }                                                                                            \
  SLUICE_HOOK int hook_##NAME(FILE* stream, const char* format, ...) __asm__(SYMBOL "fscanf"); \
  SLUICE_HOOK int hook_##NAME(FILE* stream, const char* format, ...) {                         \
    va_list list;                                                                              \
    va_start(list, format);                                                                    \
    const int result = scan_from(usage_of_stream(Call::fscanf, stream, SLUICE_CALLER), stream, \
                                 [&] { return real_##NAME()(stream, format, list); });         \
    va_end(list);                                                                              \
    return result;                                                                             \
  }                                                                                            \
  SLUICE_HOOK int hook_in_##NAME(const char* format, ...) __asm__(SYMBOL "scanf");             \
  SLUICE_HOOK int hook_in_##NAME(const char* format, ...) {                                    \
    va_list list;                                                                              \
    va_start(list, format);                                                                    \
    const int result = scan_from(usage_of_stream(Call::fscanf, stdin, SLUICE_CALLER), stdin,   \
                                 [&] { return real_##NAME()(stdin, format, list); });          \
    va_end(list);                                                                              \
    return result;                                                                             \
  }
SLUICE_SCAN("", fscanf_of_gnu, "vfscanf")
SLUICE_SCAN("__isoc99_", fscanf_of_c99, "__isoc99_vfscanf")
SLUICE_SCAN("__isoc23_", fscanf_of_c23, "__isoc23_vfscanf")

}  // namespace sluice::preload
