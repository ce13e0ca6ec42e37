#include "bench/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace sluice::bench {
namespace {

TEST(Machine, KnowsTheFileSystemsByTheirNumbers) {
  EXPECT_EQ(filesystem_name(0xef53), "ext4");
  EXPECT_EQ(filesystem_name(0x01021994), "tmpfs");
  EXPECT_EQ(filesystem_name(0x58465342), "xfs");
  EXPECT_EQ(filesystem_name(0x9123683e), "btrfs");
  EXPECT_EQ(filesystem_name(0x794c7630), "overlayfs");
  EXPECT_EQ(filesystem_name(0x6969), "nfs");
  EXPECT_EQ(filesystem_name(0xabcdef), "0xabcdef");
}

TEST(Machine, AsksTheFolderForItsFileSystem) {
  EXPECT_EQ(filesystem_of("/proc"), "0x9fa0");
  EXPECT_THROW(filesystem_of("/no/such/folder"), std::runtime_error);
}

TEST(Machine, FindsItsFacts) {
  const Machine machine = this_machine();
  EXPECT_NE(machine.cpu, "");
  EXPECT_GE(machine.cores, 1u);
  EXPECT_GE(machine.memory_bytes, 1u << 20);
  EXPECT_THAT(machine.kernel, testing::StartsWith("Linux "));
  EXPECT_THAT(machine.libc, testing::StartsWith("glibc 2."));
  EXPECT_THAT(machine.compiler, testing::MatchesRegex("(gcc|clang) [0-9]+\\..*"));
  EXPECT_THAT(machine.transparent_huge_pages,
              testing::AnyOf("always", "madvise", "never", "unknown"));
  EXPECT_THAT(machine.date, testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

}  // namespace
}  // namespace sluice::bench
