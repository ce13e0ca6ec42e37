// The promises of a Journal when calls fail: committed records are durable, and every later call
// reports the failure.
#include <gtest/gtest.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sluice/journal.h"
#include "testing/failed_in_turn.h"
#include "testing/faulty_system_calls.h"
#include "testing/gate.h"
#include "testing/journal_bytes.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

using Ticket = Journal::Ticket;

constexpr JournalOptions raw{.framing = Framing::raw};

// ---- durable before commit() returns ----

// Knows which part of the file is durable: the bytes that were written before the latest finished
// sync began. Only one write or sync may run at a time.
class Disk final : public os::SystemCalls {
 public:
  os::CallResult pwritev(int descriptor, const iovec* pieces, int count,
                         std::uint64_t position) override {
    const OneAtATime one(*this);
    const long bytes = SystemCalls::pwritev(descriptor, pieces, count, position);
    EXPECT_EQ(written_, position) << "a hole, or bytes written twice";
    if (bytes > 0) written_ = position + static_cast<std::uint64_t>(bytes);
    return bytes;
  }

  os::CallResult fdatasync(int descriptor) override {
    const OneAtATime one(*this);
    const std::uint64_t covered = written_;
    gate.pass();
    ++syncs;
    if (sync_error != 0) return -sync_error;
    const long result = SystemCalls::fdatasync(descriptor);
    durable = covered;
    return result;
  }

  Gate gate;
  std::atomic<int> sync_error{0};
  std::atomic<std::uint64_t> durable{0};
  std::atomic<std::size_t> syncs{0};

 private:
  struct OneAtATime {
    explicit OneAtATime(Disk& disk) : under_way(disk.under_way_) { EXPECT_EQ(under_way++, 0); }
    ~OneAtATime() { --under_way; }
    std::atomic<int>& under_way;
  };
  std::atomic<int> under_way_{0};
  std::atomic<std::uint64_t> written_{0};
};

class JournalDurability : public ::testing::Test {
 protected:
  // Starts a thread that appends a record and commits it. Returns when this thread waits.
  template <typename Check>
  void start_commit(Check check) {
    const auto thread = std::make_shared<std::atomic<pid_t>>(0);
    threads_.emplace_back([this, thread, check] {
      Ticket ticket = 0;
      EXPECT_TRUE(journal_.append("record", ticket).ok());
      *thread = this_thread();
      check(journal_.commit(ticket), ticket);
    });
    while (*thread == 0) std::this_thread::yield();
    EXPECT_TRUE(wait_until_asleep(*thread));
  }

  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
  Disk disk_;
  os::ScopedSystemCalls in_place_{disk_};
  Journal journal_;
  std::vector<std::thread> threads_;
};

