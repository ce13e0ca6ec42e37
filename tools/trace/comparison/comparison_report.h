// A comparison of two traces, as text and as JSON.
#pragma once

#include <string>

#include "trace/comparison/compare.h"

namespace sluice::trace {

// Text for a terminal: the totals, what each piece of advice has saved, and the call sites that
// changed.
std::string summary_of(const Comparison& comparison);

// {"schema":1,"before":{"file":..,"command":[..],"wall_s":..,"io_s":..,"calls":..,
//  "system_calls":..},"after":{..},"saved_s":..,"advice":[..],"changes":[..],"warnings":[..]}
// `saved_s` of an advice is null if the time of calls does not show it. If a call site is in one
// run only, its change has null for the other run.
std::string json_of(const Comparison& comparison);

}  // namespace sluice::trace
