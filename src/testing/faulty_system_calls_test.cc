// The faults that other tests order are the faults that happen.
#include "testing/faulty_system_calls.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <cerrno>
#include <string>

#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

class FaultySystemCallsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(path_, "0123456789");
    descriptor_ = static_cast<int>(calls_.open(path_.c_str(), O_RDWR, 0));
    ASSERT_GE(descriptor_, 0);
    calls_.forget_records();
  }
  void TearDown() override { calls_.close(descriptor_); }

  os::CallResult pread(std::size_t bytes) {
    return calls_.pread(descriptor_, room_.data(), bytes, 0);
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("file");
  FaultySystemCalls calls_;
  int descriptor_ = -1;
  std::array<char, 100> room_{};
};

TEST_F(FaultySystemCallsTest, PassesEveryCallOnWithoutAnOrder) {
  EXPECT_EQ(pread(4), 4);
  EXPECT_EQ(std::string(room_.data(), 4), "0123");
  EXPECT_EQ(calls_.count(Call::pread), 1u);
  EXPECT_EQ(calls_.total(), 1u);
  EXPECT_EQ(calls_.open("/missing/file", O_RDONLY, 0), -ENOENT);
  EXPECT_EQ(calls_.records(Call::open).at(0).path, "/missing/file");
  EXPECT_TRUE(calls_.injected().empty());
}

TEST_F(FaultySystemCallsTest, TruncatesAndLocksUnlessOrderedOtherwise) {
  EXPECT_EQ(calls_.truncate(descriptor_, 4), 0);
  EXPECT_EQ(calls_.records(Call::truncate).at(0).position, 4u);
  EXPECT_EQ(contents_of(path_), "0123");
  const int other = static_cast<int>(calls_.open(path_.c_str(), O_RDWR, 0));
  EXPECT_EQ(calls_.lock(descriptor_), 0);
  EXPECT_EQ(calls_.lock(other), -EWOULDBLOCK);
  EXPECT_EQ(calls_.unlock(descriptor_), 0);
  calls_.fail_any(1, EIO, Repeat::for_ever);
  EXPECT_EQ(calls_.truncate(descriptor_, 0), -EIO);
  EXPECT_EQ(calls_.lock(other), -EIO);
  EXPECT_EQ(calls_.unlock(other), -EIO);
  EXPECT_EQ(contents_of(path_), "0123");
  EXPECT_EQ(calls_.close(other), -EIO);
}

TEST_F(FaultySystemCallsTest, FailsTheNthCallOnce) {
  calls_.fail(Call::pread, 2, EIO);
  EXPECT_EQ(pread(1), 1);
  EXPECT_EQ(calls_.fdatasync(descriptor_), 0) << "another kind does not count";
  EXPECT_EQ(pread(1), -EIO);
  EXPECT_EQ(pread(1), 1);
  EXPECT_EQ(calls_.injected(), std::vector<Call>{Call::pread});
}

TEST_F(FaultySystemCallsTest, FailsTheNthCallAndAllLater) {
  calls_.fail(Call::pread, 2, EIO, Repeat::for_ever);
  EXPECT_EQ(pread(1), 1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pread(1), -EIO);
  EXPECT_EQ(calls_.fdatasync(descriptor_), 0);
}

TEST_F(FaultySystemCallsTest, FailsTheNthCallOfAnyKind) {
  calls_.fail_any(2, ENOSPC);
  EXPECT_EQ(pread(1), 1);
  EXPECT_EQ(calls_.is_terminal(descriptor_), 0) << "cannot fail, does not count";
  EXPECT_EQ(calls_.fdatasync(descriptor_), -ENOSPC);
  EXPECT_EQ(pread(1), 1);
  EXPECT_EQ(calls_.count_that_can_fail(), 3u);
}

