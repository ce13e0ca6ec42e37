#include "sluice/xxh3.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "testing/pattern.h"

namespace sluice::testing {
namespace {

std::uint64_t hash_of(std::string_view text, std::size_t piece_bytes) {
  Xxh3 hash;
  for (; !text.empty(); text.remove_prefix(std::min(piece_bytes, text.size()))) {
    hash.add(std::as_bytes(std::span(text.substr(0, piece_bytes))));
  }
  return hash.value();
}

// The values that `xxhsum -H3` gives.
TEST(Xxh3, AgreesWithPublishedValues) {
  EXPECT_EQ(hash_of("", 1), 0x2d06800538d394c2u);
  EXPECT_EQ(hash_of("abc", 3), 0x78af5f94892f3950u);
}

TEST(Xxh3, IsTheSameHoweverTheBytesCome) {
  const std::string bytes = pattern(0, 100'000);
  const std::uint64_t whole = hash_of(bytes, bytes.size());
  for (const std::size_t piece : {1u, 7u, 1'024u, 65'536u}) EXPECT_EQ(hash_of(bytes, piece), whole);
  EXPECT_NE(hash_of(bytes.substr(1), 100'000), whole);
}

TEST(Xxh3, TakesMoreBytesAfterAnEarlierResult) {
  Xxh3 hash;
  const Xxh3 copy_of_nothing = hash;
  hash.add(std::as_bytes(std::span("a", 1)));
  EXPECT_NE(hash.value(), copy_of_nothing.value());
  hash.add(std::as_bytes(std::span("bc", 2)));
  EXPECT_EQ(hash.value(), 0x78af5f94892f3950u);
}

}  // namespace
}  // namespace sluice::testing
