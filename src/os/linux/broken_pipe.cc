#include "os/broken_pipe.h"

#include <signal.h>
#include <sys/stat.h>

#include "os/file.h"
#include "os/system_calls.h"

namespace sluice::os {

bool can_break(const File& file) {
  FileStat facts{};
  if (facts_of(file.descriptor(), facts) < 0) return true;
  return S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode);
}

BrokenPipeHeldBack::BrokenPipeHeldBack(bool is_needed) noexcept : is_needed_(is_needed) {
  if (!is_needed_) return;
  calls().block_signal(SIGPIPE, was_blocked_);
  // A signal that was not blocked cannot be pending.
  waited_before_ = was_blocked_ && calls().is_signal_waiting(SIGPIPE) == 1;
}

BrokenPipeHeldBack::~BrokenPipeHeldBack() {
  if (!is_needed_) return;
  if (!waited_before_ && calls().is_signal_waiting(SIGPIPE) == 1) {
    uninterrupted([] { return calls().take_signal(SIGPIPE); });
  }
  if (!was_blocked_) calls().unblock_signal(SIGPIPE);
}

}  // namespace sluice::os
