// What could be saved, and how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/profile.h"

namespace sluice::trace {

struct Advice {
  std::string id;       // "tiny-writes", for programs
  double saved_s = 0;   // predicted
  std::size_t use = 0;  // the call site that it is about: an index of Profile::uses
  std::string seen;     // with figures
  std::string why;      // it costs
  std::string fix;      // in stdio, in sluice, by `sluice run`
  std::string check;    // how to see that it helped
  std::string by{};     // "run" or "run --coalesce" where that saves it, else empty

  // That the call site did this with; `use` and `seen` are of the one with most to save.
  std::size_t files = 1;
};

// Ranked by what can be saved, a call site's files together; nothing below 1 % of the time and
// 10 ms, since nobody would notice.
std::vector<Advice> advice_for(const Profile& profile);

}  // namespace sluice::trace
