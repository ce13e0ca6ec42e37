#include "held.h"

namespace sluice::preload {

void settle_written_now() {
  settle_buffers(Direction::written);
  write_all_held();
}

void settle_for_stream_now(const FILE* stream) {
  if (!has_larger_buffer(stream)) settle_written_now();
}

void settle_all_now() {
  settle_buffers(Direction::both);
  write_all_held();
}

}  // namespace sluice::preload
