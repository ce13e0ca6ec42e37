// The writing experiments at tiny sizes. Every row must do its work, and fail on a wrong result.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/experiments/bytes/second_thread.h"
#include "bench/experiments/registry.h"
#include "bench/experiments/rows/row_checks.h"
#include "bench/rounds.h"
#include "testing/scratch_directory.h"

namespace sluice::bench {
namespace {

using testing::ScratchDirectory;

constexpr std::string_view writing_ids[] = {"bytes",        "sync",    "write-lines", "overlap",
                                            "many-writers", "mixed",   "replay",      "small-files",
                                            "memory",       "numbers", "random"};

// False for rows that only compute, copy or read: they leave no new file.
bool leaves_a_file(const Experiment::Group& group, const Strategy& strategy) {
  static const std::set<std::string> writes_nothing = {"fill", "compute", "walk", "in memory"};
  return !writes_nothing.contains(strategy.name) && !group.title.starts_with("read");
}

bool is_input(const std::filesystem::path& path) { return path.extension() == ".in"; }

// Alters the last byte of one output in the folder or below it. Returns false if there is no
// output.
bool damage_one_output(const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || is_input(entry.path())) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(-1, std::ios::end);
    const auto last = static_cast<char>(file.get() ^ 1);
    file.seekp(-1, std::ios::end);
    file.put(last);
    return true;
  }
  return false;
}

class Writing : public ::testing::TestWithParam<std::string_view> {
 protected:
  // The experiment before set_up.
  Experiment declared(std::uint64_t size_bytes) {
    Settings settings = settings_for(scratch_.path(), size_bytes);
    settings.quick = true;
    settings.replay_file = sizes_.file("a.sizes");
    testing::make_file(settings.replay_file, "3 1\n1 400\n5000 2\n0 1\n70000 1\n");
    return find_experiment(GetParam())->factory(settings);
  }

  Experiment made(std::uint64_t size_bytes) {
    Experiment experiment = declared(size_bytes);
    if (experiment.set_up) experiment.set_up();
    return experiment;
  }

  ScratchDirectory sizes_;
  ScratchDirectory scratch_;
};

TEST_P(Writing, IsDeclaredWithLimitAndBaseline) { check_declaration(declared(0)); }

TEST_P(Writing, HasTheTitleAndIdOfTheList) {
  const Experiment experiment = declared(0);
  EXPECT_EQ(experiment.id, GetParam());
  if (GetParam() == "replay") return;  // the title of `replay` has the name of the file
  EXPECT_EQ(experiment.title, find_experiment(GetParam())->title);
}

TEST_P(Writing, TouchesNoFileBeforeItIsSetUp) {
  declared(1000);
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_P(Writing, EveryRowDoesAtLeastOneThing) {
  for (const std::uint64_t size_bytes : {0U, 1U}) {
    for_each_row(declared(size_bytes), [](const Experiment::Group&, const Strategy& strategy) {
      EXPECT_GT(strategy.bytes, 0U);
      EXPECT_GT(strategy.operations, 0U);
    });
  }
}

TEST_P(Writing, EveryRowIsRightForOneByte) { expect_right(made(1)); }

TEST_P(Writing, EveryRowIsRightForBlocksAndARest) { expect_right(made(1024 * 1024 + 77)); }

TEST_P(Writing, NoRowIsRightWithoutItsWork) {
  for_each_row(made(100'000), [](const Experiment::Group&, Strategy strategy) {
    strategy.run = [] {};
    EXPECT_NE(measure(strategy).error, "");
  });
}

TEST_P(Writing, OneWrongByteOfOutputIsSeen) {
  constexpr const char* no_file = "no file was left";
  for_each_row(made(100'000), [&](const Experiment::Group& group, Strategy strategy) {
    strategy.run = [work = strategy.run, folder = scratch_.path()] {
      work();
      if (!damage_one_output(folder)) throw std::runtime_error(no_file);
    };
    const std::string error = measure(strategy).error;
    if (leaves_a_file(group, strategy)) {
      EXPECT_NE(error, no_file);
      EXPECT_NE(error.find("wrong"), std::string::npos) << error;
    } else {
      EXPECT_EQ(error, no_file);
    }
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path())) {
      if (!is_input(entry.path())) std::filesystem::remove_all(entry.path());
    }
  });
}

std::string test_name_of(const ::testing::TestParamInfo<std::string_view>& tested) {
  std::string name(tested.param);
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Experiments, Writing, ::testing::ValuesIn(writing_ids), test_name_of);

// ---- full disks ----

class FullDisk : public ::testing::TestWithParam<std::string_view> {};

// False for Journals, which refuse a device, and for rows that replace a file, because these write
// to a new file.
bool writes_to_a_device(const Experiment::Group& group, const Strategy& strategy) {
  return !strategy.name.starts_with("Journal") && group.title.find("replaced") == std::string::npos;
}

