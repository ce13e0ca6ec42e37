// A profile and its advice, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "trace/advice.h"
#include "trace/profile.h"

namespace sluice::trace {

// "0.240 s", or "0.120 to 0.240 s" if the prediction is noticeably uncertain.
std::string range_text(double least_s, double most_s);

// For a terminal: where the time went, what could be saved, and the files and call sites that
// matter.
std::string summary_of(const Profile& profile, const std::vector<Advice>& advice);

// The number of the JSON's form. A reader must not take another number's form for this one.
inline constexpr unsigned schema = 1;

// {"schema":1,"command":[..],"exit_code":..,"signal":..,"wall_s":..,"time":{..},"processes":[..],
//  "files":[..],"call_sites":[..],"timeline":{"moment_s":..,"moments":[{"at_s":..,..}]},
//  "advice":[..],"problems":[..]}
// An advice has `call_sites`, the indexes of the call sites that it is about, in the list of that
// name. Its saving is the time of calls divided by `at_once`, the number of threads that do them at
// once.
std::string json_of(const Profile& profile, const std::vector<Advice>& advice);

}  // namespace sluice::trace
