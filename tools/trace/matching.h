// Finds the call sites of one traced run in another, after a change of the program.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "trace/traced_result.h"

namespace sluice::trace {

// One run's part of a change.
struct SitePart {
  Cost cost{};
  std::set<std::string> places{};
  std::set<std::string> files{};
  std::vector<std::size_t> indexes{};  // in the list of the run's sites
  bool is_there() const { return !places.empty(); }
  SitePart& operator+=(const SitePart& other);
};

// A call site in both runs: one function of the C library, one place in the program, and one file.
// If nobody can tell which of several sites belong together, one change has them all.
struct SiteChange {
  std::string call;
  std::string files;  // the name or pattern in the first run, if it is there
  SitePart before{};  // not there if the site is new
  SitePart after{};   // not there if the site is gone
  double saved_s() const { return before.cost.io_s - after.cost.io_s; }
};

// Files count as one if their names differ in digits only. A file that is in another folder in the
// second run counts as the same file if no other file has its name.
//
// Sites in one function of the program belong together if their lines are the same in both runs, or
// if the function has one such site. A site on a file that the other run lacks belongs to the same
// function's site on another file of the same folder that this run lacks.
std::vector<SiteChange> matched(const std::vector<TracedSite>& before,
                                const std::vector<TracedSite>& after);

}  // namespace sluice::trace
