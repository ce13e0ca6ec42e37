#include "trace/advice.h"

#include <algorithm>

#include "trace/situation.h"

namespace sluice::trace {
namespace {

constexpr double least_share = 0.01;
constexpr double least_s = 0.010;

constexpr Rule rules[] = {
    tiny_stdio_calls,  char_at_a_time,   tiny_system_calls, flush_after_each,
    unbuffered_stream, small_buffer,     piecewise_writes,  seek_before_each_read,
    read_again,        grown_while_read, sync_after_each,   synchronous_writes,
    reopened,
};

using RuleOfRun = std::optional<Advice> (*)(const Profile&);
constexpr RuleOfRun rules_of_run[] = {overlap_possible, cold_mapped_files};

}  // namespace

std::vector<Advice> advice_for(const Profile& profile) {
  std::vector<Advice> all;
  const FileAmounts amounts(profile);
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Situation at(profile, amounts, i);
    for (const Rule rule : rules) {
      if (std::optional<Advice> advice = rule(at)) all.push_back(std::move(*advice));
    }
  }
  for (const RuleOfRun rule : rules_of_run) {
    if (std::optional<Advice> advice = rule(profile)) all.push_back(std::move(*advice));
  }
  const double least = std::max(least_s, least_share * profile.wall_s);
  std::erase_if(all, [&](const Advice& advice) { return advice.saved_s < least; });
  std::sort(all.begin(), all.end(),
            [](const Advice& a, const Advice& b) { return a.saved_s > b.saved_s; });
  return all;
}

}  // namespace sluice::trace
