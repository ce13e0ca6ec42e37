// The comparison of the ranks of a job, as text and as JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {

// Empty unless the profile has several ranks. `use_text` gives the call, the place and the file of
// a use.
std::string ranks_text(const Profile& profile,
                       const std::function<std::string(const Use&)>& use_text);

// null unless the profile has several ranks:
// {"slowest":..,"slowest_s":..,"median_s":..,
//  "differences":[{"call_site":..,"slowest_s":..,"median_s":..}],
//  "each":[{"rank":..,"machine":..,"wall_s":..,"calls":..,"bytes":..,"time":{..}}]}
// A difference counts the calls of one function and place on all files. `call_site` is an index of
// the list "call_sites", which `index_of` gives for a use: the file is the one with most of the
// slowest rank's time.
nlohmann::ordered_json ranks_json(const Profile& profile,
                                  const std::function<std::size_t(std::size_t)>& index_of);

}  // namespace sluice::trace
