#include "trace/profile/machine_code.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace sluice::trace {
namespace {

using Code = std::vector<unsigned char>;

Code operator+(Code a, const Code& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Code of_4 = {0xba, 4, 0, 0, 0};  // mov $0x4,%edx
const Code call = {0xe8, 1, 2, 3, 4};

TEST(MachineCode, HasTheConstantBeforeTheCall) {
  EXPECT_EQ(third_argument_before(of_4 + call), 4U);
  EXPECT_EQ(third_argument_before(Code{0xba, 0x34, 0x12, 0, 0} + call), 0x1234U);
  EXPECT_EQ(third_argument_before(of_4 + Code{0xff, 0x15, 1, 2, 3, 4}), 4U) << "by way of a table";
}

TEST(MachineCode, MayHaveMovesOfOtherArgumentsBeforeTheCall) {
  for (const Code& move : std::initializer_list<Code>{
           {0x4c, 0x89, 0xe6},                          // mov %r12,%rsi
           {0x48, 0x89, 0xef},                          // mov %rbp,%rdi
           {0x48, 0x8d, 0x74, 0x24, 0x0c},              // lea 0xc(%rsp),%rsi
           {0x48, 0x8d, 0xb4, 0x24, 0x90, 1, 0, 0},     // lea 0x190(%rsp),%rsi
           {0x48, 0x8d, 0x75, 0xdc},                    // lea -0x24(%rbp),%rsi
           {0x48, 0x8d, 0xbd, 0xd0, 0xfd, 0xff, 0xff},  // lea -0x230(%rbp),%rdi
           {0x48, 0x8b, 0x3d, 1, 2, 3, 4},              // mov 0x4030201(%rip),%rdi
           {0x49, 0x8b, 0x7d, 8},                       // mov 0x8(%r13),%rdi
           {0xc7, 0x44, 0x24, 0x34, 0, 0, 0, 0},        // movl $0x0,0x34(%rsp)
           {0x48, 0xc7, 0x44, 0x24, 0x38, 0, 0, 0, 0},  // movq $0x0,0x38(%rsp)
           {0x66, 0xc7, 0x44, 0x24, 0x38, 0, 0},        // movw $0x0,0x38(%rsp)
           {0x66, 0x89, 0x44, 0x24, 0x32},              // mov %ax,0x32(%rsp)
           {0x31, 0xc0},                                // xor %eax,%eax
           {0x44, 0x8b, 0x6c, 0x24, 0x34},              // mov 0x34(%rsp),%r13d
           {0x49, 0x89, 0xd2},                          // mov %rdx,%r10
           {0x44, 0x0f, 0xb7, 0x74, 0x24, 0x32}}) {     // movzwl 0x32(%rsp),%r14d
    EXPECT_EQ(third_argument_before(of_4 + move + call), 4U) << int(move[2]);
    EXPECT_EQ(third_argument_before(of_4 + move + move + call), 4U) << int(move[2]);
  }
}

// A program reads a length of 4 bytes, and then so many bytes.
TEST(MachineCode, HasNoConstantOfAnotherCall) {
  const Code loads_length = {0x8b, 0x54, 0x24, 0x0c};  // mov 0xc(%rsp),%edx
  const Code moves = {0x48, 0x89, 0xee, 0x48, 0x89, 0xdf};
  EXPECT_EQ(third_argument_before(of_4 + moves + call + loads_length + moves + call), std::nullopt);
  EXPECT_EQ(third_argument_before(of_4 + call + moves + call), std::nullopt);
  EXPECT_EQ(third_argument_before(of_4 + moves + call + Code{0xba, 9, 0, 0, 0} + call), 9U);
}

TEST(MachineCode, HasNoConstantIfTheProgramComputesIt) {
  EXPECT_EQ(third_argument_before(Code{0x48, 0x89, 0xda} + call), std::nullopt);
  EXPECT_EQ(third_argument_before(of_4 + Code{0x48, 0x89, 0xda} + call), std::nullopt)
      << "mov %rbx,%rdx";
  EXPECT_EQ(third_argument_before(of_4 + Code{0x48, 0x8b, 0x55, 8} + call), std::nullopt)
      << "mov 0x8(%rbp),%rdx";
  EXPECT_EQ(third_argument_before(of_4 + Code{0x31, 0xd2} + call), std::nullopt) << "xor %edx,%edx";
  EXPECT_EQ(third_argument_before(of_4 + Code{0x0f, 0xb6, 0x55, 8} + call), std::nullopt)
      << "movzbl 0x8(%rbp),%edx";
  EXPECT_EQ(third_argument_before(of_4 + Code{0xf7, 0xda} + call), std::nullopt) << "neg %edx";
  EXPECT_EQ(third_argument_before(Code{0x41} + of_4 + call), std::nullopt) << "mov $0x4,%r10d";
  EXPECT_EQ(third_argument_before(Code{0xba, 4, 0, 1, 0} + call), std::nullopt) << "a large number";
  EXPECT_EQ(third_argument_before(of_4), std::nullopt) << "no call";
  EXPECT_EQ(third_argument_before(of_4 + Code{0x48, 0x8d}), std::nullopt) << "cut off";
  EXPECT_EQ(third_argument_before(Code{}), std::nullopt);
}

}  // namespace
}  // namespace sluice::trace
