#include "trace/profile/exported.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::trace {
namespace {

TEST(FunctionAt, HasTheAddress) {
  std::vector<Exported> all = {{0x1100, 0x1100, "unsized"},
                               {0x1000, 0x1020, "_first", false},
                               {0x1000, 0x1020, "first"},
                               {0x2000, 0x3000, "around"},
                               {0x2100, 0x2120, "inside"}};
  order(all);
  const auto name_at = [&](std::uint64_t address) {
    const Exported* const found = function_at(all, address);
    return found == nullptr ? "" : std::string(found->name);
  };
  EXPECT_EQ(name_at(0xfff), "");
  EXPECT_EQ(name_at(0x1000), "first");
  EXPECT_EQ(name_at(0x101f), "first");
  EXPECT_EQ(name_at(0x1020), "");
  EXPECT_EQ(name_at(0x1fff), "unsized");
  EXPECT_EQ(name_at(0x2110), "inside");
  EXPECT_EQ(name_at(0x2120), "around");
}

const std::vector<Exported> functions = {
    {0x1000, 0x1020, "first"}, {0x1100, 0x1100, "unsized"}, {0x9000, 0x19000, "large"}};

TEST(NameNear, IsOfTheLastFunctionThatBeginsBefore) {
  EXPECT_EQ(name_near(functions, 0x1001), "near first+0x1");
  EXPECT_EQ(name_near(functions, 0x10ff), "near first+0xff");
  EXPECT_EQ(name_near(functions, 0x1100), "near unsized+0x0");
  EXPECT_EQ(name_near(functions, 0x18fff), "near large+0xffff");
}

TEST(NameNear, IsNothingBeforeTheFirstFunction) {
  EXPECT_EQ(name_near(functions, 0xfff), "");
  EXPECT_EQ(name_near({}, 0xfff), "");
}

TEST(NameNear, IsNothingFarFromTheEndOfAFunction) {
  EXPECT_EQ(name_near(functions, 0x50ff), "near unsized+0x3fff");
  EXPECT_EQ(name_near(functions, 0x5100), "");
  EXPECT_EQ(name_near(functions, 0x1cfff), "near large+0x13fff");
  EXPECT_EQ(name_near(functions, 0x1d000), "");
}

}  // namespace
}  // namespace sluice::trace
