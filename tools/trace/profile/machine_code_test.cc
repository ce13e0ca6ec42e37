#include "trace/profile/machine_code.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::trace {
namespace {

using Code = std::vector<unsigned char>;

constexpr unsigned char mov = 0xba;

TEST(MachineCode, HasTheConstantBeforeTheCall) {
  const Code code = {0x90, mov, 4, 0, 0, 0, 0x4c, 0x89, 0xe6, 0x48, 0x89, 0xef, 0xe8, 1, 2, 3, 4};
  EXPECT_EQ(third_argument_before(code), 4U);
  const Code large = {mov, 0x34, 0x12, 0, 0};
  EXPECT_EQ(third_argument_before(large), 0x1234U);
}

TEST(MachineCode, HasTheLastConstantOfSeveral) {
  const Code code = {mov, 7, 0, 0, 0, mov, 2, 0, 0, 0, 0xe8, 0, 0, 0, 0};
  EXPECT_EQ(third_argument_before(code), 2U);
}

TEST(MachineCode, HasNoConstantIfTheProgramComputesIt) {
  EXPECT_EQ(third_argument_before(Code{0x48, 0x89, 0xda, 0xe8, 0, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(third_argument_before(Code{mov, 4, 0, 1, 0}), std::nullopt) << "a large number";
  EXPECT_EQ(third_argument_before(Code{mov, 4, 0, 0}), std::nullopt) << "cut off";
  EXPECT_EQ(third_argument_before(Code{}), std::nullopt);
}

}  // namespace
}  // namespace sluice::trace
