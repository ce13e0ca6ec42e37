// The reading experiments at tiny sizes. Every row must do its work, and fail on a wrong result.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/experiments/registry.h"
#include "bench/experiments/rows/row_checks.h"
#include "bench/rounds.h"
#include "testing/scratch_directory.h"

namespace sluice::bench {
namespace {

using testing::ScratchDirectory;

constexpr std::string_view reading_ids[] = {"read-whole", "read-lines", "console"};

Experiment reading_experiment(std::string_view id, const Settings& settings) {
  if (id == "read-whole") return read_whole_experiment(settings);
  if (id == "read-lines") return read_lines_experiment(settings);
  return console_experiment(settings);
}

// Applies `damage(path)` to every file that set_up has made.
template <typename Damage>
void damage_files(const ScratchDirectory& scratch, Damage damage) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
    damage(entry.path().string());
    ++files;
  }
  ASSERT_GT(files, 0);
}

bool reads_a_file(const Experiment::Group& group) { return !group.title.starts_with("write"); }

class Reading : public ::testing::TestWithParam<std::string_view> {
 protected:
  Experiment made(std::uint64_t size_bytes) {
    Experiment experiment =
        reading_experiment(GetParam(), settings_for(scratch_.path(), size_bytes));
    experiment.set_up();
    return experiment;
  }

  ScratchDirectory scratch_;
};

TEST_P(Reading, IsDeclaredWithLimitAndBaseline) {
  check_declaration(reading_experiment(GetParam(), settings_for(scratch_.path(), 0)));
}

TEST_P(Reading, TouchesNoFileBeforeItIsSetUp) {
  reading_experiment(GetParam(), settings_for(scratch_.path(), 1000));
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_P(Reading, TakesTheScratchSpaceItDeclares) {
  const Experiment experiment = made(100'000);
  std::uint64_t bytes = 0;
  damage_files(scratch_,
               [&](const std::string& path) { bytes += std::filesystem::file_size(path); });
  EXPECT_EQ(bytes, experiment.scratch_bytes);
}

TEST_P(Reading, EveryRowIsRightForOneByte) { expect_right(made(1)); }

TEST_P(Reading, EveryRowIsRightForOneBlock) { expect_right(made(256 * 1024)); }

TEST_P(Reading, EveryRowIsRightForBlocksAndALineCutShort) { expect_right(made(700'003)); }

TEST_P(Reading, EveryRowIsRightForRealText) {
  const std::string text = scratch_.path() + ".text";
  testing::make_file(text, std::string("A first line.\n\n\r\nNUL \0 inside.\n", 30) +
                               std::string(600'000, 'x') + "\nno newline at the end");
  Settings settings = settings_for(scratch_.path(), 1'300'000);
  settings.text_file = text;
  const Experiment experiment = reading_experiment(GetParam(), settings);
  experiment.set_up();
  std::filesystem::remove(text);
  expect_right(experiment);
}

TEST_P(Reading, NoRowIsRightWithoutItsWork) {
  for_each_row(made(100'000), [](const Experiment::Group&, Strategy strategy) {
    strategy.run = [] {};
    EXPECT_NE(measure(strategy).error, "");
  });
}

TEST_P(Reading, NoRowIsRightWhenTheFileWasCutShort) {
  const Experiment experiment = made(100'000);
  damage_files(scratch_, [](const std::string& path) {
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 70);
  });
  for_each_row(experiment, [](const Experiment::Group& group, const Strategy& strategy) {
    if (!reads_a_file(group)) return;
    EXPECT_NE(measure(strategy).error, "");
  });
}

// Leaves out the limit of reading from a pipe, because it only counts the bytes.
TEST_P(Reading, NoRowIsRightWhenTheFirstAndTheLastByteWereChanged) {
  const Experiment experiment = made(300'000);
  damage_files(scratch_, [](const std::string& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.put('5').seekp(-1, std::ios::end).put('5');
  });
  for_each_row(experiment, [](const Experiment::Group& group, const Strategy& strategy) {
    if (!reads_a_file(group) || (GetParam() == "console" && strategy.name == "raw read")) return;
    EXPECT_NE(measure(strategy).error, "");
  });
}

INSTANTIATE_TEST_SUITE_P(Experiments, Reading, ::testing::ValuesIn(reading_ids),
                         [](const auto& instance) {
                           std::string name(instance.param);
                           std::erase(name, '-');
                           return name;
                         });

// Leaves out `console`, because another process opens its file.
TEST(ReadingFiles, AMissingFileIsNamed) {
  const ScratchDirectory scratch;
  for (const std::string_view id : {"read-whole", "read-lines"}) {
    const Experiment experiment = reading_experiment(id, settings_for(scratch.path(), 1000));
    experiment.set_up();
    damage_files(scratch, [](const std::string& path) { std::filesystem::remove(path); });
    for_each_row(experiment, [&](const Experiment::Group&, Strategy strategy) {
      // The preparation fails too, when it prepares the cache. Only the message of run() is tested
      // here.
      strategy.prepare = [prepare = strategy.prepare] {
        try {
          prepare();
        } catch (const std::runtime_error&) {
        }
      };
      EXPECT_NE(measure(strategy).error.find("open " + scratch.path()), std::string::npos);
    });
  }
}

TEST(ReadingFiles, AMissingTextFileIsNamed) {
  const ScratchDirectory scratch;
  Settings settings = settings_for(scratch.path(), 1000);
  settings.text_file = scratch.file("missing");
  for (const Experiment& experiment :
       {read_whole_experiment(settings), read_lines_experiment(settings)}) {
    try {
      experiment.set_up();
      ADD_FAILURE() << experiment.id << " was set up";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "open " + settings.text_file + ": No such file or directory");
    }
  }
}

TEST(Console, AByteTooManyInTheOutputIsSeen) {
  const ScratchDirectory scratch;
  const Experiment experiment = console_experiment(settings_for(scratch.path(), 10'000));
  experiment.set_up();
  for_each_row(experiment, [](const Experiment::Group& group, Strategy strategy) {
    if (group.title.starts_with("read numbers") || group.title.starts_with("read lines")) return;
    strategy.run = [work = strategy.run] {
      work();
      [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, "5", 1);
    };
    EXPECT_NE(measure(strategy).error, "");
  });
}

// The stdout of a terminal writes line by line. A row's stdout, which is a pipe, must not.
TEST(Console, RowsFindStdoutAsInAFreshProcess) {
  const ScratchDirectory scratch;
  const Experiment experiment = console_experiment(settings_for(scratch.path(), 100'000));
  experiment.set_up();
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for_each_row(experiment, [](const Experiment::Group&, const Strategy& strategy) {
    if (strategy.name != "printf") return;
    const Outcome outcome = measure(strategy);
    ASSERT_TRUE(outcome.measurement && outcome.measurement->syscalls) << outcome.error;
    EXPECT_LT(*outcome.measurement->syscalls, strategy.operations / 100);
  });
  std::setvbuf(stdout, nullptr, _IOFBF, 0);
}

}  // namespace
}  // namespace sluice::bench
