// What could be saved, and how.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "trace/advice/kinds.h"
#include "trace/profile/profile.h"

namespace sluice::trace {

// A range, and the name of its kind in the calibration.
struct Computed {
  std::string kind;
  double least_s = 0;
  double most_s = 0;
};

struct Advice {
  KindOfAdvice kind{};
  double saved_s = 0;     // predicted; if least_saved_s is set, the upper end of the range
  std::size_t use = 0;    // the call site that the advice is about: an index of Profile::uses
  std::string seen;       // what was seen, with figures
  std::string why;        // why it costs time
  std::string fix;        // what to change: the rules speak of C and sluice, see own_terms.h
  std::string check;      // how to see that the change helped
  std::string place{};    // words for the place, if the advice is about no call site
  std::string by{};       // "run", "run --coalesce", ... if this command saves time; else empty
  std::string runtime{};  // whose code made the calls: "C", "Python"
  // The name of the runtime's words for it (places/cures.h). Empty: the kind's.
  std::string cure_id{};
  std::string cure{};           // the runtime's own words in `fix`; empty for C
  bool is_of_language = false;  // the runtime is a language such as Python
  bool is_of_database = false;  // the runtime is a database
  bool is_of_options = false;   // its users can follow it: by options, or by the environment
  bool is_for_authors = false;  // only the authors of a program of the system can follow it
  bool keeps_file = false;      // the file is to be kept in memory, and nothing else read from it
  // A language's module reads the same bytes very often, and its work between them has this cause.
  bool reads_again = false;
  // The program works on the same bytes a few times, or begins or ends a compression each time.
  bool repeats_work = false;
  bool is_of_one_thread = false;  // one thread does the work, whichever threads make the calls
  // Both ends come from calls of C++ streams that were measured on this machine after the run.
  bool has_measured_costs = false;
  // The part of `saved_s` that the command `by` saves. Empty: all of `saved_s`.
  std::optional<double> run_saves_s{};
  // The lower end of the range, if the prediction is uncertain. Empty: `saved_s`.
  std::optional<double> least_saved_s{};
  double least_s() const { return least_saved_s.value_or(saved_s); }
  // The part of `saved_s` that is work around the calls, of the language's runtime or for the
  // bytes. Nobody saw how much of it the advice saves.
  double by_runtime_s = 0;
  void add_by_runtime(double added_s) {
    if (!by.empty() && !run_saves_s) run_saves_s = saved_s;
    if (!least_saved_s) least_saved_s = saved_s;
    saved_s += added_s;
    by_runtime_s += added_s;
  }

  // Why the calibration makes a range of the prediction, as a sentence. Empty: `why` says it.
  std::string range{};

  // What the rules compute, if such predictions were measured (calibration.h).
  std::optional<Computed> computed{};

  // One change of the program mends this number of files and of places in the program. `use` and
  // `seen` are about the use at which most can be saved.
  std::size_t files = 1;
  std::size_t places = 1;
  // All call sites that the advice is about. None if it has `place`.
  std::vector<std::size_t> uses{};
  // The places in Profile::processes, counted from 1, of processes that are not to run. Advice
  // about their calls is left out.
  std::set<int> processes{};

  // The number of threads that make these calls at once. `saved_s` is the sum of their savings
  // divided by this number.
  double at_once = 1;
};

inline constexpr double much_disturbed = 0.1;  // of the processors' time

// True if other programs or the host used so much processor time that calls may have waited for a
// processor.
bool is_disturbed(const Disturbance& disturbance);

// Ranks the advice by its savings, with one advice for each cause. Savings below 1 % of the time or
// 10 ms (5 ms in a short run) are left out, because nobody would notice them.
std::vector<Advice> advice_for(const Profile& profile);

// The same before the calibration (calibration.h): what the rules compute.
std::vector<Advice> advice_by_rules(const Profile& profile);

}  // namespace sluice::trace
