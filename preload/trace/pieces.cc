#include "pieces.h"

#include <stdlib.h>

#include "hook.h"
#include "real.h"
#include "recorder.h"

namespace sluice::preload {
namespace {

// The block that this thread has last made larger; nothing once a read has gone into it.
struct Grown {
  uint64_t begin;
  uint64_t bytes;
  uint64_t ns;
};
__attribute__((tls_model("initial-exec"))) constinit thread_local Grown grown{};

// Smaller blocks are moved in no time that anybody would notice.
constexpr size_t min_grown_bytes = 65536;

void count_growth(Usage& usage, uint64_t ns) {
  ++usage.growths;
  usage.growth_ns += ns;
}

// True for a read into a block that was just made larger, after the bytes that were read of the
// file until then.
bool goes_on_in_grown(const Usage& usage, uint64_t begin) {
  const uint64_t offset = begin - grown.begin;
  return offset < grown.bytes && offset > 0 && offset >= usage.bytes;
}

// True for a read of about as many bytes as all reads before: a std::vector or a buffer of the
// program's own is doubled. Records of any size look like this at their beginning, and later no
// more.
bool asks_for_as_much_again(const Usage& usage, uint64_t bytes) {
  return bytes > usage.asked_bytes && usage.bytes > 0 && bytes >= usage.bytes / 5 * 2;
}

}  // namespace

void note_large_read(Usage& usage, const void* data, uint64_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(data);
  if (goes_on_in_grown(usage, begin)) {
    count_growth(usage, grown.ns);
    grown = {};
  } else if (begin != usage.data_begin && asks_for_as_much_again(usage, bytes)) {
    count_growth(usage, usage.ended_ns == 0 ? 0 : now_ns() - usage.ended_ns);
  }
  usage.data_begin = begin;
  usage.asked_bytes = bytes;
}

SLUICE_HOOK void* realloc(void* block, size_t bytes) noexcept {
  SLUICE_REAL(realloc)
  if (bytes < min_grown_bytes || !is_recording()) return real_function(block, bytes);
  const uint64_t start = now_ns();
  void* const result = real_function(block, bytes);
  grown = {reinterpret_cast<uint64_t>(result), bytes, now_ns() - start};
  return result;
}

}  // namespace sluice::preload