TEST_F(JournalDurability, HasSyncedEachRecordWhenItsCommitReturns) {
  for (const std::size_t buffer_bytes : {50u, 1u << 20}) {
    const std::string path = path_ + std::to_string(buffer_bytes);
    Disk disk;
    const os::ScopedSystemCalls in_place(disk);
    Journal journal;
    ASSERT_TRUE(journal.open(path, {.framing = Framing::raw, .buffer_bytes = buffer_bytes}).ok());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 16; ++i) {
      threads.emplace_back([&, i] {
        for (std::size_t number = 0; number < 100; ++number) {
          Ticket ticket = 0;
          ASSERT_TRUE(journal.append(pattern(i, 1 + number % 90), ticket).ok());
          if ((i + number) % 4 == 0) continue;
          if ((i + number) % 4 == 1) {
            ASSERT_TRUE(journal.durable_up_to(ticket).ok());
          } else {
            ASSERT_TRUE(journal.commit(ticket).ok());
          }
          ASSERT_GE(disk.durable, ticket);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(journal.close().ok());
    EXPECT_EQ(disk.durable, contents_of(path).size());
  }
}

TEST_F(JournalDurability, SharesOneSyncAmongAllWaitingThreads) {
  ASSERT_TRUE(journal_.open(path_, raw).ok());
  disk_.gate.close();
  const std::size_t before = disk_.syncs;
  const auto expect_ok = [this](const Status& status, Ticket ticket) {
    EXPECT_TRUE(status.ok());
    EXPECT_GE(disk_.durable, ticket);
  };
  for (int i = 0; i < 20; ++i) start_commit(expect_ok);
  disk_.gate.open();
  join();
  EXPECT_EQ(disk_.syncs - before, 2u)
      << "the sync that was under way, and one sync for the other 19 threads";
}

TEST_F(JournalDurability, ReportsALateFailureOfASyncToEveryThread) {
  ASSERT_TRUE(journal_.open(path_, raw).ok());
  Ticket durable = 0;
  EXPECT_TRUE(journal_.append("durable", durable).ok());
  EXPECT_TRUE(journal_.commit(durable).ok());
  disk_.gate.close();
  const std::string expected = "sync " + path_ + " at byte 7: Input/output error";
  std::atomic<int> told{0};
  const auto expect_failure = [&](const Status& status, Ticket) {
    EXPECT_EQ(status.message(), expected);
    ++told;
  };
  start_commit(expect_failure);                               // waits in the sync
  for (int i = 0; i < 20; ++i) start_commit(expect_failure);  // waits for the next sync
  const std::size_t before = disk_.syncs;
  disk_.sync_error = EIO;
  disk_.gate.open();
  join();
  EXPECT_EQ(told, 21);
  disk_.sync_error = 0;  // a second sync would succeed, as it does on Linux
  Ticket ticket = 0;
  EXPECT_EQ(journal_.append("more", ticket).message(), expected);
  EXPECT_EQ(journal_.commit(durable).message(), expected);
  EXPECT_EQ(journal_.durable_up_to(ticket).message(), expected);
  EXPECT_EQ(journal_.status().message(), expected);
  EXPECT_EQ(journal_.close().message(), expected);
  EXPECT_EQ(journal_.close().message(), expected);
  EXPECT_EQ(journal_.status().message(), expected);
  EXPECT_EQ(disk_.syncs - before, 1u) << "a failed sync is not tried again";
}

TEST_F(JournalDurability, ReportsAFailedWriteToThreadsThatWaitForRoom) {
  class HeldWrite final : public os::SystemCalls {
   public:
    os::CallResult pwritev(int, const iovec*, int, std::uint64_t) override {
      gate.pass();
      return -ENOSPC;
    }
    Gate gate{false};
  };
  HeldWrite calls;
  const os::ScopedSystemCalls in_place(calls);
  ASSERT_TRUE(journal_.open(path_, {.framing = Framing::raw, .buffer_bytes = 10}).ok());
  const std::string expected = "write " + path_ + " at byte 0: No space left on device";
  start_commit([&](const Status& status, Ticket) { EXPECT_EQ(status.message(), expected); });
  std::array<std::atomic<pid_t>, 4> waiting{};
  for (std::atomic<pid_t>& thread : waiting) {  // one record is half written, three more wait
    threads_.emplace_back([&] {
      thread = this_thread();
      Ticket ticket = 0;
      EXPECT_EQ(journal_.append(std::string(15, 'x'), ticket).message(), expected);
    });
    while (thread == 0) std::this_thread::yield();
    EXPECT_TRUE(wait_until_asleep(thread));
  }
  calls.gate.open();
  join();
  EXPECT_EQ(journal_.close().message(), expected);
}

TEST_F(JournalDurability, ReportsAFailureInTheBackgroundToTheNextCall) {
  ASSERT_TRUE(journal_.open(path_, raw).ok());
  Ticket ticket = 0;
  EXPECT_TRUE(journal_.append("bytes", ticket).ok());
  disk_.sync_error = EIO;
  Ticket durable = 0;
  Status status;
  while (status.ok()) status = journal_.durable_up_to(durable);
  EXPECT_EQ(status.message(), "sync " + path_ + " at byte 0: Input/output error");
  EXPECT_LT(durable, ticket);
  EXPECT_EQ(journal_.close().message(), status.message());
}

TEST(JournalName, IsDurableBeforeTheFirstCommit) {
  const ScratchDirectory directory;
  const std::string path = directory.file("journal");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path, raw).ok());
  long folder = -1;
  for (const CallRecord& record : calls.records(Call::open)) {
    if (record.path == directory.path()) folder = record.result;
  }
  const std::vector<CallRecord> syncs = calls.records(Call::fsync);
  ASSERT_EQ(syncs.size(), 1u) << calls.log();
  EXPECT_EQ(syncs[0].descriptor, folder);
}

// ---- every call failed in turn ----

struct Setup {
  Framing framing;
  bool is_new;
  Transfers transfers;
  bool asks;  // durable_up_to() instead of commit(): the background thread does the work
};

std::string name_of(const Setup& setup) {
  return std::string(setup.framing == Framing::raw ? "Raw" : "Framed") +
         (setup.is_new ? "New" : "Torn") + (setup.asks ? "Asked" : "") + name_of(setup.transfers);
}

void PrintTo(const Setup& setup, std::ostream* out) { *out << name_of(setup); }

std::vector<Setup> every_setup() {
  std::vector<Setup> setups;
  for (const Framing framing : {Framing::raw, Framing::length_crc32c}) {
    for (const bool is_new : {true, false}) {
      for (const auto transfers :
           {Transfers::whole, Transfers::one_byte, Transfers::halved, Transfers::interrupted}) {
        for (const bool asks : {false, true}) {
          setups.push_back({framing, is_new, transfers, asks});
        }
      }
    }
  }
  return setups;
}

class JournalFailures : public ::testing::TestWithParam<Setup> {
 protected:
  bool is_framed() const { return GetParam().framing == Framing::length_crc32c; }

  static std::string whole_before() {
    if (GetParam().is_new) return "";
    if (GetParam().framing == Framing::raw) return "was there";
    const std::string header = journal_bytes::header("some id.");
    return header + journal_bytes::record("some id.", header.size(), "was there");
  }

  void prepare_file() {
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      std::filesystem::remove(entry.path());
    }
    if (!GetParam().is_new) make_file(path_, whole_before() + (is_framed() ? "torn" : ""));
  }

  struct Outcome {
    Status opened;
    Status closed;
    std::uint64_t committed = 0;            // the last ticket for which commit() was ok
    std::vector<std::string> records = {};  // all earlier records and all records that were offered
    std::vector<Ticket> tickets = {};       // the tickets of the accepted records
  };

  static Status make_durable(Journal& journal, Ticket ticket) {
    if (!GetParam().asks) return journal.commit(ticket);
    Status status;
    for (Ticket durable = 0; status.ok() && durable < ticket;) {
      status = journal.durable_up_to(durable);
      std::this_thread::yield();
    }
    return status;
  }

  void append(Journal& journal, Outcome& outcome, const std::string& record, bool commit) {
    Ticket ticket = 0;
    const Status before = journal.status();
    Status status = journal.append(record, ticket);
    outcome.records.push_back(record);
    if (status.ok()) {
      outcome.tickets.push_back(ticket);
      if (commit) status = make_durable(journal, ticket);
      if (commit && status.ok()) outcome.committed = ticket;
    }
    if (!before.ok()) {
      EXPECT_EQ(status.message(), before.message()) << "the first failure must stay";
    }
    // A request to the background thread may fail at any time. So may the mark for a commit.
    const bool may_fail_later = GetParam().asks || (commit && is_framed());
    if (!may_fail_later || !status.ok()) {
      EXPECT_EQ(journal.status().message(), status.message());
    }
  }

  Outcome run(FaultySystemCalls& calls) {
    set_transfers(calls, GetParam().transfers);
    prepare_file();
    const os::ScopedSystemCalls in_place(calls);
    Outcome outcome;
    Journal journal;
    outcome.opened = journal.open(path_, {.framing = GetParam().framing, .buffer_bytes = 20});
    if (outcome.opened.ok()) {
      if (!GetParam().is_new) outcome.records = {"was there"};
      if (!GetParam().is_new) outcome.tickets = {whole_before().size()};
      append(journal, outcome, "first", true);
      append(journal, outcome, "second", false);
      append(journal, outcome, pattern(0, 50), true);  // more bytes than the buffer has
      append(journal, outcome, "", true);
      append(journal, outcome, "the last", false);
    }
    outcome.closed = journal.close();
    EXPECT_EQ(journal.close().message(), outcome.closed.message());
    return outcome;
  }

  void expect_honest(const Outcome& outcome) {
    const std::string contents = file_exists(path_) ? contents_of(path_) : "";
    EXPECT_TRUE(contents.starts_with(whole_before())) << "the earlier records must stay";
    if (!outcome.opened.ok()) {
      EXPECT_EQ(outcome.closed.message(), outcome.opened.message());
      return;
    }
    EXPECT_GE(contents.size(), outcome.committed) << "committed, and not in the file";
    is_framed() ? expect_honest_records(outcome, contents) : expect_honest_bytes(outcome, contents);
    if (outcome.closed.operation() == Operation::sync && !outcome.closed.ok()) {
      EXPECT_GE(outcome.closed.offset(), outcome.committed)
          << "the failure must name the first byte that may not be durable";
    }
  }

  static void expect_honest_bytes(const Outcome& outcome, const std::string& contents) {
    std::string expected;
    for (const std::string& record : outcome.records) expected += record;
    EXPECT_TRUE(expected.starts_with(contents)) << "bytes that were not appended there";
    if (outcome.closed.ok()) {
      EXPECT_EQ(contents, expected);
    } else if (outcome.closed.operation() == Operation::write) {
      EXPECT_EQ(contents.size(), outcome.closed.offset()) << "the first byte that is not there";
    }
  }

  static void expect_honest_records(const Outcome& outcome, const std::string& contents) {
    const journal_bytes::Found found = journal_bytes::find_records(contents);
    EXPECT_FALSE(found.refused || found.is_damaged);
    EXPECT_GE(found.whole_bytes, outcome.committed) << "committed, and not whole";
    ASSERT_LE(found.records.size(), outcome.records.size());
    for (std::size_t i = 0; i < found.records.size(); ++i) {
      EXPECT_EQ(found.records[i], outcome.records[i])
          << "a record differs from the appended record";
      if (i < outcome.tickets.size()) {
        EXPECT_EQ(found.ends[i], outcome.tickets[i]);
      }
    }
    if (outcome.closed.ok()) {
      EXPECT_EQ(found.records.size(), outcome.records.size());
      EXPECT_EQ(found.whole_bytes, contents.size());
    } else if (outcome.closed.operation() == Operation::write) {
      EXPECT_GE(contents.size(), outcome.closed.offset()) << "the first byte that is not there";
      EXPECT_LE(contents.size(), outcome.closed.offset().value_or(0) + journal_bytes::mark_bytes)
          << "after the named byte the file may only have a mark";
    }
  }

  // Each write of the file is followed by one sync, and no call follows a failed call.
  static void expect_nothing_tried_again(const FaultySystemCalls& calls) {
    bool failed = false;
    for (const CallRecord& record : calls.records()) {
      if (record.call != Call::pwritev && record.call != Call::fdatasync) continue;
      EXPECT_FALSE(failed) << "tried again";
      failed = failed || record.injected;
    }
  }

  static void expect_descriptors_closed(const FaultySystemCalls& calls) {
    std::map<long, int> open_times;
    for (const CallRecord& record : calls.records()) {
      const bool opens = record.call == Call::open || record.call == Call::openat;
      if (opens && record.result >= 0) ++open_times[record.result];
      if (record.call == Call::close) --open_times[record.descriptor];
    }
    for (const auto& [descriptor, times] : open_times) EXPECT_EQ(times, 0) << descriptor;
  }

  // Failures of three kinds of call need not be reported: reading the name of the file, because the
  // path can replace it; starting the background thread, because the caller's thread then does the
  // work; and advice.
  static bool must_be_reported(const FaultySystemCalls& calls) {
    const std::vector<Call> injected = calls.injected();
    return std::any_of(injected.begin(), injected.end(), [](Call call) {
      return call != Call::name_of && call != Call::forget_cached && call != Call::start_thread;
    });
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
};

TEST_P(JournalFailures, EveryCallFailedInTurnIsReportedAndNothingIsLost) {
  FaultySystemCalls no_faults;
  const Outcome without = run(no_faults);
  ASSERT_TRUE(without.closed.ok()) << without.closed.message();
  expect_honest(without);
  const std::size_t calls_to_fail = no_faults.count_that_can_fail();
  ASSERT_GE(calls_to_fail, 15u);
  for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
    for (const int error : {EIO, ENOSPC}) {
      fail_in_turn(calls_to_fail, error, repeat, [&](FaultySystemCalls& calls) {
        const Outcome outcome = run(calls);
        expect_honest(outcome);
        expect_nothing_tried_again(calls);
        expect_descriptors_closed(calls);
        EXPECT_EQ(outcome.closed.ok(), !must_be_reported(calls)) << outcome.closed.message();
        if (!outcome.closed.ok()) {
          EXPECT_EQ(outcome.closed.code().value(), error) << outcome.closed.message();
        }
      });
    }
  }
}

std::string name_of_param(const ::testing::TestParamInfo<Setup>& info) {
  return name_of(info.param);
}

INSTANTIATE_TEST_SUITE_P(Journal, JournalFailures, ::testing::ValuesIn(every_setup()),
                         name_of_param);

}  // namespace
}  // namespace sluice::testing
