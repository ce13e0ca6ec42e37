#include "bench/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/fakes.h"
#include "bench/scratch.h"
#include "command_line/command_error.h"

namespace sluice::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

// An experiment with one group: a limit, a baseline, and a row that calls `run`.
Experiment fake_experiment(std::string id, std::function<void()> run) {
  Experiment experiment;
  experiment.id = std::move(id);
  experiment.title = "a fake";
  experiment.bytes = 1000;
  experiment.groups.push_back(
      {"group of " + experiment.id,
       {fake_strategy("the limit", Kind::limit), fake_strategy("the baseline", Kind::baseline),
        fake_strategy("the row", Kind::sluice, std::move(run))},
       "Because it is a fake."});
  return experiment;
}

void make_file(const std::string& path) {
  if (std::filesystem::exists(path)) throw std::runtime_error(path + " is there already");
  std::ofstream(path) << "content";
}

// Every run leaves a file, and fails if there is a file already.
Experiment tidy_experiment(const Settings& settings) {
  Experiment experiment =
      fake_experiment("tidy", [&settings] { make_file(settings.directory + "/left"); });
  experiment.set_up = [&settings] { make_file(settings.directory + "/input"); };
  return experiment;
}

constexpr std::array known = {
    RegisteredExperiment{"tidy", "leaves files", tidy_experiment},
    RegisteredExperiment{"tidy-again", "leaves the same files", tidy_experiment},
    RegisteredExperiment{"failing", "one row fails",
                         [](const Settings&) {
                           return fake_experiment(
                               "failing", [] { throw std::runtime_error("the bytes differ"); });
                         }},
    RegisteredExperiment{"broken", "its input cannot be made",
                         [](const Settings&) {
                           Experiment experiment = fake_experiment("broken", [] {});
                           experiment.set_up = [] { throw std::runtime_error("no input"); };
                           return experiment;
                         }},
    RegisteredExperiment{"interrupted", "Ctrl-C is pressed in the second group",
                         [](const Settings& settings) {
                           Experiment experiment = fake_experiment("interrupted", [] {});
                           Experiment second = fake_experiment("second", [&settings] {
                             make_file(settings.directory + "/half");
                             ::kill(::getppid(), SIGINT);
                             ::sleep(60);
                           });
                           experiment.groups.push_back(second.groups[0]);
                           return experiment;
                         }},
    RegisteredExperiment{"interrupted-at-once", "Ctrl-C is pressed in the warm-up round",
                         [](const Settings&) {
                           return fake_experiment("interrupted-at-once", [] {
                             ::kill(::getppid(), SIGINT);
                             ::sleep(60);
                           });
                         }},
    RegisteredExperiment{"huge", "more than any disk holds",
                         [](const Settings&) {
                           Experiment experiment = fake_experiment("huge", [] {});
                           experiment.scratch_bytes = std::uint64_t{1} << 62;
                           return experiment;
                         }},
};

class Command : public testing::Test {
 protected:
  // Runs the named experiments, and keeps the printed text.
  int run_words(std::vector<std::string> words) {
    Request request;
    request.words = std::move(words);
    request.directory = folder_.path();
    request.rounds = 2;
    request.json_file = json_file();
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    struct Captured {
      Command& test;
      ~Captured() {
        test.out_ = testing::internal::GetCapturedStdout();
        test.err_ = testing::internal::GetCapturedStderr();
      }
    };
    const Captured captured{*this};
    return run(request, known, {"a library"});
  }

  std::string json_file() const { return results_.path() + "/results.json"; }
  nlohmann::json json() const { return nlohmann::json::parse(std::ifstream(json_file())); }
  bool folder_is_empty() const { return std::filesystem::is_empty(folder_.path()); }

  Scratch folder_{testing::TempDir()};
  Scratch results_{testing::TempDir()};
  std::string out_;
  std::string err_;
};

TEST_F(Command, PrintsTablesAndSummaryAndLeavesNothingBehind) {
  EXPECT_EQ(run_words({"tidy"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("tidy: a fake"));
  EXPECT_THAT(out_, HasSubstr("  the row "));
  EXPECT_THAT(out_, HasSubstr("\nSummary\n"));
  EXPECT_THAT(out_, HasSubstr("Because it is a fake."));
  EXPECT_THAT(out_, HasSubstr("no rows of them: a library\n"));
  EXPECT_EQ(err_, "");
  EXPECT_TRUE(folder_is_empty());
  EXPECT_EQ(json()["experiments"][0]["rows"].size(), 3u);
  EXPECT_EQ(json()["runs"], 2);
  EXPECT_EQ(json()["libraries_left_out"][0], "a library");
  EXPECT_EQ(json()["directory"], folder_.path());
}

TEST_F(Command, GivesEveryRunAndEveryExperimentACleanFolder) {
  EXPECT_EQ(run_words({"tidy", "tidy-again"}), 0) << err_;
}

TEST_F(Command, FailsWhenARowFailsAndGoesOnWithTheRest) {
  EXPECT_EQ(run_words({"failing", "broken", "tidy"}), 1);
  EXPECT_THAT(err_, HasSubstr("sluice bench: failing: the row: the bytes differ\n"));
  EXPECT_THAT(err_, HasSubstr("sluice bench: broken: no input\n"));
  EXPECT_EQ(json()["experiments"].size(), 3u);
  EXPECT_EQ(json()["experiments"][0]["rows"][2]["verified"], false);
  EXPECT_EQ(json()["experiments"][1]["error"], "no input");
  EXPECT_EQ(json()["experiments"][2]["rows"][2]["verified"], true);
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Command, FailsWhenAnExperimentCannotBeSetUp) { EXPECT_EQ(run_words({"broken"}), 1); }

TEST_F(Command, PrintsTheFinishedResultsWhenASignalAsksForTheEnd) {
  EXPECT_EQ(run_words({"tidy", "interrupted", "broken"}), 130);
  EXPECT_THAT(out_, HasSubstr("tidy: a fake"));
  EXPECT_THAT(out_, HasSubstr("group of interrupted"));
  EXPECT_THAT(out_, HasSubstr("\nSummary\n"));
  EXPECT_THAT(out_, Not(HasSubstr("group of second")));
  EXPECT_THAT(err_, HasSubstr("ended by signal 2"));
  EXPECT_THAT(err_, Not(HasSubstr("no input"))) << "later experiments are not even set up";
  EXPECT_TRUE(folder_is_empty());
  EXPECT_EQ(json()["interrupted"], true);
  EXPECT_EQ(json()["experiments"].size(), 2u);
  EXPECT_EQ(json()["experiments"][1]["rows"].size(), 3u);
}

TEST_F(Command, PrintsNoSummaryOfNothing) {
  EXPECT_EQ(run_words({"interrupted-at-once"}), 130);
  EXPECT_THAT(out_, Not(HasSubstr("Summary")));
  EXPECT_THAT(err_, HasSubstr("sluice bench: ended by signal 2 before a round was complete\n"));
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Command, RefusesBeforeStartingAnExperimentTooLargeForTheDisk) {
  EXPECT_THROW(run_words({"tidy", "huge"}), std::runtime_error);
  EXPECT_EQ(out_, "") << "nothing was measured";
  EXPECT_TRUE(folder_is_empty());
  EXPECT_FALSE(std::filesystem::exists(json_file()));
}

TEST_F(Command, RefusesAnUnknownExperimentBeforeStarting) {
  EXPECT_THROW(run_words({"tidy", "tsunami"}), UsageError);
  EXPECT_EQ(out_, "");
}

}  // namespace
}  // namespace sluice::bench
