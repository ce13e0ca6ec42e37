// The rows of `compress` report what fails.
#include "bench/experiments/compress/compress_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "bench/experiments/registry.h"

namespace sluice::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

class CompressRows : public ::testing::Test {
 protected:
  void SetUp() override { ::signal(SIGPIPE, SIG_IGN); }  // as sluice bench does
  void TearDown() override { ::signal(SIGPIPE, SIG_DFL); }
};

// More bytes than all pipes hold.
CompressWork work_at(std::string path, Device device) {
  auto data = std::make_shared<Data>();
  data->kind = &data_kinds().front();
  data->wanted_bytes = 2 << 20;
  data->make("");
  return {std::move(path), std::move(data), device};
}

TEST_F(CompressRows, ReportAFullDiskBehindAProgram) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  const CompressWork work = work_at("/dev/full", Device::slow);
  EXPECT_THAT([&] { by_program(work, {"cat"}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("/dev/full")));
}

TEST_F(CompressRows, ReportAProgramThatFails) {
  const std::string path = std::filesystem::temp_directory_path() / "sluice-compress-rows-test";
  for (const Device device : {Device::slow, Device::real}) {
    const CompressWork work = work_at(path, device);
    EXPECT_THAT([&] { by_program(work, {"false"}); },
                ThrowsMessage<std::runtime_error>(HasSubstr("false failed")));
  }
  std::filesystem::remove(path);
}

TEST(CompressExperiment, WarnsOfAFileThatIsTooSmallToDecide) {
  Settings settings;
  settings.quick = true;
  const Experiment quick = compress_experiment(settings);
  EXPECT_GE(quick.bytes, 16U << 20);
  for (const Experiment::Group& group : quick.groups) {
    EXPECT_THAT(group.why, HasSubstr("measure with a --size of 64M or more"));
  }
  settings.size_bytes = 64 << 20;
  for (const Experiment::Group& group : compress_experiment(settings).groups) {
    EXPECT_THAT(group.why, Not(HasSubstr("measure with")));
  }
}

TEST(CompressExperiment, TellsWhichRowsAreWaysOfSluice) {
  for (const Experiment::Group& group : compress_experiment({}).groups) {
    for (const Strategy& row : group.strategies) {
      const bool is_ours = row.is_by_sluice || row.kind == Kind::sluice;
      EXPECT_EQ(is_ours, row.name.starts_with("sluice")) << row.name;
    }
  }
}

TEST(CacheExperiment, SaysWhoseOperationsItTimes) {
  const Experiment experiment = cache_experiment({});
  for (const Experiment::Group& group : experiment.groups) {
    EXPECT_EQ(group.operations_of, "the program beside");
  }
}

}  // namespace
}  // namespace sluice::bench
