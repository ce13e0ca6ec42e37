// A profile and its advice, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "trace/advice.h"
#include "trace/profile.h"

namespace sluice::trace {

// For a terminal: where the time went, what could be saved, and the files and call sites that
// matter.
std::string summary_of(const Profile& profile, const std::vector<Advice>& advice);

// {"schema":1,"command":[..],"exit_code":..,"signal":..,"wall_s":..,"time":{..},"processes":[..],
//  "files":[..],"call_sites":[..],"timeline":{"moment_s":..,"moments":[{"at_s":..,..}]},
//  "advice":[..],"problems":[..]}
std::string json_of(const Profile& profile, const std::vector<Advice>& advice);

}  // namespace sluice::trace
