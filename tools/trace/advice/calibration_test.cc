#include "trace/advice/calibration.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>
#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {
namespace {

Advice advice_of(const KindOfAdvice& kind, std::optional<double> least_s, double most_s) {
  Advice advice;
  advice.kind = kind;
  advice.saved_s = most_s;
  advice.least_saved_s = least_s;
  return advice;
}

Advice calibrated(Advice advice) {
  calibrate(advice, 10);
  return advice;
}

TEST(Calibration, WidensARangeToBothSides) {
  for (const KindOfAdvice& kind :
       {kinds::flush_after_each, kinds::char_at_a_time, kinds::pipe_pieces}) {
    const Advice advice = calibrated(advice_of(kind, 1, 2));
    EXPECT_LT(advice.least_saved_s.value(), 1) << kind.id;
    EXPECT_GT(advice.saved_s, 2) << kind.id;
    ASSERT_TRUE(advice.computed) << kind.id;
    EXPECT_EQ(advice.computed->least_s, 1) << kind.id;
    EXPECT_EQ(advice.computed->most_s, 2) << kind.id;
  }
}

TEST(Calibration, MakesARangeOfAFigure) {
  for (const std::optional<double> least_s : {std::optional<double>{}, {1.96}}) {
    const Advice advice = calibrated(advice_of(kinds::tiny_writes, least_s, 2));
    EXPECT_LT(advice.least_saved_s.value(), 1.6);
    EXPECT_GT(advice.saved_s, 2.2);
  }
}

TEST(Calibration, SaysWhyAPredictionIsARange) {
  for (const KindOfAdvice& kind : {kinds::tiny_writes, kinds::char_at_a_time}) {
    const Advice advice = calibrated(advice_of(kind, 2, 2));
    EXPECT_TRUE(advice.range.starts_with("The prediction is a range, because")) << kind.id;
  }
}

TEST(Calibration, PromisesNoMoreThanTheWholeTime) {
  EXPECT_EQ(calibrated(advice_of(kinds::tiny_writes, 5, 10)).saved_s, 10);
  const Advice advice = calibrated(advice_of(kinds::tiny_writes, 15, 30));
  EXPECT_EQ(advice.least_saved_s, 10);
  EXPECT_EQ(advice.saved_s, 10);
}

TEST(Calibration, LeavesAdviceThatNoProgramHasFollowed) {
  const Advice advice = calibrated(advice_of(kinds::overlap, 1, 2));
  EXPECT_EQ(advice.least_saved_s, 1);
  EXPECT_EQ(advice.saved_s, 2);
  EXPECT_FALSE(advice.computed);
}

TEST(Calibration, HasTheWorkBetweenCallsAsAKindOfItsOwn) {
  Advice advice = advice_of(kinds::reopened, 1, 2);
  EXPECT_EQ(calibrated(advice).computed.value().kind, "system calls");
  advice.by_runtime_s = 1;
  EXPECT_EQ(calibrated(advice).computed.value().kind, "work between calls");
  advice.by_runtime_s = 0;
  advice.is_of_language = true;
  EXPECT_EQ(calibrated(advice).computed.value().kind, "work between calls");
}

TEST(Calibration, HasMeasuredStreamsAsAKindOfItsOwn) {
  Advice advice = advice_of(kinds::formatted_reads, 1, 2);
  advice.by_runtime_s = 1;
  advice.has_measured_costs = true;
  EXPECT_EQ(calibrated(advice).computed.value().kind, "costs of streams");
}

TEST(Calibration, PromisesNoMoreByRun) {
  Advice advice = advice_of(kinds::tiny_writes, 1, 2);
  advice.by = "run --coalesce";
  EXPECT_EQ(calibrated(advice).run_saves_s, 2);
}

TEST(Calibration, IsThatOfAllAdvice) {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back({.program = "program", .wall_s = 1, .threads = 1});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.emplace_back();
  profile.files.push_back({.name = "file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  Use& use = profile.uses.emplace_back(Use{.call = preload::Call::fgetc, .threads = {{1, 0}}});
  use.amount.calls = use.amount.copies = use.amount.bytes = 10'000'000;
  use.amount.time.copying_s = 0.2;
  const Advice by_rules = advice_by_rules(profile).at(0);
  const Advice advice = advice_for(profile).at(0);
  EXPECT_LT(advice.least_saved_s, by_rules.least_saved_s);
  EXPECT_GT(advice.saved_s, by_rules.saved_s);
  EXPECT_EQ(advice.computed.value().most_s, by_rules.saved_s);
}

}  // namespace
}  // namespace sluice::trace
