// GroupCommit in every schedule with few deviations: the result of each commit is true, every
// thread learns of a failure, and no thread waits for ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "backend/crc32c.h"
#include "core/group_commit.h"
#include "core/journal_format.h"
#include "os/file.h"
#include "testing/explore.h"
#include "testing/interleaved_calls.h"
#include "testing/journal_bytes.h"

namespace sluice::testing {
namespace {

constexpr std::size_t large_buffer = 100;
constexpr std::size_t small_buffer = 4;  // the records have 3 or 9 bytes
constexpr std::size_t thread_count = 3;

// A GroupCommit on a file of the schedule, and the checks of its promises.
class Commits {
 public:
  Commits(Interleaving& threads, std::size_t buffer_bytes)
      : threads_(threads), file(threads), in_place_(file) {
    commits.emplace(os_file_, std::nullopt, 0);
    threads.require(commits->allocate(buffer_bytes), "no memory");
  }

  // For records that have heads and follow marks.
  Commits(Interleaving& threads, std::size_t buffer_bytes, const JournalFormat& format)
      : threads_(threads), file(threads), is_framed_(true), in_place_(file) {
    const auto header = format.header();
    file.begin_with({reinterpret_cast<const char*>(header.data()), header.size()});
    commits.emplace(os_file_, format, header.size());
    threads.require(commits->allocate(buffer_bytes), "no memory");
  }

  // Returns false if the GroupCommit has failed.
  bool append(const std::string& record, std::uint64_t& end) {
    const BytesView bytes(reinterpret_cast<const std::byte*>(record.data()), record.size());
    const std::uint32_t checksum = is_framed_ ? crc32c(0, bytes) : 0;
    const bool had_failed = has_told_failure_;
    if (!tell_of(commits->append(bytes, checksum, end), had_failed)) return false;
    appended_bytes_ += record.size();
    return true;
  }

  bool append_and_commit(const std::string& record) {
    std::uint64_t end = 0;
    if (!append(record, end)) return false;
    const bool was_durable = file.durable_bytes() >= end;
    const bool had_failed = has_told_failure_;
    ++commits_;
    if (!tell_of(commits->commit(end), had_failed && !was_durable)) return false;
    threads_.require(file.durable_bytes() >= end,
                     "commit() returned ok before the record was durable");
    threads_.require(has(record, end), "other bytes are committed");
    if (is_framed_) look_at_marks();
    return true;
  }

  // Returns when the record is durable. The request is made only once.
  bool append_and_ask(const std::string& record) {
    std::uint64_t end = 0;
    if (!append(record, end)) return false;
    std::uint64_t durable = 0;
    const bool had_failed = has_told_failure_;
    ++commits_;
    if (!tell_of(commits->durable_up_to(durable), had_failed)) return false;
    threads_.require(file.durable_bytes() >= durable,
                     "durable_up_to() named bytes that are not durable");
    threads_.wait_for("waits for the disk",
                      [this, end] { return file.durable_bytes() >= end || file.has_failed(); });
    return !file.has_failed();
  }

  void finish() {
    const bool ok = commits->finish().ok();
    threads_.require(ok == !file.has_failed(),
                     "finish() does not report whether a call has failed");
    threads_.require(ok == commits->status().ok(),
                     "status() does not report whether a call has failed");
    threads_.require(file.syncs() <= commits_ + 1, "more syncs than commits");
    if (is_framed_) look_at_marks();
    if (!ok || is_framed_) {
      threads_.require(!ok || marked_ == last_end_, "the last committed record has no mark");
      return;
    }
    threads_.require(file.bytes().size() == appended_bytes_, "not every byte is written once");
    threads_.require(file.durable_bytes() == appended_bytes_,
                     "finish() returned before all bytes were durable");
  }

 private:
  // No mark may name bytes that are not durable, or a position inside a record.
  void look_at_marks() {
    const journal_bytes::Found found = journal_bytes::find_records(file.bytes());
    threads_.require(!found.refused && !found.is_damaged, "the file looks damaged");
    marked_ = found.marked;
    last_end_ = found.ends.empty() ? journal_header_bytes : found.ends.back();
    threads_.require(marked_ <= file.durable_bytes(), "a mark names bytes that are not durable");
    threads_.require(
        marked_ <= journal_header_bytes || std::ranges::count(found.ends, marked_) == 1,
        "a mark names a position inside a record");
  }

  bool tell_of(const Status& status, bool must_fail) {
    threads_.require(status.ok() || file.has_failed(),
                     "a failure was reported, but no call has failed");
    threads_.require(!status.ok() || !must_fail, "a success after a failure");
    has_told_failure_ = has_told_failure_ || !status.ok();
    return status.ok();
  }

  bool has(const std::string& record, std::uint64_t end) const {
    return file.bytes().compare(end - record.size(), record.size(), record) == 0;
  }

  Interleaving& threads_;

 public:
  InterleavedFile file;
  std::optional<GroupCommit> commits;

