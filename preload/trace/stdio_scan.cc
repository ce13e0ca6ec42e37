// scanf and similar functions.
//
// How many bytes a call takes is known only afterwards: from the buffer and, if the buffer was
// filled anew, from the file's position. If a scan takes more than a whole buffer from a pipe, too
// few bytes are counted.
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "account.h"
#include "hook.h"
#include "keep_errno.h"
#include "real.h"
#include "stream.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

int64_t position_of(const FILE* stream) {
  const KeepErrno kept;
  return syscall(SYS_lseek, stream->_fileno, 0, SEEK_CUR);
}

struct BeforeScan {
  BeforeScan(const Usage& usage, const FILE* stream)
      : held(stream),
        next(stream->_IO_read_ptr),
        end(stream->_IO_read_end),
        position(may_pass(usage, held.unread) ? position_of(stream) : -1) {}

  // The buffer was filled anew, or the file has ended. `moved`: the file's position has.
  bool went_to_kernel(const FILE* stream, const Held& after, bool moved) const {
    return stream->_IO_read_end != end || stream->_IO_read_ptr < next ||
           after.at_end != held.at_end || (held.unread == 0 && after.unread > 0) || moved;
  }

  Held held;
  const char* next;
  const char* end;
  int64_t position;
};

template <typename Work>
int scan_from(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  return held_still<Locking::by_call>(stream, [&](uint64_t waited_ticks) {
    const BeforeScan before(*usage, stream);
    return print_or_scan(*usage, waited_ticks, before.held.unread, work, [&](int) {
      const Held after(stream);
      const bool is_known = before.position >= 0;
      const int64_t moved = is_known ? position_of(stream) - before.position : 0;
      const bool is_slow = before.went_to_kernel(stream, after, moved != 0);
      const uint64_t filled = distance(stream->_IO_read_base, stream->_IO_read_end);
      const uint64_t fetched = !is_slow ? 0 : is_known ? positive(moved) : filled;
      const uint64_t there = before.held.unread + fetched;
      const uint64_t taken = there > after.unread ? there - after.unread : 0;
      count_bytes(*usage, taken);
      // A call to the kernel that fails fetches nothing, and may have waited.
      const bool failed = (stream->_flags & _IO_ERR_SEEN) != 0 && after.unread == 0;
      const uint64_t fills = is_slow ? fills_of(fetched, stream, before.held, after) : 0;
      return Transfer{failed ? std::max<uint64_t>(fills, 1) : fills, 0, fetched};
    });
  });
}

}  // namespace

#define SLUICE_SCANNED(STREAM, REAL)                                      \
  scan_from(usage_of_stream(Call::fscanf, STREAM, SLUICE_CALLER), STREAM, \
            [&] { return real().REAL(STREAM, format, list); })
#define SLUICE_SCAN(STREAM) SLUICE_SCANNED(STREAM, vfscanf)
#define SLUICE_SCAN_OF_C99(STREAM) SLUICE_SCANNED(STREAM, __isoc99_vfscanf)
#define SLUICE_SCAN_OF_C23(STREAM) SLUICE_SCANNED(STREAM, __isoc23_vfscanf)
SLUICE_FORMATTED(scan, "", "scanf", , stdin, SLUICE_SCAN)
SLUICE_FORMATTED(scan_of_c99, "__isoc99_", "scanf", , stdin, SLUICE_SCAN_OF_C99)
SLUICE_FORMATTED(scan_of_c23, "__isoc23_", "scanf", , stdin, SLUICE_SCAN_OF_C23)

}  // namespace sluice::preload
