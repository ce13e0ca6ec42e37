#include "trace/comparison/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "trace/advice/advice.h"

namespace sluice::trace {
namespace {

constexpr double followed_share = 0.5;
constexpr double partly_share = 0.95;

// The calls whose time an advice saves.
enum class Saves { own_calls, calls_on_its_files, no_calls };

// The count that becomes smaller if an advice is followed.
struct Measure {
  const char* id;
  const char* name;
  std::uint64_t Cost::*count;
  Saves saves;
};

constexpr Measure measures[] = {
    {"unbuffered-stream", "system calls", &Cost::system_calls, Saves::own_calls},
    {"small-buffer", "system calls", &Cost::system_calls, Saves::own_calls},
    {"seek-before-read", "system calls", &Cost::system_calls, Saves::calls_on_its_files},
    {"synchronous-writes", "system calls", &Cost::system_calls, Saves::own_calls},
    {"read-again", "bytes from the kernel", &Cost::system_bytes, Saves::calls_on_its_files},
    {"reopened", "calls", &Cost::calls, Saves::calls_on_its_files},
    {"temporary-files", "calls", &Cost::calls, Saves::calls_on_its_files},
    {"kept-state", "calls", &Cost::calls, Saves::calls_on_its_files},
    {"cold-mapping", "bytes that were not in memory", &Cost::cold_bytes, Saves::no_calls},
    {"overlap", "", nullptr, Saves::no_calls},
    {"started-programs", "", nullptr, Saves::no_calls},
    {"forked-copies", "", nullptr, Saves::no_calls},
    {"turns-of-threads", "", nullptr, Saves::no_calls},
};

Measure measure_of(const TracedAdvice& advice) {
  for (const Measure& each : measures) {
    if (advice.id == each.id) return each;
  }
  return {"", "calls", &Cost::calls, Saves::own_calls};
}

std::vector<const SiteChange*> sites_of(const TracedAdvice& advice, const Comparison& all) {
  const std::set<std::size_t> own(advice.call_sites.begin(), advice.call_sites.end());
  std::vector<const SiteChange*> found;
  for (const SiteChange& site : all.sites) {
    const bool is_own = std::ranges::any_of(site.before.indexes,
                                            [&](std::size_t index) { return own.contains(index); });
    if (is_own) found.push_back(&site);
  }
  return found;
}

std::set<std::string> files_of(const TracedAdvice& advice, const Comparison& all) {
  std::set<std::string> files;
  for (const SiteChange* site : sites_of(advice, all)) files.insert(site->files);
  return files;
}

bool shares_files(const TracedAdvice& advice, const Comparison& all) {
  const std::set<std::string> own = files_of(advice, all);
  return std::ranges::any_of(all.before.advice, [&](const TracedAdvice& other) {
    return &other != &advice && std::ranges::any_of(files_of(other, all), [&](const auto& file) {
      return own.contains(file);
    });
  });
}

// Other calls may now do the work of calls that are gone. So an advice has saved no more than the
// time that was saved on its files, and no more than its own calls took. Advice to open a file less
// often, for example, has also saved the closings.
double saved_by(const TracedAdvice& advice, const Comparison& all, Saves saves) {
  double own_s = 0;
  for (const SiteChange* site : sites_of(advice, all)) own_s += site->saved_s();
  const std::set<std::string> files = files_of(advice, all);
  double of_files_s = 0;
  for (const SiteChange& site : all.sites) {
    if (files.contains(site.files)) of_files_s += site.saved_s();
  }
  if (saves == Saves::calls_on_its_files && !shares_files(advice, all)) return of_files_s;
  double before_s = 0;
  for (const std::size_t index : advice.call_sites) before_s += all.before.sites[index].cost.io_s;
  return std::min({own_s, of_files_s, before_s});
}

Followed followed(std::uint64_t before, std::uint64_t after) {
  if (before == 0) return Followed::unseen;
  const double left = static_cast<double>(after) / static_cast<double>(before);
  if (left <= followed_share) return Followed::yes;
  return left <= partly_share ? Followed::partly : Followed::no;
}

Outcome outcome_of(const TracedAdvice& advice, const Comparison& all) {
  const Measure measure = measure_of(advice);
  Outcome outcome{.advice = advice};
  if (measure.saves != Saves::no_calls)
    outcome.saved_s = saved_by(advice, all, measure.saves) / advice.at_once;
  if (measure.count == nullptr) return outcome;
  outcome.counted = measure.name;
  for (const SiteChange* site : sites_of(advice, all)) {
    outcome.before += site->before.cost.*measure.count;
    outcome.after += site->after.cost.*measure.count;
  }
  outcome.followed = followed(outcome.before, outcome.after);
  return outcome;
}

std::string words_of(const std::vector<std::string>& command) {
  return fmt::format("{}", fmt::join(command, " "));
}

double percent_of(const Disturbance& disturbance) {
  return (disturbance.others + disturbance.host) * 100;
}

std::vector<std::string> warnings_about(const TracedResult& before, const TracedResult& after) {
  std::vector<std::string> warnings;
  if (before.command != after.command) {
    warnings.push_back(fmt::format(
        "the commands differ, so the saving may come from the difference: '{}' in {}, '{}' in {}",
        words_of(before.command), before.path, words_of(after.command), after.path));
  }
  if (before.end != after.end) {
    warnings.push_back(
        fmt::format("the programs ended differently, so one program may have done less work: {} in "
                    "{}, {} in {}",
                    before.end, before.path, after.end, after.path));
  }
  if (is_disturbed(before.disturbance) || is_disturbed(after.disturbance)) {
    warnings.push_back(fmt::format(
        "other programs and the machine's host used {:.0f} % of the processors' time in {}, {:.0f} "
        "% in {}, so the saving may come from this disturbance",
        percent_of(before.disturbance), before.path, percent_of(after.disturbance), after.path));
  }
  for (const TracedResult* result : {&before, &after}) {
    for (const std::string& problem : result->problems) {
      warnings.push_back(fmt::format("{} may lack calls: {}", result->path, problem));
    }
  }
  return warnings;
}

}  // namespace

Comparison compare(TracedResult before, TracedResult after) {
  Comparison all{.before = std::move(before), .after = std::move(after)};
  all.warnings = warnings_about(all.before, all.after);
  all.sites = matched(all.before.sites, all.after.sites);
  std::stable_sort(
      all.sites.begin(), all.sites.end(),
      [](const SiteChange& a, const SiteChange& b) { return a.saved_s() > b.saved_s(); });
  for (const TracedAdvice& advice : all.before.advice) {
    all.outcomes.push_back(outcome_of(advice, all));
  }
  return all;
}

}  // namespace sluice::trace
