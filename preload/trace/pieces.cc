#include "pieces.h"

#include "recorder.h"

namespace sluice::preload {
namespace {

// True for a read of about as many bytes as all reads before: a std::vector or a buffer of the
// program's own is doubled. The first reads of a file of records also look like this; its later
// reads do not.
bool asks_for_as_much_again(const Usage& usage, uint64_t bytes) {
  return bytes > usage.asked_bytes && usage.bytes > 0 && bytes >= usage.bytes / 5 * 2;
}

}  // namespace

void note_large_read(Usage& usage, const void* data, uint64_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(data);
  if (begin != usage.data_begin && asks_for_as_much_again(usage, bytes)) {
    ++usage.growths;
    usage.growth_ns += usage.ended_ns == 0 ? 0 : now_ns() - usage.ended_ns;
  }
  usage.data_begin = begin;
  usage.asked_bytes = bytes;
}

}  // namespace sluice::preload
