// What could be saved, and how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/profile.h"

namespace sluice::trace {

struct Advice {
  std::string id;           // "tiny-writes", for programs
  double saved_s = 0;       // predicted: the most, if least_saved_s is smaller
  std::size_t use = 0;      // the call site that it is about: an index of Profile::uses
  std::string seen;         // what was seen, with figures
  std::string why;          // why it costs time
  std::string fix;          // how to mend it in stdio, in sluice, by `sluice run`
  std::string check;        // how to see that the change helped
  std::string by{};         // "run" or "run --coalesce" if that saves time; else empty
  bool keeps_file = false;  // the file is to be kept in memory, and nothing else read from it
  // The part of `saved_s` that `by` saves. Nothing: all of it.
  std::optional<double> run_saves_s{};
  // The least that is saved, if the prediction is uncertain. Nothing: `saved_s`.
  std::optional<double> least_saved_s{};

  // The numbers of files and of places in the program that one change mends. `use` and `seen` are
  // about the use with most to save.
  std::size_t files = 1;
  std::size_t places = 1;
  std::vector<std::size_t> uses{};  // all that it is about

  // The number of threads that share the saving, because they do these calls at once: `saved_s` is
  // their sum divided by this.
  double at_once = 1;
};

// True if others used so much of the processors' time that calls may have waited for a processor.
bool is_disturbed(const Profile& profile);

// Ranks the advice by its savings, with one advice for each cause. Savings below 1 % of the time or
// 10 ms are left out, because nobody would notice them.
std::vector<Advice> advice_for(const Profile& profile);

}  // namespace sluice::trace
