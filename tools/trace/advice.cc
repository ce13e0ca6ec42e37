#include "trace/advice.h"

#include <algorithm>

#include "trace/causes.h"
#include "trace/own_terms.h"
#include "trace/situation.h"

namespace sluice::trace {
namespace {

constexpr double min_share = 0.01;
constexpr double min_s = 0.010;

constexpr Rule rules[] = {
    tiny_stdio_calls,  char_at_a_time,   tiny_system_calls, flush_after_each,
    unbuffered_stream, small_buffer,     piecewise_writes,  seek_before_each_read,
    read_again,        grown_while_read, sync_after_each,   synchronous_writes,
    reopened,
};

using RuleOfProgram = std::optional<Advice> (*)(const Profile&);
constexpr RuleOfProgram rules_of_program[] = {overlap_possible, cold_mapped_files};

void rank(std::vector<Advice>& all) {
  std::sort(all.begin(), all.end(),
            [](const Advice& a, const Advice& b) { return a.saved_s > b.saved_s; });
}

// A call that had to wait for a processor seems to wait for its file. So only the time in which the
// calls of this use did not wait is certain to be saved.
void doubt_waiting(const Profile& profile, Advice& advice) {
  const Time& time = profile.uses[advice.use].amount.time;
  advice.least_saved_s = std::min(advice.saved_s, time.total_s() - time.sleep_s);
}

}  // namespace

bool is_disturbed(const Disturbance& disturbance) {
  constexpr double much = 0.1;  // of the processors' time
  return disturbance.others + disturbance.host > much;
}

std::vector<Advice> advice_for(const Profile& profile) {
  std::vector<Advice> all;
  const FileAmounts amounts(profile);
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Situation at(profile, amounts, i);
    for (const Rule rule : rules) {
      if (std::optional<Advice> advice = rule(at)) all.push_back(std::move(*advice));
    }
  }
  const OwnTerms own_terms(profile);
  for (Advice& advice : all) own_terms.say(advice);
  leave_out_what_is_kept(profile, all);
  if (is_disturbed(profile.disturbance)) {
    for (Advice& advice : all) doubt_waiting(profile, advice);
  }
  all = one_for_each_cause(profile, std::move(all));
  for (const RuleOfProgram rule : rules_of_program) {
    if (std::optional<Advice> advice = rule(profile)) all.push_back(std::move(*advice));
  }
  for (Advice& advice : all) {
    if (advice.uses.empty()) advice.uses = {advice.use};  // from a rule about the whole program
  }
  const double least = std::max(min_s, min_share * profile.wall_s);
  std::erase_if(all, [&](const Advice& advice) { return advice.saved_s < least; });
  rank(all);
  return all;
}

}  // namespace sluice::trace
