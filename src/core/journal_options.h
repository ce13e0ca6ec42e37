// The options of a Journal are checked at open, as backend/options.h checks a Writer's.
#pragma once

#include <string_view>

#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

Status check_options(const JournalOptions& options, std::string_view path);

}  // namespace sluice
