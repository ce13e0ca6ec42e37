// Calls that install a signal handler.
#include <signal.h>

#include "events.h"
#include "hook.h"

namespace sluice::preload {
namespace {

void look_at(sighandler_t handler) {
  if (handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR) before_handler();
}

}  // namespace

SLUICE_WORK(void, sluice_sigaction) {
  const auto* const action = arguments.address<const struct sigaction>(1);
  if (may_be_memory(action)) look_at(action->sa_handler);
}
SLUICE_BEFORE(sluice_sigaction, "sigaction, __sigaction");

SLUICE_WORK(void, sluice_signal) { look_at(reinterpret_cast<sighandler_t>(arguments.value[1])); }
SLUICE_BEFORE(sluice_signal, "signal, ssignal, sigset, bsd_signal, sysv_signal, __sysv_signal");

}  // namespace sluice::preload
