// Streams that are opened, flushed and closed, and the bytes of them that exit() writes.
#include <stdio.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "real.h"
#include "stdio_calls.h"
#include "stream.h"
#include "stream_calls.h"

// glibc has these since 2.2.5; its headers no longer declare them.
extern "C" {
void _IO_list_lock();
void _IO_list_unlock();
void* _IO_iter_begin();
void* _IO_iter_end();
void* _IO_iter_next(void* at);
FILE* _IO_iter_file(void* at);
}

namespace sluice::preload {
namespace {

// fflush, fclose: the pending bytes are written.
template <typename Work>
int write_pending(Usage* usage, FILE* stream, uint64_t waited_ns, Work work) {
  const uint64_t pending = Held(stream).pending;
  SlowCall slow(*usage, waited_ns);
  const int result = work();
  slow.finish(pending > 0 ? 1 : 0, pending, 0);
  if (result != 0) ++usage->failures;
  return result;
}

template <Locking locking, typename Work>
int flush(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  return held_still<locking>(
      stream, [&](const Waited& waited) { return write_pending(usage, stream, waited.ns, work); });
}

template <typename Work>
int close_stream(Usage* usage, FILE* stream, Work work) {
  const int descriptor = stream->_fileno;
  if (usage == nullptr) return work();
  if (descriptor >= 0) forget_descriptor(descriptor);
  return write_pending(usage, stream, 0, work);
}

// glibc's own list of open streams, read as debuggers read it.
template <typename Look>
void for_each_pending_stream(Look look) {
  _IO_list_lock();
  for (void* at = _IO_iter_begin(); at != _IO_iter_end(); at = _IO_iter_next(at)) {
    FILE* const stream = _IO_iter_file(at);
    if ((stream->_flags & stream_is_file) == 0 || stream->_fileno < 0) continue;
    const uint64_t pending = Held(stream).pending;
    if (pending > 0) look(stream, pending);
  }
  _IO_list_unlock();
}

// fflush(NULL) counts as a call for each stream that it writes.
template <typename Work>
int flush_all(const void* caller, const void* frame, Work work) {
  if (!is_recording()) return work();
  struct Flushed {
    Usage* usage;
    uint64_t bytes;
  };
  constexpr size_t max_timed = 32;
  Flushed flushed[max_timed];
  size_t count = 0;
  for_each_pending_stream([&](FILE* stream, uint64_t pending) {
    Usage* const usage = usage_of_stream(Call::fflush, stream, caller, frame);
    if (usage == nullptr) return;
    ++usage->slow_calls;
    if (count < max_timed) {
      flushed[count++] = {usage, pending};
    } else {
      ++usage->system_calls;
      usage->system_bytes += pending;
      const uint64_t now = now_ns();
      add_to_moment(now, now, {pending, 0, 0, 0, 0});
    }
  });
  SlowTime time(true);
  const int result = work();
  time.stop();
  for (size_t i = 0; i < count; ++i) time.add_to(*flushed[i].usage, 1, flushed[i].bytes, 0, count);
  return result;
}

template <typename Work>
FILE* open_stream(const char* path, Work work, const void* caller, const void* frame) {
  if (!is_recording()) return work();
  SlowTime time(is_opening_to_be_timed());
  FILE* const stream = work();
  time.stop();
  if (stream == nullptr) return stream;
  const int descriptor = stream->_fileno;
  if (descriptor >= 0) note_opened(descriptor, path);
  if (Usage* const usage = usage_of_stream(Call::fopen, stream, caller, frame)) {
    ++usage->slow_calls;
    time.add_to(*usage, 1, 0, 0);
  }
  return stream;
}

// The pending bytes go to the stream's old file.
template <typename Work>
FILE* reopen_stream(FILE* stream, const char* path, Work work, const void* caller,
                    const void* frame) {
  if (!is_recording()) return work();
  const uint64_t pending = Held(stream).pending;
  Usage* const usage =
      pending == 0 ? nullptr : usage_of_stream(Call::fclose, stream, caller, frame);
  // The whole time of the call counts as opening.
  if (usage != nullptr) SlowCall(*usage).finish(1, pending, 0);
  forget_descriptor(stream->_fileno);
  return open_stream(path, work, caller, frame);
}

}  // namespace

SLUICE_HOOK int fflush(FILE* stream) {
  if (stream == nullptr) return flush_all(SLUICE_CALLER, [&] { return real().fflush(nullptr); });
  return flush<Locking::by_call>(usage_of_stream(Call::fflush, stream, SLUICE_CALLER), stream,
                                 [&] { return real().fflush(stream); });
}

SLUICE_HOOK int fflush_unlocked(FILE* stream) {
  if (stream == nullptr) {
    return flush_all(SLUICE_CALLER, [&] { return real().fflush_unlocked(nullptr); });
  }
  return flush<Locking::by_caller>(usage_of_stream(Call::fflush, stream, SLUICE_CALLER), stream,
                                   [&] { return real().fflush_unlocked(stream); });
}

#define SLUICE_OPEN_STREAM(NAME)                                       \
  SLUICE_HOOK FILE* NAME(const char* name, const char* mode) {         \
    return open_stream(                                                \
        name, [&] { return real().NAME(name, mode); }, SLUICE_CALLER); \
  }
SLUICE_STREAM_OPENS(SLUICE_OPEN_STREAM)

#define SLUICE_REOPEN_STREAM(NAME)                                           \
  SLUICE_HOOK FILE* NAME(const char* name, const char* mode, FILE* stream) { \
    const auto work = [&] { return real().NAME(name, mode, stream); };       \
    return reopen_stream(stream, name, work, SLUICE_CALLER);                 \
  }
SLUICE_STREAM_REOPENS(SLUICE_REOPEN_STREAM)

SLUICE_HOOK int fclose(FILE* stream) {
  return close_stream(usage_of_stream(Call::fclose, stream, SLUICE_CALLER), stream,
                      [&] { return real().fclose(stream); });
}

SLUICE_HOOK int pclose(FILE* stream) {
  return close_stream(usage_of_stream(Call::fclose, stream, SLUICE_CALLER), stream,
                      [&] { return real().pclose(stream); });
}

namespace {

// The usage that has begun last to write to the stream's file.
Usage* last_writer_to(FILE* stream) {
  const uint32_t file = known_file_of(stream->_fileno);
  Usage* usage = file == 0 ? nullptr : first_usage_of(file);
  while (usage != nullptr && usage->call > Call::fprintf) usage = usage_after(*usage);
  return usage;
}

}  // namespace

void count_what_exit_writes() {
  for_each_pending_stream([](FILE* stream, uint64_t pending) {
    Usage* usage = last_writer_to(stream);
    if (usage == nullptr) {
      usage = usage_of_stream(Call::fclose, stream, SLUICE_CALLER);
      if (usage == nullptr) return;
      ++usage->slow_calls;
    }
    usage->system_bytes += pending;
    ++usage->system_calls;
  });
}

}  // namespace sluice::preload
