// The positions of streams in their files.
#include <stdio.h>

#include "account.h"
#include "hook.h"
#include "real.h"
#include "stream.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

// A seek writes the pending bytes. Then glibc asks the kernel to seek, even inside of its buffer.
// Outside of its buffer, and at the buffer's end, it also reads the bytes between the last multiple
// of the buffer's size and the target. `has_result`: the call returns whether it has failed.
int seek(const Arguments& arguments, bool has_result) {
  auto* const stream = arguments.address<FILE>(0);
  const auto call = [&] {
    const auto result = static_cast<int>(arguments.call());
    return has_result ? result : 0;
  };
  Usage* const usage = usage_of_stream(Call::fseek, stream, arguments.caller());
  if (usage == nullptr) return call();
  return held_still<Locking::by_call>(stream, [&](uint64_t waited_ticks) {
    const Held before(stream);
    const off64_t buffer_ended = stream->_offset;
    SlowCall slow(*usage, waited_ticks);
    const int result = call();
    const Held after(stream);
    const uint64_t written = before.pending > after.pending ? before.pending - after.pending : 0;
    const bool is_at_end = result == 0 && after.unread == 0;
    const bool is_new = written > 0 || stream->_offset != buffer_ended || is_at_end;
    const uint64_t fetched = is_new ? distance(stream->_IO_read_base, stream->_IO_read_end) : 0;
    const uint64_t writes = writes_of(written, before, capacity_of(stream));
    slow.finish(*usage, {1 + writes + (fetched > 0 ? 1 : 0), written, fetched});
    usage->passed_over += before.unread - after.unread;
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

// glibc's ungetc() does no more than give_back() then.
bool may_give_back(const FILE* stream, int byte) {
  return byte != EOF && !is_shared(stream) && stream->_IO_read_ptr > stream->_IO_read_base &&
         static_cast<unsigned char>(stream->_IO_read_ptr[-1]) == static_cast<unsigned char>(byte);
}

int give_back(FILE* stream) {
  stream->_flags &= ~_IO_EOF_SEEN;
  return static_cast<unsigned char>(*--stream->_IO_read_ptr);
}

}  // namespace

SLUICE_WORK(long, sluice_seek) { return seek(arguments, true); }
SLUICE_AROUND(sluice_seek, "fseek, fseeko, fseeko64, fsetpos, fsetpos64");

SLUICE_WORK(long, sluice_rewind) { return seek(arguments, false); }
SLUICE_AROUND(sluice_rewind, "rewind");

SLUICE_WORK(long, sluice_tell) {
  auto* const stream = arguments.address<FILE>(0);
  const auto call = [&] { return arguments.call(); };
  Usage* const usage = usage_of_stream(Call::ftell, stream, arguments.caller());
  if (usage == nullptr) return call();
  return held_still<Locking::by_call>(stream, [&](uint64_t waited_ticks) {
    if (!asks_for_position(stream)) return copying(*usage, 0, call, call, waited_ticks);
    SlowCall slow(*usage, waited_ticks);
    const long result = call();
    slow.finish(*usage, {1, 0, 0});
    return result;
  });
}
SLUICE_AROUND(sluice_tell, "ftell, ftello, ftello64, fgetpos, fgetpos64");

[[gnu::noinline]] int give_back_by_call(int byte, FILE* stream, Caller caller) {
  Usage* const usage = usage_of_stream(Call::ungetc, stream, caller);
  const auto call = [=] { return real().ungetc(byte, stream); };
  return usage == nullptr ? call() : copying(*usage, 0, call, call);
}

// The bytes that it gives back lie in memory. std::cin looks at each byte in this way.
SLUICE_HOOK int ungetc(int byte, FILE* stream) {
  const Caller caller = SLUICE_FRAMELESS_CALLER;
  Usage* const usage = usage_of(known_library_call(Call::ungetc, stream, caller));
  const bool is_given_back =
      usage != nullptr && may_give_back(stream, byte) && counts_copy_untimed(*usage);
  return is_given_back ? give_back(stream) : give_back_by_call(byte, stream, caller);
}

}  // namespace sluice::preload
