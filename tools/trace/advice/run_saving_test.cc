// What the advice says about `sluice run`.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "trace/advice/advice.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A million calls of one thread that only copy. They take 0.4 s, and 0.05 s with `sluice run`.
Profile million_copies(Call call, std::size_t sites) {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 2;
  profile.processes.push_back({.number = 1, .program = "program", .wall_s = 2, .threads = 1});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.files.push_back({.name = "file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  for (std::size_t site = 0; site < sites; ++site) {
    profile.sites.emplace_back();
    Use& use = profile.uses.emplace_back(Use{.site = site, .call = call, .threads = {{1, 0}}});
    use.amount.calls = use.amount.copies = use.amount.bytes = 1'000'000;
    use.amount.time.copying_s = 0.4;
    use.amount.copying_by_run_s = 0.05;
  }
  return profile;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RunSaving, IsNotOfferedForAStreamThatThreadsShare) {
  Profile profile = million_copies(Call::fgetc, 1);
  profile.uses[0].amount.takes_locks = true;
  const Advice alone = advice_for(profile).at(0);
  EXPECT_EQ(alone.by, "run --unlocked");
  EXPECT_TRUE(has(alone.fix, "getc_unlocked"));
  EXPECT_DOUBLE_EQ(alone.run_saves_s.value(), 0.6 * (0.4 - 0.05)) << "as far as it is felt";
  EXPECT_TRUE(has(alone.fix, " `sluice run --unlocked` saves about 0.210 s.")) << alone.fix;
  profile.uses[0].threads.emplace(1, 1);
  profile.processes.push_back({.number = 2, .program = "sh", .wall_s = 2, .threads = 1});
  profile.moments.push_back({.moment_ns = 10'000'000});
  const Advice shared = advice_for(profile).at(0);
  EXPECT_EQ(shared.by, "");
  EXPECT_FALSE(has(shared.fix + shared.check, "unlocked")) << shared.fix;
}

TEST(RunSaving, NeedsWritesThatMayComeLater) {
  Profile profile = million_copies(Call::write, 1);
  Amount& amount = profile.uses[0].amount;
  amount.copies = 0;
  amount.system_calls = amount.system_bytes = amount.calls;
  amount.time = {.system_s = 0.4};
  const Advice advice = advice_for(profile).at(0);
  EXPECT_EQ(advice.by, "run --coalesce");
  EXPECT_TRUE(advice.fix.ends_with("may be written a little later, use `sluice run --coalesce`."))
      << advice.fix;
}

// The text and the JSON name what is saved at all places.
TEST(RunSaving, IsThatOfAllPlaces) {
  const Advice advice = advice_for(million_copies(Call::fwrite, 2)).at(0);
  EXPECT_EQ(advice.places, 2U);
  EXPECT_DOUBLE_EQ(advice.run_saves_s.value(), 2 * (0.4 - 0.05));
  EXPECT_TRUE(has(advice.fix, " Without a change, `sluice run` saves about 0.700 s."))
      << advice.fix;
}

// std::cout in step with stdio hands each piece to stdio. The work of the C++ stream stays.
TEST(RunSaving, IsNotThatOfTheWorkOfAStream) {
  Profile profile = million_copies(Call::fwrite, 1);
  profile.sites[0].by_iostream = true;
  const Advice without = advice_by_rules(profile).at(0);
  profile.processes[0].user_s = 1.5;
  const Advice advice = advice_by_rules(profile).at(0);
  EXPECT_NEAR(advice.saved_s, without.saved_s + 0.017, 1e-9);
  EXPECT_NEAR(advice.least_s(), without.least_s(), 1e-9);
  EXPECT_DOUBLE_EQ(advice.run_saves_s.value(), 0.4 - 0.05);
  EXPECT_TRUE(has(advice.why, "includes 17 ns for each")) << advice.why;
}

// Only std::ofstream writes to the descriptor itself. Other callers of fopen() write to the stream.
TEST(RunSaving, IsNotOfferedForWritesToTheFileOfAStream) {
  Profile profile = million_copies(Call::write, 1);
  Use& use = profile.uses[0];
  use.amount.copies = 0;
  use.amount.time = {.system_s = 0.4};
  profile.uses.push_back(Use{.call = Call::fopen, .threads = {{1, 0}}});
  EXPECT_EQ(advice_for(profile).at(0).by, "");
  profile.sites[0].by_iostream = true;
  EXPECT_EQ(advice_for(profile).at(0).by, "run --coalesce");
}

}  // namespace
}  // namespace sluice::trace
