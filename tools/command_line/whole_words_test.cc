#include "command_line/whole_words.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Words = std::vector<std::string>;

// What a command takes of these words.
struct Taken {
  Words words;
  std::string name;
};

Taken taken_of(const Words& words) {
  CLI::App app;
  CLI::App* const command = app.add_subcommand("command");
  Taken taken;
  command->add_option("WORDS", taken.words);
  command->add_option("--name", taken.name);
  take_whole_words(app);
  Words kept = kept_whole({words.rbegin(), words.rend()});
  kept.emplace_back("command");
  app.parse(kept);
  return taken;
}

TEST(WholeWords, AreTakenAsTheyAre) {
  const Words words = {"[a,b]", "[0-9]", "[]", "[[x]]", "[", "]", "\x01", "\x01[a]", "a=[1,2]"};
  EXPECT_EQ(taken_of(words).words, words);
}

TEST(WholeWords, AreNamesToo) {
  EXPECT_EQ(taken_of({"--name", "[a,b]"}).name, "[a,b]");
  EXPECT_EQ(taken_of({"--name=[a,b]"}).name, "[a,b]");
  EXPECT_EQ(taken_of({"--name=\x01"
                      "a"})
                .name,
            "\x01"
            "a");
}

// CLI11 would take the first word apart: this test tells when the library no longer needs help.
TEST(WholeWords, NeedHelp) {
  CLI::App app;
  Words words;
  app.add_option("WORDS", words);
  app.parse(Words{"[a,b]"});
  EXPECT_EQ(words, (Words{"a", "b"}));
}

}  // namespace
}  // namespace sluice
