// Bytes: owned memory that is not filled with zeros.
#include "sluice/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"

namespace sluice::testing {
namespace {

void fill(Bytes& bytes, const std::string& contents) {
  ASSERT_TRUE(bytes.resize(contents.size()));
  if (!contents.empty()) std::memcpy(bytes.data(), contents.data(), contents.size());
}

TEST(Bytes, StartsEmptyWithoutMemory) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  {
    const Bytes bytes;
    EXPECT_TRUE(bytes.empty());
    EXPECT_EQ(bytes.size(), 0u);
    EXPECT_EQ(bytes.capacity(), 0u);
    EXPECT_EQ(bytes.text(), "");
  }
  EXPECT_EQ(calls.total(), 0u);
}

TEST(Bytes, KeepsItsContentsWhileItGrows) {
  Bytes bytes;
  std::string expected;
  for (std::size_t size = 1; size < 20'000'000; size = size * 3 + 1) {
    const std::size_t before = bytes.size();
    ASSERT_TRUE(bytes.resize(size));
    EXPECT_EQ(bytes.size(), size);
    EXPECT_GE(bytes.capacity(), size);
    EXPECT_TRUE(bytes.text().substr(0, before) == expected) << size;
    expected = pattern(0, size);
    std::memcpy(bytes.data(), expected.data(), size);
  }
  EXPECT_TRUE(bytes.text() == expected);
}

TEST(Bytes, KeepsItsFirstBytesWhenItShrinksAndItsMemory) {
  Bytes bytes;
  fill(bytes, pattern(0, 10'000));
  const std::byte* memory = bytes.data();
  const std::size_t capacity = bytes.capacity();
  ASSERT_TRUE(bytes.resize(100));
  EXPECT_EQ(bytes.text(), pattern(0, 100));
  bytes.clear();
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(bytes.capacity(), capacity);
  ASSERT_TRUE(bytes.resize(10'000));
  EXPECT_EQ(bytes.data(), memory);
  EXPECT_TRUE(bytes.text() == pattern(0, 10'000))
      << "the memory must hold its old bytes, not zeros";
}

TEST(Bytes, ReservesWithoutChangingItsSize) {
  Bytes bytes;
  fill(bytes, "some");
  ASSERT_TRUE(bytes.reserve(5'000'000));
  EXPECT_GE(bytes.capacity(), 5'000'000u);
  EXPECT_EQ(bytes.text(), "some");
  const std::byte* memory = bytes.data();
  ASSERT_TRUE(bytes.reserve(1));
  ASSERT_TRUE(bytes.resize(5'000'000));
  EXPECT_EQ(bytes.data(), memory) << "the reserved memory was not used";
}

TEST(Bytes, MovesItsMemory) {
  Bytes first;
  fill(first, "first");
  Bytes second;
  fill(second, "second");
  const std::byte* memory = first.data();
  second = std::move(first);
  EXPECT_EQ(second.text(), "first");
  EXPECT_EQ(second.data(), memory);
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.capacity(), 0u);
  ASSERT_TRUE(first.resize(10)) << "of use again";
  const Bytes third(std::move(second));
  EXPECT_EQ(third.text(), "first");
}

TEST(Bytes, ReportsMissingMemoryAndKeepsItsBytes) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Bytes bytes;
  fill(bytes, "some");
  const std::size_t capacity = bytes.capacity();
  for (const Call kind : {Call::map_memory, Call::remap_memory}) {
    calls.fail(kind, 1, ENOMEM, Repeat::for_ever);
  }
  EXPECT_FALSE(bytes.resize(100'000'000));
  EXPECT_FALSE(bytes.reserve(100'000'000));
  EXPECT_FALSE(bytes.reserve(SIZE_MAX));
  EXPECT_FALSE(bytes.resize(SIZE_MAX - 1));
  EXPECT_EQ(bytes.text(), "some");
  EXPECT_EQ(bytes.capacity(), capacity);
  Bytes none;
  EXPECT_FALSE(none.resize(100'000'000));
  EXPECT_TRUE(none.empty());
}

TEST(Bytes, GivesAllItsMemoryBack) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  {
    Bytes bytes;
    for (std::size_t size = 1; size < 100'000'000; size *= 10) ASSERT_TRUE(bytes.resize(size));
    Bytes other;
    ASSERT_TRUE(other.resize(1'000));
    bytes = std::move(other);
  }
  std::uint64_t mapped = 0;
  for (const CallRecord& record : calls.records(Call::map_memory)) mapped = record.bytes;
  for (const CallRecord& record : calls.records(Call::remap_memory)) mapped = record.bytes;
  const std::vector<CallRecord> unmaps = calls.records(Call::unmap);
  ASSERT_EQ(unmaps.size(), 1u);
  EXPECT_EQ(unmaps[0].bytes, mapped);
  EXPECT_EQ(unmaps[0].result, 0);
}

// The origin of memory depends on its size. The test crosses each bound in every direction.
TEST(Bytes, GrowsFromEverySizeToEverySizeAroundPowersOfTwo) {
  std::vector<std::size_t> sizes;
  for (std::size_t power = 1024; power <= 1 << 24; power *= 2) {
    for (const std::size_t size : {power - 4096, power - 4095, power - 1, power, power + 1}) {
      if (size > 0 && size < 1 << 25) sizes.push_back(size);
    }
  }
  for (const std::size_t from : sizes) {
    for (const std::size_t to : {from, from + 1, from + 4096, from * 2 + 1}) {
      FaultySystemCalls calls;
      const os::ScopedSystemCalls in_place(calls);
      {
        Bytes bytes;
        ASSERT_TRUE(bytes.reserve(from)) << from;
        ASSERT_TRUE(bytes.resize(from)) << from;
        bytes.data()[0] = bytes.data()[from - 1] = std::byte{'x'};
        ASSERT_TRUE(bytes.resize(to)) << from << " to " << to;
        ASSERT_EQ(bytes.data()[0], std::byte{'x'});
        ASSERT_EQ(bytes.data()[from - 1], std::byte{'x'});
        bytes.data()[to - 1] = std::byte{'y'};
      }
      for (const CallRecord& record : calls.records()) {
        ASSERT_GE(record.result, 0) << from << " to " << to << "\n" << calls.log();
      }
      ASSERT_EQ(calls.count(Call::map_memory), calls.count(Call::unmap)) << from << " to " << to;
    }
  }
}

}  // namespace
}  // namespace sluice::testing
