#include "os/broken_pipe.h"

namespace sluice::os {

// Windows has no SIGPIPE: the write fails, and nothing else happens.
bool can_break(const File&) { return false; }

BrokenPipeHeldBack::BrokenPipeHeldBack(bool is_needed) noexcept : is_needed_(is_needed) {
  static_cast<void>(is_needed_);
}

BrokenPipeHeldBack::~BrokenPipeHeldBack() {
  static_cast<void>(was_blocked_);
  static_cast<void>(waited_before_);
}

}  // namespace sluice::os
