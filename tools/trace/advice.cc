#include "trace/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "command_line/quantity.h"
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

// The average number of the program's threads that worked or waited at once. The time of calls
// includes the time for which their threads were ready and had no processor, and so do the savings.
double threads_at_once(const Profile& profile) {
  const Time calls = profile.total().time;
  double busy_s = calls.sleep_s;
  for (const Process& process : profile.processes) busy_s += process.user_s + process.system_s;
  busy_s = std::max(busy_s, calls.total_s());
  return profile.wall_s > 0 ? std::max(1.0, busy_s / profile.wall_s) : 1.0;
}

// One call site's work on a thousand files is one thing to mend, and counts as a whole. Threads
// that do it at once share the saving: the program does not end sooner by the sum.
std::vector<Advice> one_for_each_place(const Profile& profile, std::vector<Advice> all) {
  struct Place {
    Advice advice;
    decltype(Use::threads) threads{};
  };
  rank(all);
  std::map<std::tuple<std::string, std::string, std::size_t, preload::Call>, Place> places;
  for (const Advice& advice : all) {
    const Use& use = profile.uses[advice.use];
    const auto [at, is_new] =
        places.try_emplace({advice.id, advice.by, use.site, use.call}, Place{advice});
    Place& place = at->second;
    place.threads.insert(use.threads.begin(), use.threads.end());
    if (is_new) continue;
    place.advice.saved_s += advice.saved_s;
    ++place.advice.files;
  }
  const double at_once = threads_at_once(profile);
  all.clear();
  for (auto& [key, place] : places) {
    Advice& advice = place.advice;
    advice.saved_s /= std::min(at_once, static_cast<double>(place.threads.size()));
    if (advice.files > 1) {
      advice.seen = fmt::format("of {} files, the one with most to save: {}",
                                format_count(advice.files), advice.seen);
    }
    all.push_back(std::move(advice));
  }
  return all;
}

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
  all = one_for_each_place(profile, std::move(all));
  for (const RuleOfProgram rule : rules_of_program) {
    if (std::optional<Advice> advice = rule(profile)) all.push_back(std::move(*advice));
  }
  const double least = std::max(min_s, min_share * profile.wall_s);
  std::erase_if(all, [&](const Advice& advice) { return advice.saved_s < least; });
  rank(all);
  return all;
}

}  // namespace sluice::trace
