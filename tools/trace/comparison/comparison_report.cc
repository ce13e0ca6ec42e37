#include "trace/comparison/comparison_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "command_line/output.h"
#include "command_line/quantity.h"
#include "trace/places/place.h"
#include "trace/report/report.h"

namespace sluice::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_listed = 10;
constexpr unsigned schema_of_comparison = 1;
constexpr double least_shown_s = 0.00005;  // smaller changes would be 0.0000 in the table

// The difference as text, such as "-1,234" if `after` is larger than `before`.
std::string fewer(std::uint64_t before, std::uint64_t after) {
  return before < after ? fmt::format("-{}", format_count(after - before))
                        : format_count(before - after);
}

std::string counts_line(const char* name, std::uint64_t before, std::uint64_t after) {
  return fmt::format("{:<14}{:>14} {:>14} {:>14}\n", name, format_count(before),
                     format_count(after), fewer(before, after));
}

std::string seconds_line(const char* name, double before, double after) {
  return fmt::format("{:<14}{:>14.3f} {:>14.3f} {:>14.3f}\n", name, before, after, before - after);
}

std::string totals_text(const Comparison& all) {
  const TracedResult& before = all.before;
  const TracedResult& after = all.after;
  return fmt::format("sluice trace: {}: {:.3f} s of I/O time {}\n\n{:<14}{:>14} {:>14} {:>14}\n",
                     on_one_line(after.command.front()), std::abs(all.saved_s()),
                     all.saved_s() < 0 ? "more than before" : "saved", "", "before", "after",
                     "saved") +
         seconds_line("whole run s", before.wall_s, after.wall_s) +
         seconds_line("I/O time s", before.total.io_s, after.total.io_s) +
         counts_line("calls", before.total.calls, after.total.calls) +
         counts_line("system calls", before.total.system_calls, after.total.system_calls);
}

const char* word_for(Followed followed) {
  switch (followed) {
    case Followed::yes: return "yes";
    case Followed::partly: return "in part";
    case Followed::no: return "no";
    case Followed::unseen: break;
  }
  return "cannot be seen";
}

std::string followed_text(const Outcome& outcome) {
  if (outcome.counted.empty()) return "cannot be seen in the calls";
  return fmt::format("{}: {} {} before, {}", word_for(outcome.followed),
                     format_count(outcome.before), outcome.counted,
                     outcome.after == 0 ? "none after" : format_count(outcome.after) + " after");
}

// "NAME" or "NAME and 3 other THINGs"
std::string with_others(const std::string& name, std::uint64_t count, const char* thing) {
  if (count <= 1) return on_one_line(name);
  return fmt::format("{} and {} other {}{}", on_one_line(name), format_count(count - 1), thing,
                     count == 2 ? "" : "s");
}

std::string outcome_text(const Outcome& outcome, std::size_t number) {
  const TracedAdvice& advice = outcome.advice;
  const std::string saved = outcome.saved_s
                                ? fmt::format("{:.3f} s saved in calls", *outcome.saved_s)
                                : "the calls do not show what it saved";
  return fmt::format("\n{}. {} predicted, {}: {}, {}\n   advice    {}\n   followed  {}\n", number,
                     range_text(advice.least_saved_s, advice.saved_s), saved,
                     with_others(advice.place, advice.places, "place"),
                     with_others(shown_file(advice.file), advice.files, "file"),
                     on_one_line(advice.id), followed_text(outcome));
}

// "a", or "a, now b" if the text of the second run differs.
std::string both_texts(const std::string& before, const std::string& after) {
  if (before.empty() || after.empty()) return before + after;
  return before == after ? before : fmt::format("{}, now {}", before, after);
}

std::string places_text(const SitePart& part) {
  return part.is_there() ? with_others(*part.places.begin(), part.places.size(), "place") : "";
}

std::string files_text(const SitePart& part, const std::string& pattern) {
  if (!part.is_there()) return "";
  if (part.files.size() == 1) return on_one_line(*part.files.begin());
  return fmt::format("{} ({} files)", on_one_line(pattern), format_count(part.files.size()));
}

