// A build without ISA-L, whose records have no checksums. This file is linked before the library's
// src/backend/crc32c.cc, which may have them.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "sluice/journal.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

class JournalWithoutCrc32c : public ::testing::Test {
 protected:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
};

TEST_F(JournalWithoutCrc32c, RefusesFramingAndNamesTheOption) {
  Journal journal;
  const Status status = journal.open(path_);
  EXPECT_EQ(status.code().value(), ENOTSUP);
  EXPECT_NE(status.message().find("framing=length_crc32c"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(JournalWithoutCrc32c, KeepsRawRecords) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.framing = Framing::raw}).ok());
  Journal::Ticket ticket = 0;
  ASSERT_TRUE(journal.append("record", ticket).ok());
  EXPECT_TRUE(journal.commit(ticket).ok());
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(std::filesystem::file_size(path_), 6u);
}

}  // namespace
}  // namespace sluice::testing
