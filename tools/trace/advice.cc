#include "trace/advice.h"

#include <algorithm>
#include <functional>

#include "trace/causes.h"
#include "trace/own_terms.h"
#include "trace/situation.h"

namespace sluice::trace {
namespace {

constexpr double min_share = 0.01;
constexpr double min_s = 0.010;

constexpr Rule rules[] = {
    tiny_stdio_calls,   tiny_prints,       char_at_a_time,        tiny_system_calls,
    flush_after_each,   unbuffered_stream, small_buffer,          piecewise_writes,
    read_again,         sync_after_each,   seek_before_each_read, formatted_reads,
    bytes_of_stream,    pieces_of_stream,  small_pieces_to_pipe,  reopened,
    synchronous_writes,
};

using RuleOfProgram = std::optional<Advice> (*)(const Profile&);
constexpr RuleOfProgram rules_of_program[] = {overlap_possible, cold_mapped_files};

// By the middle of each range: an upper end alone may be work that the advice saves in no case.
void rank(std::vector<Advice>& all) {
  const auto middle = [](const Advice& of) {
    return (of.least_saved_s.value_or(of.saved_s) + of.saved_s) / 2;
  };
  std::ranges::sort(all, std::greater(), middle);
}

constexpr double much = 0.1;  // of the processors' time

// The time for which calls waited for a processor, which they would not do on an idle machine.
struct Queued {
  double likely_s = 0;
  double most_s = 0;
};

// Until their processor was free, calls seem to wait for their file. The kernel says how long a
// process waited for a processor, but not in which of its calls. It may take a processor away at
// any time, so calls that use much processor time have likely waited much. The profile has left out
// the waits that surely were for a processor.
Queued queued_of(const Profile& profile, const Use& use) {
  const Time& time = use.amount.time;
  double queued_s = 0;
  double worked_s = 0;
  for (const Process& process : profile.processes) {
    const auto is_its = [&](const auto& thread) { return thread.first == process.number; };
    if (std::ranges::none_of(use.threads, is_its)) continue;
    if (process.several_threads || process.queued_s == 0) return {0, time.sleep_s};  // unknown
    queued_s += process.queued_s;
    worked_s += process.user_s + process.system_s - process.worked_before_s;
  }
  if (profile.disturbance.host > much || worked_s == 0) return {0, time.sleep_s};
  const double share = std::min(1.0, (time.copying_s + time.system_s) / worked_s);
  const double left_out_s = use.amount.queued_s;
  return {std::clamp(share * queued_s - left_out_s, 0.0, time.sleep_s),
          std::clamp(queued_s - left_out_s, 0.0, time.sleep_s)};
}

void doubt_waiting(const Profile& profile, Advice& advice) {
  const Use& use = profile.uses[advice.use];
  const double total_s = use.amount.time.total_s();
  if (total_s <= 0) return;
  const Queued queued = queued_of(profile, use);
  advice.least_saved_s =
      std::min(advice.least_saved_s.value_or(advice.saved_s), total_s - queued.most_s);
  const double left = 1 - queued.likely_s / total_s;
  advice.saved_s = std::max(*advice.least_saved_s, advice.saved_s * left);
  if (advice.run_saves_s) *advice.run_saves_s *= left;
}

}  // namespace

bool is_disturbed(const Disturbance& disturbance) {
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
  std::erase_if(all,
                [&](const Advice& advice) { return advice.saved_s - advice.by_runtime_s < least; });
  rank(all);
  return all;
}

}  // namespace sluice::trace
