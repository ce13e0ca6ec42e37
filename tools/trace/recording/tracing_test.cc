#include "trace/recording/tracing.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

#include "launch/log_folder.h"
#include "testing/scratch_directory.h"
#include "trace/report/report.h"

namespace sluice::trace {
namespace {

constexpr std::size_t stopped_at = offsetof(preload::Log, stopped);

TEST(Stopping, ChangesNothingElseInALog) {
  const testing::ScratchDirectory directory;
  const std::string log = directory.file("1.0.log");
  std::string bytes(stopped_at + 64, 'x');
  testing::make_file(log, bytes);
  tell_to_stop(log);
  constexpr std::uint32_t yes = 1;
  std::memcpy(bytes.data() + stopped_at, &yes, sizeof yes);
  EXPECT_EQ(testing::contents_of(log), bytes);
}

TEST(Stopping, ReachesALogThatIsStillBeingMade) {
  const testing::ScratchDirectory directory;
  const std::string log = directory.file("1.0.log");
  testing::make_file(log, "");
  tell_to_stop(log);
  EXPECT_EQ(testing::contents_of(log).size(), stopped_at + sizeof(std::uint32_t));
}

TEST(ClosedLogFolder, IsNotFoundByItsOldNameAndKeepsItsFiles) {
  std::string closed;
  {
    LogFolder folder;
    const std::string open = folder.path();
    testing::make_file(open + "/1.0.log", "log");
    folder.close_to_processes();
    closed = folder.path();
    EXPECT_FALSE(std::filesystem::exists(open));
    ASSERT_EQ(folder.files().size(), 1u);
    EXPECT_EQ(testing::contents_of(folder.files()[0]), "log");
  }
  EXPECT_FALSE(std::filesystem::exists(closed));
}

TEST(AnEarlyReport, TakesNoFullDiskForTheReason) {
  Profile profile;
  profile.command = {"program"};
  profile.still_runs = true;
  const std::string text = summary_of(profile, {});
  EXPECT_NE(text.find("  nothing was seen: no process has begun a log so far\n"),
            std::string::npos);
  EXPECT_EQ(text.find("TMPDIR"), std::string::npos);
}

}  // namespace
}  // namespace sluice::trace
