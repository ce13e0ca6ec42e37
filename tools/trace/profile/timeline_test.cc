#include "trace/profile/timeline.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace sluice::trace {
namespace {

constexpr std::uint64_t ms = 1'000'000;

ProcessMoments process(std::uint64_t start_ns, std::uint64_t moment_ns,
                       const std::vector<std::uint64_t>& written) {
  ProcessMoments result{.start_ns = start_ns, .moment_ns = moment_ns};
  for (const std::uint64_t bytes : written) result.moments.push_back({bytes, 0, {}});
  return result;
}

std::vector<std::uint64_t> written(const Timeline& timeline) {
  std::vector<std::uint64_t> bytes;
  for (const Moment& moment : timeline.moments) bytes.push_back(moment.written_bytes);
  return bytes;
}

std::unique_ptr<preload::Log> log_of(std::uint64_t moments) {
  auto log = std::make_unique<preload::Log>();
  log->start_ns = 5000 * ms;
  log->moment_ns = 10 * ms;
  log->last_ns = log->start_ns + moments * log->moment_ns - 1;
  return log;
}

TEST(Timeline, IsEmptyWithoutAProcess) { EXPECT_TRUE(timeline_of({}).moments.empty()); }

TEST(Timeline, BeginsWithTheFirstProcess) {
  const std::vector<ProcessMoments> both{process(1030 * ms, 10 * ms, {7, 8}),
                                         process(1000 * ms, 10 * ms, {1, 2})};
  EXPECT_EQ((std::vector<std::uint64_t>{1, 2, 0, 7, 8}), written(timeline_of(both)));
}

TEST(Timeline, HasMomentsAsLongAsTheLongest) {
  const std::vector<ProcessMoments> both{process(0, 10 * ms, {1, 2, 3, 4, 5}),
                                         process(0, 40 * ms, {100})};
  const Timeline timeline = timeline_of(both);
  EXPECT_EQ(40 * ms, timeline.moment_ns);
  EXPECT_EQ((std::vector<std::uint64_t>{110, 5}), written(timeline));
}

TEST(Timeline, IsNeverLongerThanItsLimit) {
  const std::vector<ProcessMoments> both{process(0, 10 * ms, {1}),
                                         process(3'600'000 * ms, 10 * ms, {2, 3})};
  const Timeline timeline = timeline_of(both);
  EXPECT_LE(timeline.moments.size(), max_timeline_moments);
  EXPECT_EQ(1U, timeline.moments.front().written_bytes);
  EXPECT_EQ(5U, timeline.moments.back().written_bytes);
}

TEST(MomentsOfAProcess, EndWithTheLastRecord) {
  EXPECT_EQ(3U, moments_of(*log_of(3), {}).moments.size());
}

TEST(MomentsOfAProcess, AreNeverMoreThanTheLogHas) {
  const auto log = log_of(1);
  log->last_ns += 1'000'000 * ms;
  EXPECT_EQ(preload::max_moments, moments_of(*log, {}).moments.size());
}

TEST(MomentsOfAProcess, AreMissingInAnEmptyLog) {
  EXPECT_TRUE(moments_of(*std::make_unique<preload::Log>(), {}).moments.empty());
}

TEST(MomentsOfAProcess, ScaleTheSamplesToTheWhole) {
  const auto log = log_of(2);
  log->moment(0) = {10, 0, 300, 900 * ms, 100 * ms};
  log->moment(1) = {0, 20, 100, 1000 * ms, 0};
  const ProcessMoments moments =
      moments_of(*log, {.copying_s = 4, .system_s = 1.6, .sleep_s = 0.4});
  EXPECT_DOUBLE_EQ(3, moments.moments[0].time.copying_s);
  EXPECT_DOUBLE_EQ(1, moments.moments[1].time.copying_s);
  EXPECT_DOUBLE_EQ(0.4, moments.moments[0].time.sleep_s);
  EXPECT_DOUBLE_EQ(0.6, moments.moments[0].time.system_s);
  EXPECT_DOUBLE_EQ(1, moments.moments[1].time.system_s);
  EXPECT_EQ(20U, moments.moments[1].read_bytes);
}

}  // namespace
}  // namespace sluice::trace
