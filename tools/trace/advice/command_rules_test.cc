#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "trace/advice/advice.h"
#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// Each of two objects is opened and mapped a thousand times.
Profile of_git(const std::string& folder, std::size_t digits) {
  Profile profile = one_second("/usr/bin/git");
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = folder + "/objects/3" + std::to_string(i) + "/";
    profile.files.push_back({.name = name + std::string(digits, 'a'), .kind = S_IFREG});
    for (const Call call : {Call::open, Call::mmap, Call::close}) {
      add_calls(profile, call, 1'000, 0, 0.02).file = i;
    }
  }
  return profile;
}

TEST(CommandRules, PutTheObjectsOfGitIntoAPack) {
  const Advice advice = only_advice(of_git("/f/repository/.git", 38));
  EXPECT_EQ(advice.kind.id, "loose-objects");
  EXPECT_EQ(advice.seen, "2,000 openings of 2 objects of git, each in a file of its own");
  EXPECT_NEAR(advice.least_s(), 0.12, 1e-9);
  EXPECT_NEAR(advice.saved_s, 0.12 + 4.4 * 0.04, 1e-9);
  EXPECT_EQ(advice.uses.size(), 6U);
  EXPECT_NE(advice.fix.find("`git gc`"), std::string::npos);
}

TEST(CommandRules, KnowAnObjectOfGitByItsName) {
  for (const Profile& profile : {of_git("/f/repository/.git", 37), of_git("/f/other", 12)}) {
    EXPECT_FALSE(has_advice(profile, "loose-objects"));
  }
  Profile written = of_git("/f/repository/.git", 62);
  EXPECT_TRUE(has_advice(written, "loose-objects"));
  std::erase_if(written.uses, [](const Use& use) { return use.call == Call::mmap; });
  EXPECT_FALSE(has_advice(written, "loose-objects")) << "it makes them";
}

}  // namespace
}  // namespace sluice::trace
