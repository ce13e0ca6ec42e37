// What becomes of a failure that nobody is left to be told of: the handler that the user has set
// gets it, or standard error.
#pragma once

#include "sluice/status.h"

namespace sluice {

void report_lost_error(const Status& status);

}  // namespace sluice
