// A failure that no call can return.
#pragma once

#include "sluice/status.h"

namespace sluice::object {

// Gives the failure to the lost-error handler. Without memory the failure is not told.
void report_lost(const Status& failure) noexcept;

}  // namespace sluice::object