 private:
  const bool is_framed_ = false;
  os::ScopedSystemCalls in_place_;
  os::File os_file_ = os::File::borrow(1'000'000, "journal");
  std::size_t appended_bytes_ = 0;
  std::uint64_t marked_ = 0;    // found by the last look_at_marks()
  std::uint64_t last_end_ = 0;  // the end of the last record
  std::size_t commits_ = 0;
  bool has_told_failure_ = false;
};

// Every third record is longer than the small buffer.
std::string record_of(std::size_t thread, std::size_t round) {
  const std::string record{static_cast<char>('a' + thread), static_cast<char>('0' + round), ';'};
  return (thread + round) % 3 == 2 ? record + record + record : record;
}

// A thread that has learned of a failure asks again.
void commit_in_rounds(Interleaving& threads, Commits& commits, std::size_t rounds) {
  threads.run_together(thread_count, [&](std::size_t thread) {
    for (std::size_t round = 0; round < rounds; ++round) {
      commits.append_and_commit(record_of(thread, round));
    }
  });
  commits.finish();
}

void ask_in_rounds(Interleaving& threads, Commits& commits, std::size_t rounds) {
  threads.run_together(thread_count - 1, [&](std::size_t thread) {
    for (std::size_t round = 0; round < rounds; ++round) {
      commits.append_and_ask(record_of(thread, round));
    }
  });
  commits.finish();
}

void expect_right(const Scenario& scenario, std::size_t max_deviations = 2, std::size_t costs = 1) {
  const Exploration exploration = explore(scenario, max_deviations, costs);
  EXPECT_TRUE(exploration.failure.empty()) << exploration.failure;
  ::testing::Test::RecordProperty("schedules", static_cast<int>(exploration.schedules));
}

TEST(GroupCommitInterleavings, ThreeThreadsCommitInThreeRounds) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, large_buffer);
    commit_in_rounds(threads, commits, 3);
  });
}

// A sync takes no time here, so no leader waits for other threads.
TEST(GroupCommitInterleavings, ThreeThreadsCommitWithASyncThatTakesNoTime) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, large_buffer);
    commits.file.sync_takes = std::chrono::nanoseconds(0);
    commit_in_rounds(threads, commits, 3);
  });
}

TEST(GroupCommitInterleavings, AnyCallOfAFileFails) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, large_buffer);
    commits.file.fail_at = threads.any(8);
    commit_in_rounds(threads, commits, 2);
  });
}

TEST(GroupCommitInterleavings, AppendsWaitForRoom) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, small_buffer);
    commit_in_rounds(threads, commits, 2);
  });
}

// No thread commits. So appends alone must wake the threads that wait for room.
TEST(GroupCommitInterleavings, AppendsAloneWaitForRoom) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, small_buffer);
    threads.run_together(thread_count, [&](std::size_t thread) {
      std::uint64_t end = 0;
      for (std::size_t round = 0; round < 2; ++round) commits.append(record_of(thread, round), end);
    });
    commits.finish();
  });
}

TEST(GroupCommitInterleavings, AppendsWaitForRoomAndAnyCallFails) {
  expect_right(
      [](Interleaving& threads) {
        Commits commits(threads, small_buffer);
        commits.file.fail_at = threads.any(8);
        commit_in_rounds(threads, commits, 2);
      },
      1);
}

TEST(GroupCommitInterleavings, ARecordBecomesDurableAfterARequestWithoutAnotherCall) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, large_buffer);
    commits.file.can_start_threads = threads.any(2) == 0;
    ask_in_rounds(threads, commits, 2);
  });
}

TEST(GroupCommitInterleavings, ARequestWaitsForRoomAndAnyCallFails) {
  expect_right(
      [](Interleaving& threads) {
        Commits commits(threads, small_buffer);
        commits.file.fail_at = threads.any(10);
        ask_in_rounds(threads, commits, 2);
      },
      1);
}

TEST(GroupCommitInterleavings, MarksNameOnlyDurableRecords) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, threads.any(2) == 0 ? large_buffer : small_buffer * 5,
                    JournalFormat({}));
    commit_in_rounds(threads, commits, 2);
  });
}

TEST(GroupCommitInterleavings, MarksNameOnlyDurableRecordsAndAnyCallFails) {
  expect_right(
      [](Interleaving& threads) {
        Commits commits(threads, small_buffer * 5, JournalFormat({}));
        commits.file.fail_at = threads.any(12);
        const bool they_wait = threads.any(2) == 0;
        they_wait ? commit_in_rounds(threads, commits, 2) : ask_in_rounds(threads, commits, 2);
      },
      1);
}

TEST(GroupCommitInterleavings, SomeThreadsCommitAndSomeRequest) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, large_buffer);
    threads.run_together(thread_count, [&](std::size_t thread) {
      for (std::size_t round = 0; round < 2; ++round) {
        if (thread == 0) {
          commits.append_and_ask(record_of(thread, round));
        } else {
          commits.append_and_commit(record_of(thread, round));
        }
      }
    });
    commits.finish();
  });
}

TEST(GroupCommitInterleavings, FinishesRightAfterwards) {
  expect_right([](Interleaving& threads) {
    Commits commits(threads, threads.any(2) == 0 ? large_buffer : small_buffer);
    commits.file.fail_at = threads.any(4);
    std::uint64_t end = 0;
    commits.append(record_of(0, 0), end);
    static_cast<void>(commits.commits->durable_up_to(end));
    commits.append(record_of(1, 0), end);
    commits.finish();
  });
}

TEST(GroupCommitInterleavings, AForkedChildDestroysAtAnyStep) {
  expect_right(
      [](Interleaving& threads) {
        Commits commits(threads, small_buffer);
        const std::size_t forks =
            threads.start([&] { threads.run_in_forked_child([&] { commits.commits.reset(); }); });
        commit_in_rounds(threads, commits, 1);
        threads.join(forks);
      },
      1, 100);
}

}  // namespace
}  // namespace sluice::testing
