#include "os/windows/retries.h"

#include "os/windows/system.h"

namespace sluice::os {
namespace {

void sleep(unsigned milliseconds) { ::Sleep(milliseconds); }

}  // namespace

std::atomic<Pause> pause_between_attempts{sleep};

}  // namespace sluice::os
