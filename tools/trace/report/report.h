// A profile and its advice, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "trace/advice/advice.h"
#include "trace/profile/profile.h"

namespace sluice::trace {

// "0.240 s", or "0.120 to 0.240 s" if the prediction is noticeably uncertain.
std::string range_text(double least_s, double most_s);

// Text for a terminal: where the time went, what could be saved, and the files and call sites that
// matter.
std::string summary_of(const Profile& profile, const std::vector<Advice>& advice);

// The version of the JSON. A reader must refuse other versions.
inline constexpr unsigned schema = 4;

// {"schema":4,"command":[..],"exit_code":..,"signal":..,"wall_s":..,"time":{..},"processes":[..],
//  "files":[..],"call_sites":[..],"stacks":[..],"ranks":..,
//  "timeline":{"moment_s":..,"moments":[{"at_s":..,..}]},"advice":[..],"problems":[..]}.
// For "ranks" see ranks_report.h.
// A call site has `stack`: an index of the list "stacks". Each stack is a list of frames, of which
// the first one is the place of the call.
// An advice has `call_sites`: indexes of the list "call_sites". Its saving is the saved time of its
// calls divided by `at_once`, the number of threads that make these calls at once.
std::string json_of(const Profile& profile, const std::vector<Advice>& advice);

}  // namespace sluice::trace