std::string change_text(const SiteChange& site) {
  return fmt::format(
      "{:>9.4f} {:>9.4f} {:>9.4f} {:>14} {:>14}  {}, {}, {}\n", site.saved_s(),
      site.before.cost.io_s, site.after.cost.io_s,
      site.before.is_there() ? format_count(site.before.cost.calls) : "new",
      site.after.is_there() ? format_count(site.after.cost.calls) : "gone", site.call,
      both_texts(places_text(site.before), places_text(site.after)),
      both_texts(files_text(site.before, site.files), files_text(site.after, site.files)));
}

std::string table_text(const char* title, const std::vector<const SiteChange*>& sites) {
  if (sites.empty()) return "";
  std::string text =
      fmt::format("\n{}\n{:>9} {:>9} {:>9} {:>14} {:>14}  {}\n", title, "saved s", "before s",
                  "after s", "calls before", "calls after", "call, place, file");
  for (std::size_t i = 0; i < sites.size() && i < max_listed; ++i) text += change_text(*sites[i]);
  if (sites.size() > max_listed) {
    text += fmt::format("  and {} more; --json has them all\n", sites.size() - max_listed);
  }
  return text;
}

std::string sites_text(const Comparison& all) {
  std::vector<const SiteChange*> saved;
  std::vector<const SiteChange*> costs;
  for (const SiteChange& site : all.sites) {
    if (site.saved_s() >= least_shown_s) saved.push_back(&site);
    if (site.saved_s() <= -least_shown_s) costs.insert(costs.begin(), &site);
  }
  return table_text("Saved", saved) + table_text("New or larger costs", costs);
}

Json json_of(const TracedResult& result) {
  return {{"file", result.path},         {"command", result.command},
          {"wall_s", result.wall_s},     {"io_s", result.total.io_s},
          {"calls", result.total.calls}, {"system_calls", result.total.system_calls}};
}

Json json_of(const SitePart& part) {
  if (!part.is_there()) return nullptr;
  return {{"io_s", part.cost.io_s},
          {"calls", part.cost.calls},
          {"system_calls", part.cost.system_calls},
          {"places", part.places},
          {"files", part.files}};
}

Json json_of(const Outcome& outcome) {
  const bool is_counted = !outcome.counted.empty();
  return {{"id", outcome.advice.id},
          {"place", outcome.advice.place},
          {"file", outcome.advice.file},
          {"places", outcome.advice.places},
          {"files", outcome.advice.files},
          {"predicted_s", outcome.advice.saved_s},
          {"least_predicted_s", outcome.advice.least_saved_s},
          {"saved_s", outcome.saved_s ? Json(*outcome.saved_s) : Json(nullptr)},
          {"followed", word_for(outcome.followed)},
          {"counted", is_counted ? Json(outcome.counted) : Json(nullptr)},
          {"before", outcome.before},
          {"after", outcome.after}};
}

}  // namespace

std::string summary_of(const Comparison& comparison) {
  std::string text = totals_text(comparison);
  if (comparison.outcomes.empty()) text += "\nThere was no advice to follow.\n";
  for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
    text += outcome_text(comparison.outcomes[i], i + 1);
  }
  return text + sites_text(comparison);
}

std::string json_of(const Comparison& comparison) {
  Json json = {{"schema", schema_of_comparison},
               {"before", json_of(comparison.before)},
               {"after", json_of(comparison.after)},
               {"saved_s", comparison.saved_s()}};
  Json& advice = json["advice"] = Json::array();
  for (const Outcome& outcome : comparison.outcomes) advice.push_back(json_of(outcome));
  Json& changes = json["changes"] = Json::array();
  for (const SiteChange& site : comparison.sites) {
    changes.push_back({{"call", site.call},
                       {"files", site.files},
                       {"saved_s", site.saved_s()},
                       {"before", json_of(site.before)},
                       {"after", json_of(site.after)}});
  }
  json["warnings"] = comparison.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::trace
