// Streams that are opened, flushed and closed, and the bytes of them that exit() writes.
#include <pthread.h>
#include <stdio.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "names.h"
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
int write_pending(Usage* usage, FILE* stream, uint64_t waited_ticks, Work work) {
  const Held held(stream);
  SlowCall slow(*usage, waited_ticks);
  const int result = work();
  slow.finish(*usage, {held.calls_to_write_pending(), held.pending, 0});
  if (result != 0) ++usage->failures;
  return result;
}

void unlock_list(void*) { _IO_list_unlock(); }

// glibc's own list of open streams, read as debuggers read it. The lock is released even if look()
// ends by the cancellation of the thread.
template <typename Look>
void for_each_pending_stream(Look look) {
  _IO_list_lock();
  pthread_cleanup_push(unlock_list, nullptr);
  for (void* at = _IO_iter_begin(); at != _IO_iter_end(); at = _IO_iter_next(at)) {
    FILE* const stream = _IO_iter_file(at);
    if ((stream->_flags & stream_is_file) == 0 || stream->_fileno < 0) continue;
    const Held held(stream);
    if (held.pending > 0) look(stream, held);
  }
  pthread_cleanup_pop(1);
}

// fflush(NULL) counts as a call for each stream that it writes: the hook writes them one by one, as
// glibc does. It then finds nothing to write in them. fflush() of one stream does more: the stream
// forgets its position. Behind the first failure glibc goes on alone: its last error is the call's.
int flush_all(Caller caller) {
  int result = 0;
  const auto flush_one = [&](FILE* stream, const Held&) {
    Usage* const usage = result == 0 ? usage_of_stream(Call::fflush, stream, caller) : nullptr;
    if (usage == nullptr) return;
    result |= held_still<Locking::by_call>(stream, [&](uint64_t waited_ticks) {
      return write_pending(usage, stream, waited_ticks,
                           [&] { return real().__overflow(stream, EOF) == EOF ? EOF : 0; });
    });
  };
  if (is_recording()) for_each_pending_stream(flush_one);
  return result | real().fflush(nullptr);
}

// glibc neither writes nor seeks then. std::cin flushes std::cout before each byte.
bool has_nothing_to_flush(const FILE* stream) {
  const Held held(stream);
  return held.pending == 0 && held.unread == 0 && may_read_bytes(stream);
}

template <Locking locking, typename Work>
int flush(FILE* stream, Caller caller, Work work) {
  if (stream == nullptr) return flush_all(caller);
  Usage* const usage = usage_of_stream(Call::fflush, stream, caller);
  if (usage == nullptr) return work();
  return held_still<locking>(stream, [&](uint64_t waited_ticks) {
    if (has_nothing_to_flush(stream)) return copying(*usage, 0, work, work, waited_ticks);
    return write_pending(usage, stream, waited_ticks, work);
  });
}

// The usage that has begun last to write to the stream's file.
Usage* last_writer_to(FILE* stream) {
  const uint32_t file = known_file_of(stream->_fileno);
  Usage* usage = file == 0 ? nullptr : first_usage_of(file);
  while (usage != nullptr && what_does(usage->call) != Does::write_to_stream) {
    usage = usage_after(*usage);
  }
  return usage;
}

}  // namespace

SLUICE_HOOK int fflush(FILE* stream) {
  return flush<Locking::by_call>(stream, SLUICE_CALLER, [=] { return real().fflush(stream); });
}
SLUICE_HOOK int fflush_unlocked(FILE* stream) {
  return flush<Locking::by_caller>(stream, SLUICE_CALLER,
                                   [=] { return real().fflush_unlocked(stream); });
}

SLUICE_WORK(long, sluice_fopen) {
  return open_by_name(Call::fopen, arguments, {arguments.text(0)});
}
SLUICE_AROUND(sluice_fopen, "fopen, fopen64");

// The pending bytes go to the stream's old file. The whole time of the call counts as opening.
SLUICE_WORK(long, sluice_freopen) {
  auto* const stream = arguments.address<FILE>(2);
  if (!is_recording()) return arguments.call();
  const Held held(stream);
  Usage* const usage =
      held.pending == 0 ? nullptr : usage_of_stream(Call::fclose, stream, arguments.caller());
  if (usage != nullptr) {
    SlowCall(*usage).finish(*usage, {held.calls_to_write_pending(), held.pending, 0});
  }
  forget_descriptor(stream->_fileno);
  return open_by_name(Call::fopen, arguments, {arguments.text(0)});
}
SLUICE_AROUND(sluice_freopen, "freopen, freopen64");

SLUICE_WORK(long, sluice_fclose) {
  auto* const stream = arguments.address<FILE>(0);
  const auto call = [&] { return static_cast<int>(arguments.call()); };
  Usage* const usage = usage_of_stream(Call::fclose, stream, arguments.caller());
  if (usage == nullptr) return call();
  if (stream->_fileno >= 0) forget_descriptor(stream->_fileno);
  return write_pending(usage, stream, 0, call);
}
SLUICE_AROUND(sluice_fclose, "fclose, pclose");

void count_what_exit_writes() {
  for_each_pending_stream([](FILE* stream, const Held& held) {
    Usage* usage = last_writer_to(stream);
    if (usage == nullptr) {
      usage = usage_of_stream(Call::fclose, stream, SLUICE_CALLER);
      if (usage == nullptr) return;
      ++usage->slow_calls;
    }
    usage->system_bytes += held.pending;
    usage->system_calls += held.calls_to_write_pending();
  });
}

SLUICE_WORK(void, sluice_fcloseall) {
  if (is_recording()) count_what_exit_writes();
}
SLUICE_BEFORE(sluice_fcloseall, "fcloseall");

}  // namespace sluice::preload
