#include "inlined.h"

#include <stdint.h>

#include <algorithm>

#include "account.h"
#include "files.h"
#include "recorder.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

// The work on one file, by streams, until now.
struct Sums {
  uint64_t handed_over = 0;  // bytes that hooked functions have moved to or from buffers
  uint64_t transferred = 0;  // bytes that the kernel has moved from or to these buffers
  uint64_t passed_over = 0;  // bytes that the program has not read, because it has sought
};

// True for calls that may empty a buffer, but hand over no bytes themselves.
bool empties_buffer(Call call) {
  return call == Call::fflush || call == Call::fclose || call == Call::fseek;
}

Sums sums_of(uint32_t file, Does does) {
  Sums sums;
  for (const Usage* usage = first_usage_of(file); usage != nullptr; usage = usage_after(*usage)) {
    const bool hands_over = what_does(usage->call) == does;
    const bool empties = does == Does::write_to_stream && empties_buffer(usage->call);
    if (hands_over) sums.handed_over += usage->bytes;
    if (hands_over || empties) sums.transferred += usage->system_bytes;
    sums.passed_over += usage->passed_over;
  }
  return sums;
}

void count_calls(Usage& usage, uint64_t bytes) {
  usage.copies += bytes;
  usage.bytes += bytes;
  usage.sizes[size_class(1)] += bytes;
}

}  // namespace

void count_inlined_writes(Usage& usage, const FILE* stream) {
  const bool had_room = stream->_IO_write_end > stream->_IO_write_base;  // not of lines
  const uint64_t pending = Held(stream).pending;
  if (pending == 0 || !had_room || usage.file == other_files) return;
  const Sums sums = sums_of(usage.file, Does::write_to_stream);
  const uint64_t moved = sums.transferred + pending;
  const uint64_t bytes = std::min(pending, moved - std::min(moved, sums.handed_over));
  count_calls(usage, bytes);
  if (bytes > 0 && sizes != nullptr && S_ISREG(log->file(usage.file).kind)) add_sizes(1, bytes);
}

void count_inlined_reads(Usage& usage, const FILE* stream) {
  const uint64_t capacity = capacity_of(stream);
  if (capacity <= 1 || Held(stream).unread > 0 || usage.file == other_files) return;
  const Sums sums = sums_of(usage.file, Does::read_from_stream);
  const uint64_t unseen =
      positive(static_cast<int64_t>(sums.transferred - sums.handed_over - sums.passed_over));
  count_calls(usage, std::min(capacity, unseen));
}

}  // namespace sluice::preload
