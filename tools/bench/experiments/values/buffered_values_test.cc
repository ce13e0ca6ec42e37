// With every HandOver each value arrives once and in order, and no failure is lost.
#include "bench/experiments/values/buffered_values.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sluice::bench {
namespace {

template <typename HandOver>
class HandOvers : public ::testing::Test {};
using AllHandOvers = ::testing::Types<SameThread, NewThread, LastingThread>;
TYPED_TEST_SUITE(HandOvers, AllHandOvers);

TYPED_TEST(HandOvers, GiveEveryValueOnceAndInOrder) {
  constexpr std::size_t buffer_values = 16;
  for (const std::uint64_t count : {0U, 1U, 15U, 16U, 17U, 32U, 1000U}) {
    std::vector<std::uint64_t> found;
    BufferedValues<TypeParam> values(
        [&](const void* data, std::size_t bytes) {
          const auto* first = static_cast<const std::uint64_t*>(data);
          found.insert(found.end(), first, first + bytes / sizeof(std::uint64_t));
        },
        buffer_values * sizeof(std::uint64_t));
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < count; ++i) {
      values.add(i * i);
      expected.push_back(i * i);
    }
    values.finish();
    EXPECT_EQ(found, expected);
  }
}

TYPED_TEST(HandOvers, ReportAFailedWrite) {
  int writes = 0;
  BufferedValues<TypeParam> values(
      [&](const void*, std::size_t) {
        if (++writes == 2) throw std::runtime_error("the second write failed");
      },
      2 * sizeof(std::uint64_t));
  EXPECT_THROW(
      {
        for (std::uint64_t i = 0; i < 10; ++i) values.add(i);
        values.finish();
      },
      std::runtime_error);
}

TYPED_TEST(HandOvers, ReportAFailureOfTheLastWrite) {
  BufferedValues<TypeParam> values(
      [](const void*, std::size_t) { throw std::runtime_error("the write failed"); },
      2 * sizeof(std::uint64_t));
  values.add(1);
  EXPECT_THROW(values.finish(), std::runtime_error);
}

}  // namespace
}  // namespace sluice::bench
