#include "trace/advice/savings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second with one thread and one regular file.
Profile one_second() {
  Profile profile;
  profile.wall_s = 1;
  profile.processes.push_back({.program = "program", .wall_s = 1, .threads = 1, .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.files.push_back({.name = "/x", .opens = 1, .kind = S_IFREG});
  return profile;
}

void add(Profile& profile, double seconds) {
  Use& use = profile.uses.emplace_back(Use{.call = Call::write});
  use.amount.time.system_s = seconds;
}

Advice advice(double saved_s, const std::vector<std::size_t>& uses) {
  Advice advice;
  advice.saved_s = saved_s;
  advice.uses = uses;
  return advice;
}

TEST(SavedTogether, IsTheSumOfTheSavingsOfDifferentCalls) {
  Profile profile = one_second();
  add(profile, 0.5);
  add(profile, 0.25);
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {advice(0.375, {0}), advice(0.125, {1})}), 0.5);
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {}), 0);
}

TEST(SavedTogether, IsNotMoreThanTheTimeOfTheSameCalls) {
  Profile profile = one_second();
  add(profile, 0.5);
  add(profile, 0.5);
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {advice(0.375, {0}), advice(0.25, {0})}), 0.5);
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {advice(0.25, {0}), advice(0.125, {0})}), 0.375);
  // The first advice leaves half of the time of both uses.
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {advice(0.5, {0, 1}), advice(0.5, {1})}), 0.75);
}

TEST(SavedTogether, CountsAdviceAboutNoCallBesideTheTimeOfTheCalls) {
  Profile profile = one_second();
  add(profile, 0.125);
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {advice(0.5, {}), advice(0.25, {0})}), 0.625);
}

TEST(SavedTogether, CountsWhatIsNotInTheTimeOfTheCalls) {
  Profile profile = one_second();
  add(profile, 0.125);
  add(profile, 1);
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {advice(0.125, {0}), advice(0.5, {0})}), 0.5);
}

TEST(SavedTogether, DividesTheTimeOfCallsAmongThreadsAtOnce) {
  Profile profile = one_second();
  add(profile, 0.5);
  Advice shared = advice(0.25, {0});
  shared.at_once = 2;
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {shared, shared}), 0.25);
}

TEST(SavedTogether, IsNotMoreThanTheTimeOfInputAndOutput) {
  Profile profile = one_second();
  add(profile, 0.25);
  const std::vector<Advice> much = {advice(2, {0})};
  EXPECT_DOUBLE_EQ(saved_together_s(profile, much), 0.25);
  profile.processes[0].fault_wait_s = 0.5;
  EXPECT_DOUBLE_EQ(saved_together_s(profile, much), 0.75);
}

TEST(SavedTogether, CountsTheLowerEndOfARange) {
  Profile profile = one_second();
  add(profile, 0.5);
  Advice uncertain = advice(0.5, {0});
  uncertain.least_saved_s = 0.125;
  EXPECT_DOUBLE_EQ(saved_together_s(profile, {uncertain}), 0.125);
}

TEST(SavedTogether, KnowsTheCallsOfEachAdvice) {
  Profile profile = one_second();
  profile.processes[0].system_s = 2;
  profile.sites.resize(2);
  for (const std::size_t site : {0u, 1u}) {
    Use& use = profile.uses.emplace_back(Use{.site = site, .call = Call::write});
    use.threads = {{1, 0}, {1, 1}};
    use.amount.calls = 100'000;
    use.amount.bytes = 1'000'000;
    use.amount.time.system_s = 0.5;
  }
  const std::vector<Advice> all = advice_for(profile);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].uses, (std::vector<std::size_t>{0, 1}));
  EXPECT_DOUBLE_EQ(all[0].at_once, 2);
  EXPECT_DOUBLE_EQ(saved_together_s(profile, all), all[0].least_saved_s.value());
}

}  // namespace
}  // namespace sluice::trace
