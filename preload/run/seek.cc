// Positions of a FILE: a seek that stays inside the read buffer moves a pointer.
//
// glibc moves the pointer too, and then asks the kernel to seek to the position where the file
// already is, in case another process has moved this position. The system call is left out if
// nobody else can move the position.
#include <stdio.h>

#include "counters.h"
#include "held.h"
#include "hook.h"
#include "policy.h"
#include "private_files.h"
#include "real.h"
#include "stdio_calls.h"
#include "stream.h"

namespace sluice::preload {
namespace {

bool position_is_known(const FILE* stream) {
  constexpr int excluded = stream_unbuffered | stream_in_backup | stream_putting | stream_appending;
  return (stream->_flags & (stream_is_file | excluded)) == stream_is_file && stream->_offset >= 0 &&
         byte_oriented(stream) && stream->_IO_save_base == nullptr &&
         stream->_IO_write_ptr == stream->_IO_write_base;
}

off64_t position_of(const FILE* stream) {
  return stream->_offset - (stream->_IO_read_end - stream->_IO_read_ptr);
}

void start_reading_at(FILE* stream, char* byte) {
  char* const base = stream->_IO_buf_base;
  stream->_IO_read_base = base;
  stream->_IO_read_ptr = byte;
  stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = base;
  stream->_flags &= ~_IO_EOF_SEEN;
}

bool fast_seek(FILE* stream, off64_t offset, int whence) {
  if (!lock_may_be_skipped(stream) || !is_private(stream) || !position_is_known(stream))
    return false;
  if (stream->_IO_read_base == nullptr || (whence != SEEK_SET && whence != SEEK_CUR)) return false;
  const off64_t buffer_start = stream->_offset - (stream->_IO_read_end - stream->_IO_buf_base);
  off64_t target = offset;
  if (whence == SEEK_CUR && __builtin_add_overflow(offset, position_of(stream), &target)) {
    return false;
  }
  if (target < buffer_start || target >= stream->_offset) return false;
  start_reading_at(stream, stream->_IO_buf_base + (target - buffer_start));
  count_call(&Counters::fast_seeks, stream);
  count_call(&Counters::saved_calls, stream);
  return true;
}

template <typename RealSeek, typename Offset>
int seek(RealSeek real_seek, FILE* stream, Offset offset, int whence) {
  if (fast_seek(stream, offset, whence)) return 0;
  count_call(&Counters::slow_seeks, stream);
  write_all_held();  // the C library may write the stream's bytes, to a pipe for example
  return real_seek(stream, offset, whence);
}

template <typename RealTell>
auto tell(RealTell real_tell, FILE* stream) {
  const bool known = lock_may_be_skipped(stream) && position_is_known(stream) &&
                     stream->_IO_buf_base != nullptr && position_of(stream) >= 0;
  return known ? position_of(stream) : real_tell(stream);
}

}  // namespace

#define SLUICE_SEEK(NAME, OFFSET)                                 \
  SLUICE_HOOK int NAME(FILE* stream, OFFSET offset, int whence) { \
    return seek(real().NAME, stream, offset, whence);             \
  }
SLUICE_SEEKS(SLUICE_SEEK)

#define SLUICE_TELL(NAME, OFFSET) \
  SLUICE_HOOK OFFSET NAME(FILE* stream) { return tell(real().NAME, stream); }
SLUICE_TELLS(SLUICE_TELL)

}  // namespace sluice::preload
