// What a change of a program has saved, and which advice the change has followed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/comparison/matching.h"
#include "trace/comparison/traced_result.h"

namespace sluice::trace {

// `partly` begins at 5 % fewer calls, `yes` at half of the calls.
enum class Followed { yes, partly, no, unseen };

struct Outcome {
  TracedAdvice advice;
  std::optional<double> saved_s{};  // empty if the time of the calls does not show the saving
  Followed followed = Followed::unseen;
  std::string counted{};  // the thing that should become less, such as "system calls"; or empty
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

struct Comparison {
  TracedResult before;
  TracedResult after;
  std::vector<SiteChange> sites{};  // the site that saved most comes first
  std::vector<Outcome> outcomes{};  // one for each piece of advice of `before`, in its order
  std::vector<std::string> warnings{};
  double saved_s() const { return before.total.io_s - after.total.io_s; }
};

Comparison compare(TracedResult before, TracedResult after);

}  // namespace sluice::trace
