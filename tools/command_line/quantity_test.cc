#include "command_line/quantity.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Quantity, ReadsPlainNumbersAndSuffixes) {
  EXPECT_EQ(parse_quantity("1"), 1u);
  EXPECT_EQ(parse_quantity("64K"), 65536u);
  EXPECT_EQ(parse_quantity("64k"), 65536u);
  EXPECT_EQ(parse_quantity("512M"), 536870912u);
  EXPECT_EQ(parse_quantity("1G"), 1073741824u);
  EXPECT_EQ(parse_quantity("2T"), 2199023255552u);
}

TEST(Quantity, RefusesTextThatIsNotAPositiveNumber) {
  for (const char* text : {"", "0", "0M", "-1", "+1", "-1M", "1.5G", "M", "ten", "1X", "1MB", "1 M",
                           " 1", "1M ", "0x10", "1e6", "NaN"}) {
    EXPECT_FALSE(parse_quantity(text)) << "'" << text << "'";
  }
}

TEST(Quantity, RefusesNumbersThatDoNotFit) {
  EXPECT_EQ(parse_quantity("9223372036854775807"), 9223372036854775807u);
  EXPECT_FALSE(parse_quantity("9223372036854775808"));
  EXPECT_FALSE(parse_quantity("99999999999999999999"));
  EXPECT_EQ(parse_quantity("8388607T"), 8388607u * 1099511627776u);
  EXPECT_FALSE(parse_quantity("8388608T"));
}

TEST(Quantity, WritesBytesForPeople) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(1), "1 byte");
  EXPECT_EQ(format_bytes(1023), "1023 bytes");
  EXPECT_EQ(format_bytes(512u << 20), "512 MiB");
  EXPECT_EQ(format_bytes(3u << 29), "1.5 GiB");
  EXPECT_EQ(format_bytes_short(100), "100");
  EXPECT_EQ(format_bytes_short(256 * 1024), "256K");
  EXPECT_EQ(format_bytes_short(3u << 19), "1.5M");
}

TEST(Quantity, GroupsTheDigitsOfACount) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(536870912), "536,870,912");
  EXPECT_EQ(format_count(1, "call"), "1 call");
  EXPECT_EQ(format_count(1000, "call"), "1,000 calls");
  EXPECT_EQ(format_count(2, "process", "es"), "2 processes");
}

}  // namespace
}  // namespace sluice