TEST_P(FullDisk, IsReportedByEveryRowThatWrites) {
  const ScratchDirectory scratch;
  const Experiment experiment =
      find_experiment(GetParam())->factory(settings_for(scratch.path(), 300'000));
  if (experiment.set_up) experiment.set_up();
  for (const char* name :
       {"bytes.out", "sync.out", "write-lines.out", "write-lines-0.out", "overlap.out",
        "many-writers-0.out", "pieces.out", "memory.out", "numbers.out"}) {
    std::filesystem::create_symlink("/dev/full", scratch.file(name));
  }
  for_each_row(experiment, [](const Experiment::Group& group, const Strategy& strategy) {
    if (!writes_to_a_device(group, strategy) || !leaves_a_file(group, strategy) ||
        group.title.find("open at the same time") != std::string::npos) {
      return;
    }
    const std::string error = measure(strategy).error;
    EXPECT_NE(error.find("No space left on device"), std::string::npos) << error;
  });
}

INSTANTIATE_TEST_SUITE_P(Experiments, FullDisk,
                         ::testing::Values("bytes", "sync", "write-lines", "overlap",
                                           "many-writers", "mixed", "memory", "numbers"),
                         test_name_of);

// ---- experiments that write and read ----

class ReadingInputs : public ::testing::TestWithParam<std::string_view> {};

// Gives the file other content of the same size.
void exchange_content(const std::string& path) {
  const std::uint64_t bytes = std::filesystem::file_size(path);
  std::ofstream file(path, std::ios::binary);
  for (std::uint64_t i = 0; i < bytes; ++i) file.put(i % 2 == 0 ? '1' : '\n');
}

TEST_P(ReadingInputs, OtherContentIsSeenByEveryRow) {
  const ScratchDirectory scratch;
  const Experiment experiment =
      find_experiment(GetParam())->factory(settings_for(scratch.path(), 100'000));
  experiment.set_up();
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
    exchange_content(entry.path());
  }
  int rows = 0;
  for_each_row(experiment, [&](const Experiment::Group& group, const Strategy& strategy) {
    if (!group.title.starts_with("read") || strategy.name == "consume") return;
    EXPECT_NE(measure(strategy).error, "");
    ++rows;
  });
  EXPECT_GE(rows, 10);
}

INSTANTIATE_TEST_SUITE_P(Experiments, ReadingInputs,
                         ::testing::Values("bytes", "numbers", "random"), test_name_of);

// ---- mixed ----

struct CallsCase {
  const char* strategy;
  std::uint64_t per_large_piece;
};

class MixedCalls : public ::testing::TestWithParam<CallsCase> {};

TEST_P(MixedCalls, AreAsManyAsThePolicySays) {
  const ScratchDirectory scratch;
  const Experiment experiment = mixed_experiment(settings_for(scratch.path(), 4 << 20));
  const std::uint64_t large_pieces = experiment.groups.front().strategies.back().operations / 3;
  bool found = false;
  for_each_row(experiment, [&](const Experiment::Group&, const Strategy& strategy) {
    if (strategy.name != GetParam().strategy) return;
    found = true;
    const Outcome outcome = measure(strategy);
    ASSERT_TRUE(outcome.measurement) << outcome.error;
    if (!outcome.measurement->syscalls) GTEST_SKIP() << "the kernel does not count calls";
    const std::uint64_t expected = large_pieces * GetParam().per_large_piece;
    const std::uint64_t tolerated = expected / 10 + 1;  // allows for the calls that sanitizers make
    EXPECT_LE(*outcome.measurement->syscalls, expected + tolerated);
    EXPECT_GE(*outcome.measurement->syscalls, expected - tolerated);
  });
  EXPECT_TRUE(found);
}

// Before each large piece 9 and 5 bytes are buffered. A large piece fills 21.06 or 21.1 buffers of
// 4 KiB.
INSTANTIATE_TEST_SUITE_P(Policies, MixedCalls,
                         ::testing::Values(CallsCase{"fill flush direct", 2},
                                           CallsCase{"flush then direct", 2},
                                           CallsCase{"gather 4K", 1},
                                           CallsCase{"sluice write", 1}));

// ---- small-files and memory ----

// Sets the experiment up, and returns the last strategy of its last group.
Strategy last_row(const Experiment& experiment) {
  experiment.set_up();
  return experiment.groups.back().strategies.back();
}

TEST(SmallFiles, AThreadThatIsStartedIsSeen) {
  const ScratchDirectory scratch;
  Strategy strategy = last_row(small_files_experiment(settings_for(scratch.path(), 1000)));
  strategy.run = [work = strategy.run] {
    work();
    static const SecondThread thread;
  };
  EXPECT_EQ(measure(strategy).error, "the process has 2 threads instead of at most 1");
}

TEST(Memory, MoreThreadsThanAnEngineMayHaveAreSeen) {
  const ScratchDirectory scratch;
  Strategy strategy = last_row(memory_experiment(settings_for(scratch.path(), 1000)));
  strategy.run = [work = strategy.run] {
    static const SecondThread threads[3];
    work();
  };
  EXPECT_EQ(measure(strategy).error, "the process has 4 threads instead of at most 2");
}

TEST(Memory, TooFewOpenFilesAllowedIsOneClearLine) {
  const ScratchDirectory scratch;
  Strategy strategy = last_row(memory_experiment(settings_for(scratch.path(), 100'000)));
  strategy.prepare = [prepare = strategy.prepare] {
    const rlimit limit{50, 60};
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) throw std::runtime_error("setrlimit failed");
    prepare();
  };
  EXPECT_EQ(measure(strategy).error,
            "1100 open files are needed and the system allows 60: raise the hard limit "
            "(ulimit -Hn) and try again");
}

}  // namespace
}  // namespace sluice::bench
