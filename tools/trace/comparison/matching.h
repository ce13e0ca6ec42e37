// Finds the call sites of one traced run in another, after a change of the program.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "trace/comparison/traced_result.h"

namespace sluice::trace {

// One run's part of a change.
struct SitePart {
  Cost cost{};
  std::set<std::string> places{};
  std::set<std::string> files{};
  std::vector<std::size_t> indexes{};  // indexes of the list of the run's sites
  bool is_there() const { return !places.empty(); }
  SitePart& operator+=(const SitePart& other);
};

// A call site in both runs: one function of the C library, one place in the program, and one file.
// If several sites cannot be told apart, one change has all of them.
struct SiteChange {
  std::string call;
  std::string files;  // the name or pattern in the first run; if the site is new, in the second
  SitePart before{};  // empty if the site is new
  SitePart after{};   // empty if the second run lacks the site
  double saved_s() const { return before.cost.io_s - after.cost.io_s; }
};

// Files whose names differ in digits only count as one file. A file that is in another folder in
// the second run counts as the same file if no other file has its name.
//
// Two sites in the same function of the program match if their lines are equal in both runs, or if
// the function has only one such site. If the function's sites on a file are in one run only, they
// match its sites on other files of the same folder that are in the other run only (files with
// random names).
std::vector<SiteChange> matched(const std::vector<TracedSite>& before,
                                const std::vector<TracedSite>& after);

}  // namespace sluice::trace
