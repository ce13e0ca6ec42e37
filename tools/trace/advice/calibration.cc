#include "trace/advice/calibration.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace sluice::trace {
namespace {

// Predictions that are wrong for the same reasons. The lower end is divided by a factor, and the
// upper end is multiplied by one.
struct Kind {
  std::string_view name;
  double least_factor;
  double most_factor;
  std::string_view why;  // a prediction is a range; empty if the rules say it
};

constexpr Kind in_buffer{"calls in the buffer", 1.25, 2.54,
                         "The prediction is a range, because the processor does a part of such "
                         "calls beside other work, and a trace cannot tell how large this part "
                         "is."};
constexpr Kind of_kernel{"system calls", 1.40, 1.83,
                         "The prediction is a range, because the speed of a processor changes "
                         "from run to run, and a change may save more or less than the time of its "
                         "calls."};
constexpr Kind between_calls{"work between calls", 1.42, 1.89, ""};
// docs/measured/amd-zen4-measured-words.txt, docs/measured/amd-zen4-measured-streams.txt
constexpr Kind of_streams{"costs of streams", 1.8, 1.45, ""};

// Nothing if no such advice was ever followed and measured.
const Kind* kind_of(const Advice& advice) {
  if (advice.kind.is(kinds::never_followed)) return nullptr;
  if (advice.has_measured_costs) return &of_streams;
  const bool is_between_calls =
      advice.kind.is(kinds::estimated) || advice.is_of_language || advice.by_runtime_s > 0;
  if (is_between_calls) return &between_calls;
  return advice.kind.is(kinds::in_buffer) ? &in_buffer : &of_kernel;
}

}  // namespace

void calibrate(Advice& advice, double wall_s) {
  const Kind* const kind = kind_of(advice);
  if (kind == nullptr) return;
  const double least_s = advice.least_s();
  advice.computed = Computed{std::string(kind->name), least_s, advice.saved_s};
  advice.range = kind->why;
  if (!advice.by.empty() && !advice.run_saves_s) advice.run_saves_s = advice.saved_s;
  advice.least_saved_s = std::min(least_s / kind->least_factor, wall_s);
  advice.saved_s = std::clamp(advice.saved_s * kind->most_factor, *advice.least_saved_s, wall_s);
}

}  // namespace sluice::trace
