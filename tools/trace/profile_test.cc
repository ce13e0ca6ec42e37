// Records that are damaged or cut short: what they have is shown, and nothing beyond it is read.
#include "trace/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include "testing/scratch_directory.h"
#include "trace/call_costs.h"
#include "trace/symbols.h"

namespace sluice::trace {
namespace {

class DamagedRecord : public ::testing::Test {
 protected:
  DamagedRecord() : record_(std::make_unique<preload::Record>()) {
    record_->magic = preload::trace_magic;
    record_->process = 42;
    record_->usages = 1;
    record_->usage[1].file = 1;
    record_->usage[1].call = preload::Call::write;
    record_->usage[1].slow_calls = 3;
    std::copy_n("?/tmp/file", 11, record_->texts);
    record_->file[1].name = 1;
  }

  Profile profile_of_record(std::size_t bytes = sizeof(preload::Record)) {
    testing::make_file(path_, {reinterpret_cast<const char*>(record_.get()), bytes});
    Profile profile;
    add_record(profile, path_, costs_, symbols_);
    return profile;
  }

  testing::ScratchDirectory directory_;
  const std::string path_ = directory_.file("record");
  CallCosts costs_;
  Symbols symbols_;
  std::unique_ptr<preload::Record> record_;
};

TEST_F(DamagedRecord, IsShownAsItIsWhenItIsWhole) {
  const Profile profile = profile_of_record();
  ASSERT_EQ(profile.uses.size(), 1u);
  EXPECT_EQ(profile.uses[0].amount.calls, 3u);
  EXPECT_EQ(profile.files[0].name, "/tmp/file");
  EXPECT_TRUE(profile.problems.empty());
}

TEST_F(DamagedRecord, HasNoNamesBeyondItsText) {
  record_->file[1].name = preload::text_bytes;
  record_->modules = 1;
  record_->module[0] = {.begin = 0, .end = 1, .bias = 0, .name = 0xffffffff, .unused = 0};
  EXPECT_EQ(profile_of_record().files[0].name, "(unknown)");
}

TEST_F(DamagedRecord, HasTextsThatEndWhereTheRecordDoes) {
  std::fill(std::begin(record_->texts), std::end(record_->texts), 'x');
  std::fill(std::begin(record_->program), std::end(record_->program), 'y');
  record_->file[1].name = preload::text_bytes - 5;
  record_->modules = 1;
  record_->module[0].name = preload::text_bytes - 1;
  const Profile profile = profile_of_record();
  EXPECT_EQ(profile.files[0].name, "xxxxx");
  EXPECT_EQ(profile.processes[0].program, std::string(sizeof record_->program, 'y'));
}

TEST_F(DamagedRecord, CountsCallsThatAreNoneAsOthers) {
  record_->usage[1].call = static_cast<preload::Call>(250);
  EXPECT_EQ(profile_of_record().uses[0].call, preload::Call::other);
}

TEST_F(DamagedRecord, GivesWhatItHasWhereverItIsCutShort) {
  using preload::Record;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{7}, offsetof(Record, module) - 1}) {
    const Profile profile = profile_of_record(bytes);
    EXPECT_TRUE(profile.processes.empty());
    EXPECT_EQ(profile.problems.size(), 1u);
  }
  for (const std::size_t bytes : {offsetof(Record, module), offsetof(Record, usage) + 400,
                                  offsetof(Record, texts), sizeof(Record) - 1}) {
    const Profile profile = profile_of_record(bytes);
    EXPECT_EQ(profile.processes.at(0).number, 42);
    EXPECT_EQ(profile.problems.size(), 1u);
  }
}

}  // namespace
}  // namespace sluice::trace
