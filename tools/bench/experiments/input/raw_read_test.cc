// The files of the limits.
#include "bench/experiments/input/raw_read.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "testing/scratch_directory.h"

namespace sluice::bench {
namespace {

TEST(RawFile, ThatItMakesMayBeReadAndWrittenByItsOwner) {
  using enum std::filesystem::perms;
  const testing::ScratchDirectory directory;
  const mode_t mask_before = ::umask(022);
  for (int i = 0; i < 10; ++i) {  // without a mode the permissions differ
    const std::string path = directory.file("made" + std::to_string(i));
    const RawFile file(path, O_RDWR | O_CREAT | O_TRUNC);
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              owner_read | owner_write | group_read | others_read);
  }
  ::umask(mask_before);
}

}  // namespace
}  // namespace sluice::bench
