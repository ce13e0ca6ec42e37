// Crc32c, in a build with ISA-L and in one without.
#include "sluice/checksum.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

namespace sluice::testing {
namespace {

std::uint32_t crc32c_of(std::string_view text, std::size_t first_bytes) {
  Crc32c checksum;
  checksum.add(std::as_bytes(std::span(text.substr(0, first_bytes))));
  checksum.add({});
  checksum.add(std::as_bytes(std::span(text.substr(first_bytes))));
  return checksum.value();
}

// The check value of the catalogue, and values of RFC 3720.
TEST(Crc32c, AgreesWithPublishedValues) {
  EXPECT_EQ(Crc32c().value(), 0u);
  EXPECT_EQ(crc32c_of("123456789", 4), 0xe3069283u);
  EXPECT_EQ(crc32c_of(std::string(32, '\0'), 32), 0x8a9136aau);
  EXPECT_EQ(crc32c_of(std::string(32, '\xff'), 1), 0x62a8ab43u);
}

}  // namespace
}  // namespace sluice::testing
