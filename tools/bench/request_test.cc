#include "bench/request.h"
#include "command_line/command_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace sluice::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Experiment no_experiment(const Settings&) { return {}; }

constexpr std::array known = {
    RegisteredExperiment{"bytes", "one byte a call", no_experiment},
    RegisteredExperiment{"replay", "recorded sizes", no_experiment},
    RegisteredExperiment{"sync", "what a flush costs", no_experiment},
};

// Each choice as "bytes" or as "replay FILE".
std::vector<std::string> chosen(const Request& request) {
  std::vector<std::string> result;
  for (const Choice& choice : choose(request, known)) {
    std::string text(choice.experiment->id);
    if (!choice.replay_file.empty()) text += " " + choice.replay_file;
    result.push_back(text);
  }
  return result;
}

std::string usage_error(const Request& request) {
  try {
    choose(request, known);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Request, NoWordsMeanAllExperimentsThatCanRun) {
  EXPECT_THAT(chosen({}), ElementsAre("bytes", "sync"));
  EXPECT_THAT(chosen({.replay_files = {"a", "b"}}),
              ElementsAre("bytes", "replay a", "replay b", "sync"));
}

TEST(Request, WordsAreTakenInTheirOrderAndOnce) {
  EXPECT_THAT(chosen({.words = {"sync", "bytes", "sync"}}), ElementsAre("sync", "bytes"));
}

TEST(Request, WordsAfterReplayThatAreNoExperimentAreFiles) {
  EXPECT_THAT(chosen({.words = {"replay", "a.sizes"}}), ElementsAre("replay a.sizes"));
  EXPECT_THAT(chosen({.words = {"replay", "a", "b", "sync"}}),
              ElementsAre("replay a", "replay b", "sync"));
  EXPECT_THAT(chosen({.words = {"bytes", "replay", "sync", "a"}}),
              ElementsAre("bytes", "replay a", "sync"));
}

TEST(Request, TheReplayOptionAddsReplay) {
  EXPECT_THAT(chosen({.words = {"bytes"}, .replay_files = {"a"}}),
              ElementsAre("bytes", "replay a"));
  EXPECT_THAT(chosen({.words = {"replay", "b"}, .replay_files = {"a"}}),
              ElementsAre("replay a", "replay b"));
}

TEST(Request, ReplayWithoutAFileIsRefused) {
  EXPECT_THAT(usage_error({.words = {"replay"}}), HasSubstr("replay needs a file"));
}

TEST(Request, AnUnknownWordIsRefusedWithTheListOfExperiments) {
  const std::string error = usage_error({.words = {"bytes", "tsunami"}});
  EXPECT_THAT(error, HasSubstr("unknown experiment 'tsunami'"));
  EXPECT_THAT(error, HasSubstr("  bytes "));
  EXPECT_THAT(error, HasSubstr("  replay "));
  EXPECT_THAT(error, HasSubstr("  sync         what a flush costs\n"));
  EXPECT_THAT(usage_error({.words = {"a.sizes", "replay"}}), HasSubstr("'a.sizes'"));
}

}  // namespace
}  // namespace sluice::bench
