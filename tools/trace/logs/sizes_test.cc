#include "preload/trace/sizes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace sluice::preload {

// In place of those of recorder.cc: the sequence lies in memory of the test.
bool has_room(const void* data, std::size_t bytes);
void* map_new_file(const char* folder, const char* kind, std::size_t bytes, std::size_t first_bytes,
                   void* parents);
bool has_room(const void*, std::size_t) { return true; }
void* map_new_file(const char*, const char*, std::size_t bytes, std::size_t, void* parents) {
  std::free(parents);
  return std::calloc(1, bytes);
}

namespace {

TEST(Sizes, OfMoreThanFourGigabytesAreLost) {
  constexpr std::uint64_t most = UINT32_MAX;
  begin_sizes("");
  add_sizes(most, 1);
  add_sizes(most + 1, 1);
  add_sizes(1, most + 1);
  EXPECT_EQ(sizes->used, 1U);
  EXPECT_EQ(sizes->writes[0].bytes, most);
  EXPECT_EQ(sizes->lost, most + 2);
  begin_sizes("");
  EXPECT_EQ(sizes->used, 0U);
}

}  // namespace
}  // namespace sluice::preload
