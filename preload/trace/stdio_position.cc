// The positions of streams in their files.
#include <stdio.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "real.h"
#include "stdio_calls.h"
#include "stream.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

// A seek writes the pending bytes. Then glibc asks the kernel to seek, even inside of its buffer.
// Outside of its buffer it also reads the bytes between the last multiple of the buffer's size and
// the target.
template <typename Work>
int seek(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  return held_still<Locking::by_call>(stream, [&](const Waited& waited) {
    const Held before(stream);
    const off64_t buffer_ended = stream->_offset;
    SlowCall slow(*usage, waited.ns);
    const int result = work();
    const Held after(stream);
    const bool is_elsewhere = stream->_offset != buffer_ended;
    const uint64_t fetched =
        is_elsewhere ? distance(stream->_IO_read_base, stream->_IO_read_end) : 0;
    const uint64_t written = before.pending > after.pending ? before.pending - after.pending : 0;
    slow.finish(1u + (written > 0 ? 1 : 0) + (fetched > 0 ? 1 : 0), written, fetched);
    if (result != 0) ++usage->failures;
    return result;
  });
}

// glibc asks the kernel for the position if it does not know it, or if others may have appended to
// a file that it appends to.
bool asks_for_position(const FILE* stream) {
  const bool appends = (stream->_flags & stream_appending) != 0;
  return stream->_offset < 0 || (appends && Held(stream).pending > 0);
}

template <typename Work>
auto tell(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  return held_still<Locking::by_call>(stream, [&](const Waited& waited) {
    if (!asks_for_position(stream)) return copying(*usage, 0, work, waited.ticks);
    SlowCall slow(*usage, waited.ns);
    const auto result = work();
    slow.finish(1, 0, 0);
    return result;
  });
}

}  // namespace

#define SLUICE_SEEK(NAME, OFFSET)                                            \
  SLUICE_HOOK int NAME(FILE* stream, OFFSET offset, int whence) {            \
    return seek(usage_of_stream(Call::fseek, stream, SLUICE_CALLER), stream, \
                [&] { return real().NAME(stream, offset, whence); });        \
  }
SLUICE_SEEKS(SLUICE_SEEK)

SLUICE_HOOK void rewind(FILE* stream) {
  seek(usage_of_stream(Call::fseek, stream, SLUICE_CALLER), stream, [&] {
    real().rewind(stream);
    return 0;
  });
}

#define SLUICE_SET_POSITION(NAME, POSITION)                                  \
  SLUICE_HOOK int NAME(FILE* stream, const POSITION* position) {             \
    return seek(usage_of_stream(Call::fseek, stream, SLUICE_CALLER), stream, \
                [&] { return real().NAME(stream, position); });              \
  }
SLUICE_SET_POSITION(fsetpos, fpos_t)
SLUICE_SET_POSITION(fsetpos64, fpos64_t)

#define SLUICE_GET_POSITION(NAME, POSITION)                                  \
  SLUICE_HOOK int NAME(FILE* stream, POSITION position) {                    \
    return tell(usage_of_stream(Call::ftell, stream, SLUICE_CALLER), stream, \
                [&] { return real().NAME(stream, position); });              \
  }
SLUICE_GET_POSITION(fgetpos, fpos_t*)
SLUICE_GET_POSITION(fgetpos64, fpos64_t*)

#define SLUICE_TELL(NAME, OFFSET)                                            \
  SLUICE_HOOK OFFSET NAME(FILE* stream) {                                    \
    return tell(usage_of_stream(Call::ftell, stream, SLUICE_CALLER), stream, \
                [&] { return real().NAME(stream); });                        \
  }
SLUICE_TELLS(SLUICE_TELL)

// The bytes that it gives back lie in memory.
SLUICE_HOOK int ungetc(int byte, FILE* stream) {
  Usage* const usage = usage_of_stream(Call::ungetc, stream, SLUICE_CALLER);
  if (usage == nullptr) return real().ungetc(byte, stream);
  return copying(*usage, 0, [&] { return real().ungetc(byte, stream); });
}

}  // namespace sluice::preload
