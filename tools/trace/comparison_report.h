// A comparison of two traces, in words and as JSON.
#pragma once

#include <string>

#include "trace/compare.h"

namespace sluice::trace {

// For a terminal: the totals, what came of each piece of advice, and the call sites that changed.
std::string summary_of(const Comparison& comparison);

// {"schema":1,"before":{"file":..,"command":[..],"wall_s":..,"io_s":..,"calls":..,
//  "system_calls":..},"after":{..},"saved_s":..,"advice":[..],"changes":[..],"warnings":[..]}
// `saved_s` of an advice is null if the time of calls does not show it. A change that is in one run
// only has null for the other.
std::string json_of(const Comparison& comparison);

}  // namespace sluice::trace
