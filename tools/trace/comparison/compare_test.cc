#include "trace/comparison/compare.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trace/comparison/comparison_report.h"

namespace sluice::trace {
namespace {

TracedSite site(const std::string& call, std::uint64_t calls, double io_s,
                const std::string& file = "/x") {
  return {call, "f", "a:1", file, {.calls = calls, .system_calls = calls, .io_s = io_s}};
}

TracedResult result(const std::vector<TracedSite>& sites) {
  TracedResult result{.path = "FILE", .command = {"program"}, .end = "exit code 0"};
  result.wall_s = 1;
  result.sites = sites;
  for (const TracedSite& each : sites) result.total += each.cost;
  return result;
}

// Advice about the sites of these indexes.
TracedAdvice advice_about(const TracedResult& result, const std::vector<std::size_t>& indexes,
                          const std::string& id = "tiny-writes") {
  const TracedSite& site = result.sites[indexes[0]];
  return {.id = id,
          .place = place_of(site),
          .file = site.file,
          .call_sites = indexes,
          .saved_s = site.cost.io_s,
          .least_saved_s = site.cost.io_s};
}

// One piece of advice about the first site of `before`.
Outcome outcome(const std::vector<TracedSite>& before, const std::vector<TracedSite>& after,
                const std::string& id = "tiny-writes") {
  TracedResult first = result(before);
  first.advice = {advice_about(first, {0}, id)};
  return compare(first, result(after)).outcomes.at(0);
}

TEST(Compare, SaysWhatWasSavedInAll) {
  const Comparison all = compare(result({site("write", 9, 0.5), site("read", 9, 0.25)}),
                                 result({site("write", 9, 0.5), site("read", 1, 0.125)}));
  EXPECT_DOUBLE_EQ(all.saved_s(), 0.125);
  ASSERT_EQ(all.sites.size(), 2u);
  EXPECT_EQ(all.sites[0].call, "read");
  EXPECT_TRUE(all.warnings.empty());
}

TEST(Compare, SeesThatAdviceWasFollowed) {
  const auto followed = [](std::uint64_t calls) {
    return outcome({site("write", 1'000, 0.5)}, {site("write", calls, 0.1)}).followed;
  };
  EXPECT_EQ(followed(0), Followed::yes);
  EXPECT_EQ(followed(500), Followed::yes);
  EXPECT_EQ(followed(501), Followed::partly);
  EXPECT_EQ(followed(950), Followed::partly);
  EXPECT_EQ(followed(951), Followed::no);
  EXPECT_EQ(followed(2'000), Followed::no);
  const Outcome gone = outcome({site("write", 1'000, 0.5)}, {});
  EXPECT_EQ(gone.followed, Followed::yes);
  EXPECT_EQ(gone.before, 1'000u);
  EXPECT_DOUBLE_EQ(*gone.saved_s, 0.5);
}

TEST(Compare, SubtractsTheCallsThatDoTheWorkNow) {
  const std::vector<TracedSite> after = {site("writev", 10, 0.125), site("read", 10, 0.25, "/y")};
  EXPECT_DOUBLE_EQ(*outcome({site("write", 1'000, 0.5)}, after).saved_s, 0.375);
}

TEST(Compare, CreditsAdviceWithItsOwnCallsOnly) {
  const std::vector<TracedSite> before = {site("write", 1'000, 0.5), site("fsync", 10, 0.25)};
  EXPECT_DOUBLE_EQ(*outcome(before, {}).saved_s, 0.5);
  EXPECT_DOUBLE_EQ(*outcome(before, {site("write", 500, 0.25)}).saved_s, 0.25);
  // The lines do not tell two sites apart, and only one of the two sites took 0.25 s.
  TracedSite other = site("write", 10, 0.5);
  other.line = "a:2";
  EXPECT_DOUBLE_EQ(*outcome({site("write", 10, 0.25), other}, {site("write", 1, 0)}).saved_s, 0.25);
}

TEST(Compare, CreditsAdviceAboutAllUsesOfAFileWithAllItsCalls) {
  const std::vector<TracedSite> before = {site("open", 9, 0.25), site("close", 9, 0.5)};
  EXPECT_DOUBLE_EQ(*outcome(before, {}, "tiny-writes").saved_s, 0.25);
  EXPECT_DOUBLE_EQ(*outcome(before, {}, "reopened").saved_s, 0.75);
  TracedResult first = result(before);
  first.advice = {advice_about(first, {0}, "reopened"), advice_about(first, {1}, "tiny-writes")};
  EXPECT_DOUBLE_EQ(*compare(first, result({})).outcomes[0].saved_s, 0.25) << "the rest is shared";
}

TEST(Compare, CreditsAdviceAboutOneFileWithThatFile) {
  const std::vector<TracedSite> before = {site("write", 9, 0.5), site("write", 9, 0.25, "/y")};
  EXPECT_DOUBLE_EQ(*outcome(before, {}).saved_s, 0.5);
  EXPECT_DOUBLE_EQ(*outcome(before, {before[0]}).saved_s, 0);
  TracedResult first = result(before);
  first.advice = {advice_about(first, {0, 1})};
  EXPECT_DOUBLE_EQ(*compare(first, result({})).outcomes[0].saved_s, 0.75);
}

TEST(Compare, DividesTheSavingAmongThreadsAtOnce) {
  TracedResult first = result({site("write", 9, 0.5)});
  first.advice = {advice_about(first, {0})};
  first.advice[0].at_once = 2;
  EXPECT_DOUBLE_EQ(*compare(first, result({})).outcomes[0].saved_s, 0.25);
}

TEST(Compare, CountsWhatTheAdviceIsAbout) {
  TracedSite before = site("fwrite", 1'000, 0.5);
  TracedSite after = before;
  after.cost.system_calls = 10;
  EXPECT_EQ(outcome({before}, {after}, "small-buffer").followed, Followed::yes);
  EXPECT_EQ(outcome({before}, {after}, "tiny-stdio-writes").followed, Followed::no);
  before.cost.cold_bytes = 10;
  const Outcome cold = outcome({before}, {after}, "cold-mapping");
  EXPECT_EQ(cold.followed, Followed::yes);
  EXPECT_FALSE(cold.saved_s);
}

TEST(Compare, SaysSoIfTheCallsDoNotShowAnything) {
  const Outcome overlap = outcome({site("write", 9, 0.5)}, {}, "overlap");
  EXPECT_EQ(overlap.followed, Followed::unseen);
  EXPECT_FALSE(overlap.saved_s);
}

TEST(Compare, WarnsIfTheRunsAreNotTheSame) {
  TracedResult after = result({});
  after.command = {"program", "word"};
  after.end = "signal 9";
  after.problems = {"a log is cut short"};
  EXPECT_EQ(
      compare(result({}), after).warnings,
      (std::vector<std::string>{
          "the commands differ, so the saving may come from the difference: 'program' in FILE, "
          "'program word' in FILE",
          "the programs ended differently, so one program may have done less work: exit code 0 in "
          "FILE, "
          "signal 9 in FILE",
          "FILE may lack calls: a log is cut short"}));
}

TEST(Compare, WarnsIfOthersDisturbedOneOfTheRuns) {
  TracedResult busy = result({});
  busy.disturbance = {.others = 0.25, .host = 0.05};
  TracedResult idle = result({});
  idle.disturbance = {.others = 0.05, .host = 0.04};
  const char* const text =
      "other programs and the machine's host used {} % of the processors' time in FILE, {} % in "
      "FILE, so the saving may come from this disturbance";
  const auto said = [&](int before, int after) {
    return std::vector<std::string>{fmt::format(fmt::runtime(text), before, after)};
  };
  EXPECT_EQ(compare(idle, busy).warnings, said(9, 30));
  EXPECT_EQ(compare(busy, idle).warnings, said(30, 9));
  EXPECT_EQ(compare(busy, busy).warnings, said(30, 30));
  EXPECT_TRUE(compare(idle, idle).warnings.empty());
}

Comparison comparison() {
  TracedResult first = result({site("write", 1'000, 0.5), site("fsync", 1, 0.25, "/p1"),
                               site("fsync", 1, 0.25, "/p2"), site("read", 1, 0.00001)});
  first.advice = {advice_about(first, {0}), advice_about(first, {1}, "overlap")};
  first.advice[1].places = 3;
  first.advice[1].least_saved_s = 0.125;
  return compare(first, result({site("writev", 10, 0.125), site("fsync", 1, 0.25, "/p3")}));
}

TEST(ComparisonReport, ShowsTotalsAdviceAndChanges) {
  EXPECT_EQ(summary_of(comparison()),
            R"(sluice trace: program: 0.625 s of I/O time saved

                      before          after          saved
whole run s            1.000          1.000          0.000
I/O time s             1.000          0.375          0.625
calls                  1,003             11            992
system calls           1,003             11            992

1. 0.500 s predicted, 0.375 s saved in calls: f at a:1, /x
   advice    tiny-writes
   followed  yes: 1,000 calls before, none after

2. 0.125 to 0.250 s predicted, the calls do not show what it saved: f at a:1 and 2 other places, /p1
   advice    overlap
   followed  cannot be seen in the calls

Saved
  saved s  before s   after s   calls before    calls after  call, place, file
   0.5000    0.5000    0.0000          1,000           gone  write, f at a:1, /x
   0.2500    0.5000    0.2500              2              1  fsync, f at a:1, /p* (2 files), now /p3

New or larger costs
  saved s  before s   after s   calls before    calls after  call, place, file
  -0.1250    0.0000    0.1250            new             10  writev, f at a:1, /x
)");
}

TEST(ComparisonReport, HasTheSameAsJson) {
  const auto json = nlohmann::json::parse(json_of(comparison()));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_NEAR(json["saved_s"].get<double>(), 0.625, 0.0001);
  EXPECT_EQ(json["before"]["calls"], 1'003);
  EXPECT_NEAR(json["advice"][0]["saved_s"].get<double>(), 0.375, 0.0001);
  EXPECT_EQ(json["advice"][0]["followed"], "yes");
  EXPECT_TRUE(json["advice"][1]["saved_s"].is_null());
  ASSERT_EQ(json["changes"].size(), 4u);  // the small one too
  EXPECT_TRUE(json["changes"][3]["before"].is_null());
  EXPECT_EQ(json["changes"][3]["after"]["calls"], 10);
}

TEST(ComparisonReport, ListsTheLargestCostFirst) {
  const std::string text =
      summary_of(compare(result({}), result({site("read", 1, 0.125), site("write", 1, 0.25)})));
  EXPECT_NE(text.find("program: 0.375 s of I/O time more than before"), std::string::npos);
  EXPECT_NE(text.find("There was no advice to follow."), std::string::npos);
  EXPECT_LT(text.find("write, f"), text.find("read, f"));
  EXPECT_NE(text.find("calls                      0              2             -2"),
            std::string::npos);
}

TEST(ComparisonReport, ShowsControlCharactersOfNamesOnOneLine) {
  const std::string text =
      summary_of(compare(result({site("read", 1, 0.5, "/a\nb\x1b")}), result({})));
  EXPECT_NE(text.find("/a\\x0ab\\x1b"), std::string::npos);
}

}  // namespace
}  // namespace sluice::trace
