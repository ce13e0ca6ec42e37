// One profile of what several commands have recorded.
#pragma once

#include <vector>

#include "trace/profile/profile.h"
#include "trace/profile/record.h"

namespace sluice::trace {

// The files of a record's logs, in the order of their names.
std::vector<std::string> files_of(const Record& record);

// Of at least one record. The profile has the longest of the wall times, and the first wait status
// that is not 0.
Profile profile_of(const std::vector<Record>& records);

}  // namespace sluice::trace
