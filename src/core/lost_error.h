// Reports a failure that no code can ask for any more, to the user's handler or on standard error.
#pragma once

#include "sluice/status.h"

namespace sluice {

void report_lost_error(const Status& status);

}  // namespace sluice
