// Opening and closing a FILE, and asking for its descriptor: which streams are private.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <atomic>

#include "counters.h"
#include "held.h"
#include "hook.h"
#include "private_files.h"
#include "real.h"

namespace sluice::preload {
namespace {

// The number of calls of forget_all_private().
constinit std::atomic<uint64_t> forgotten{0};

// Each stream has one place, which other streams may share. A new stream replaces the stream that
// it finds there. Seeks of the replaced stream are then slower, but correct.
constexpr size_t places = 1024;
constinit std::atomic<const FILE*> place[places]{};

// A FILE is 552 bytes long in glibc: neighbours differ in the bits above 512.
std::atomic<const FILE*>& place_of(const FILE* stream) {
  return place[reinterpret_cast<uintptr_t>(stream) / 512 % places];
}

// From now on others can move the position of this stream, because it was closed or the program has
// asked for its descriptor. Another thread may have put another stream into the place.
void forget_private(const FILE* stream) {
  if (is_private(stream)) place_of(stream).compare_exchange_strong(stream, nullptr);
}

// fopen() has just opened this stream, so no other descriptor shares its file position, unless
// another thread has started a process since `forgotten` had the value `before`. Such a thread
// counts first, and then empties all places: either it empties this one, or the count is another
// here. Not noticed: the other thread does both, this one opens the file, and then the other one
// forks.
void remember_private(const FILE* stream, uint64_t before) {
  place_of(stream).store(stream);
  if (forgotten != before) forget_private(stream);
}

}  // namespace

void forget_all_private() {
  ++forgotten;
  std::atomic_thread_fence(std::memory_order_seq_cst);  // see remember_private()
  for (auto& stream : place) stream.store(nullptr, std::memory_order_relaxed);
}

bool is_private(const FILE* stream) {
  return place_of(stream).load(std::memory_order_relaxed) == stream;
}

// A new name may say that other files are complete.
SLUICE_WORK(long, sluice_fopen) {
  write_all_held();
  const uint64_t before = forgotten;
  const long result = arguments.call();
  if (result == 0) return result;
  auto* const stream = reinterpret_cast<FILE*>(result);
  ++counters.streams;
  // A stream that reads mapped memory ("m") has another buffer than its offset tells.
  if (strchr(arguments.text(1), 'm') == nullptr) remember_private(stream, before);
  stream_opened(stream, arguments.frame->caller);
  return result;
}
SLUICE_AROUND(sluice_fopen, "fopen, fopen64");

SLUICE_WORK(long, sluice_freopen) {
  auto* const stream = arguments.address<FILE>(2);
  write_all_held();
  forget_private(stream);
  const long result = arguments.call();
  if (result != 0) stream_reopened(stream->_fileno);
  return result;
}
SLUICE_AROUND(sluice_freopen, "freopen, freopen64");

SLUICE_WORK(long, sluice_fclose) {
  auto* const stream = arguments.address<FILE>(0);
  write_all_held();
  forget_private(stream);
  const int error = stop_holding(stream->_fileno);
  const auto result = static_cast<int>(arguments.call());
  if (result != 0 || error == 0) return result;
  errno = error;
  return EOF;
}
SLUICE_AROUND(sluice_fclose, "fclose");

// The C library closes the stream, and may give its memory to a stream that is not private.
SLUICE_WORK(void, sluice_close_stream) {
  write_all_held();
  forget_private(arguments.address<FILE>(0));
}
SLUICE_BEFORE(sluice_close_stream, "endmntent, pclose, _IO_fclose");

// libstdc++ asks for the descriptor before each write. So these hooks save no registers.
SLUICE_HOOK int fileno(FILE* stream) noexcept {
  forget_private(stream);
  return real().fileno(stream);
}
SLUICE_HOOK int fileno_unlocked(FILE* stream) noexcept {
  forget_private(stream);
  return real().fileno_unlocked(stream);
}

}  // namespace sluice::preload