TEST_F(FaultySystemCallsTest, ShortensTransfers) {
  calls_.limit_transfers(3);
  EXPECT_EQ(pread(10), 3);
  std::string first = "ab";
  std::string second = "cdef";
  const std::array<iovec, 2> pieces = {{{first.data(), 2}, {second.data(), 4}}};
  EXPECT_EQ(calls_.pwritev(descriptor_, pieces.data(), 2, 0), 3);
  EXPECT_EQ(contents_of(path_), "abc3456789");
  FaultySystemCalls halving;
  halving.halve_transfers();
  EXPECT_EQ(halving.pwritev(descriptor_, pieces.data(), 2, 4), 3);
  EXPECT_EQ(contents_of(path_), "abc3abc789");
  EXPECT_EQ(halving.pread(descriptor_, room_.data(), 1, 0), 1) << "a byte is not halved";
}

TEST_F(FaultySystemCallsTest, InterruptsEveryCallOnceBeforeItGoesThrough) {
  calls_.interrupt_every_call();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(pread(1), -EINTR);
    EXPECT_EQ(pread(1), 1);
    EXPECT_EQ(calls_.fdatasync(descriptor_), -EINTR);
    EXPECT_EQ(calls_.fdatasync(descriptor_), 0);
  }
}

TEST_F(FaultySystemCallsTest, InterruptsTheTakingOfASignalButFailsNoSignalCall) {
  calls_.interrupt_every_call();
  calls_.fail_any(1, EIO, Repeat::for_ever);
  bool was_blocked = true;
  EXPECT_EQ(calls_.block_signal(SIGPIPE, was_blocked), 0);
  EXPECT_FALSE(was_blocked);
  ::raise(SIGPIPE);
  EXPECT_EQ(calls_.is_signal_waiting(SIGPIPE), 1);
  EXPECT_EQ(calls_.take_signal(SIGPIPE), -EINTR);
  EXPECT_EQ(calls_.take_signal(SIGPIPE), SIGPIPE);
  EXPECT_EQ(calls_.is_signal_waiting(SIGPIPE), 0);
  EXPECT_EQ(calls_.unblock_signal(SIGPIPE), 0);
}

TEST_F(FaultySystemCallsTest, ReleasesTheDescriptorOfACloseThatFails) {
  calls_.fail(Call::close, 1, EIO);
  const long other = calls_.open(path_.c_str(), O_RDONLY, 0);
  EXPECT_EQ(calls_.close(static_cast<int>(other)), -EIO);
  EXPECT_EQ(calls_.close(static_cast<int>(other)), -EBADF);
}

TEST_F(FaultySystemCallsTest, PretendsToWrite) {
  calls_.pretend_to_write();
  std::string bytes = "abc";
  const iovec piece{bytes.data(), 3};
  EXPECT_EQ(calls_.pwritev(descriptor_, &piece, 1, 0), 3);
  EXPECT_EQ(calls_.writev(descriptor_, &piece, 1), 3);
  EXPECT_EQ(contents_of(path_), "0123456789");
}

TEST_F(FaultySystemCallsTest, RunsAnActionOnceBeforeTheCallWithTheNumber) {
  std::size_t calls_before = 0;
  int times = 0;
  calls_.act_before(3, [&] {
    ++times;
    calls_before = calls_.total();
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(pread(1), 1);
  EXPECT_EQ(times, 1);
  EXPECT_EQ(calls_before, 2u);
}

TEST_F(FaultySystemCallsTest, IsInPlaceForItsScope) {
  os::SystemCalls& before = os::calls();
  {
    const os::ScopedSystemCalls in_place(calls_);
    EXPECT_EQ(&os::calls(), &calls_);
    FaultySystemCalls inner;
    {
      const os::ScopedSystemCalls inner_in_place(inner);
      EXPECT_EQ(&os::calls(), &inner);
    }
    EXPECT_EQ(&os::calls(), &calls_);
  }
  EXPECT_EQ(&os::calls(), &before);
}

}  // namespace
}  // namespace sluice::testing
