// The memory of parts: who uses it again, and when the kernel gets it back.
#include "object/part_pool.h"

#include <arrow/filesystem/filesystem.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "object/object_sink.h"
#include "object/object_uri.h"
#include "sluice/writer.h"
#include "testing/fake_store.h"
#include "testing/process_facts.h"

namespace sluice::testing {
namespace {

using object::part_bytes;
using object::PartPool;

constexpr std::int64_t bytes_of_part = part_bytes;

std::uint8_t* take(arrow::MemoryPool& pool, std::int64_t bytes = bytes_of_part) {
  std::uint8_t* memory = nullptr;
  EXPECT_TRUE(pool.Allocate(bytes, &memory).ok());
  std::memset(memory, 'x', static_cast<std::size_t>(bytes));
  return memory;
}

void give_back(arrow::MemoryPool& pool, std::uint8_t* part) { pool.Free(part, bytes_of_part); }

bool is_mapped(const std::uint8_t* memory) {
  unsigned char is_resident = 0;
  return ::mincore(const_cast<std::uint8_t*>(memory), 1, &is_resident) == 0;
}

TEST(PartPool, UsesMemoryAgainWhileASinkIsOpen) {
  PartPool pool;
  pool.keep(2);
  std::uint8_t* const first = take(pool);
  std::uint8_t* const second = take(pool);
  give_back(pool, first);
  give_back(pool, second);
  EXPECT_TRUE(is_mapped(first) && is_mapped(second));
  EXPECT_EQ(take(pool), second);
  EXPECT_EQ(take(pool), first);
  EXPECT_EQ(pool.bytes_allocated(), 2 * bytes_of_part);
  EXPECT_EQ(pool.total_bytes_allocated(), 4 * bytes_of_part);
  EXPECT_EQ(pool.num_allocations(), 4);
  give_back(pool, first);
  give_back(pool, second);
  pool.release(2);
}

TEST(PartPool, GivesBackWhatNoOpenSinkNeeds) {
  PartPool pool;
  pool.keep(2);
  pool.keep(1);
  std::uint8_t* const parts[] = {take(pool), take(pool), take(pool), take(pool)};
  give_back(pool, parts[0]);
  EXPECT_FALSE(is_mapped(parts[0])) << "three parts may stay, and three are in use";
  give_back(pool, parts[1]);
  give_back(pool, parts[2]);
  EXPECT_TRUE(is_mapped(parts[1]) && is_mapped(parts[2]));
  pool.release(2);
  EXPECT_FALSE(is_mapped(parts[1]) || is_mapped(parts[2])) << "one part is in use";
  pool.release(1);
  EXPECT_TRUE(is_mapped(parts[3]));
  give_back(pool, parts[3]);
  EXPECT_FALSE(is_mapped(parts[3]));
}

TEST(PartPool, KeepsTheBytesOfMemoryThatGrowsOrShrinks) {
  PartPool parts;
  arrow::MemoryPool& pool = parts;
  std::uint8_t* memory = take(pool, 1000);
  std::int64_t old_bytes = 1000;
  for (const std::int64_t bytes : {bytes_of_part, 2 * bytes_of_part, bytes_of_part, 64L, 0L}) {
    ASSERT_TRUE(pool.Reallocate(old_bytes, bytes, &memory).ok());
    for (std::int64_t at = 0; at < std::min<std::int64_t>(bytes, 64); ++at) {
      ASSERT_EQ(memory[at], 'x');
    }
    EXPECT_EQ(pool.bytes_allocated(), bytes);
    old_bytes = bytes;
  }
  pool.Free(memory, 0);
}

TEST(PartPool, IsThePoolOfS3) {
  object::ObjectUri uri;
  object::Place place;
  ASSERT_TRUE(
      object::parse_uri("s3://bucket/name?region=x&scheme=http&endpoint_override=127.0.0.1:1", uri)
          .ok());
  ASSERT_TRUE(object::find_place(uri, place).ok());
  EXPECT_EQ(place.file_system->io_context().pool(), &object::part_pool());
}

TEST(PartPool, KeepsThePartsOfASinkUntilTheSinkIsClosed) {
  FakeStore store;
  for (const bool is_left : {false, true}) {
    std::unique_ptr<Sink> sink;
    ASSERT_TRUE(
        object::open_sink(store.place(object::Staging::upload), {.parts_in_flight = 1}, sink).ok());
    Writer writer;
    ASSERT_TRUE(writer.open(std::move(sink)).ok());
    std::uint8_t* const part = take(object::part_pool());
    give_back(object::part_pool(), part);
    EXPECT_TRUE(is_mapped(part));
    EXPECT_TRUE((is_left ? writer.discard() : writer.close()).ok());
    EXPECT_FALSE(is_mapped(part));
  }
}

// A thread of the parent may have locked the pool when the child was made.
TEST(PartPool, IsLeftAloneInAForkedChild) {
  std::optional<object::KeptParts> kept(1);
  std::uint8_t* const part = take(object::part_pool());
  give_back(object::part_pool(), part);
  EXPECT_EQ(exit_code_of_child([&] {
              kept.reset();
              ::_exit(is_mapped(part) ? 0 : 1);
            }),
            0);
  kept.reset();
  EXPECT_FALSE(is_mapped(part));
}

}  // namespace
}  // namespace sluice::testing
