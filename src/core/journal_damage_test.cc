// Framing::length_crc32c: a damaged committed record is never taken for a torn end, and the bytes
// that are cut off are kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/journal_format.h"
#include "sluice/journal.h"
#include "testing/faulty_system_calls.h"
#include "testing/gate.h"
#include "testing/journal_bytes.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

using Ticket = Journal::Ticket;
using journal_bytes::find_records;
using journal_bytes::Found;

constexpr std::size_t record_count = 10;

std::string record_of(std::size_t number) {
  return std::to_string(number) + ":" + pattern(number, number % 3 == 0 ? 20 : number);
}

class JournalDamage : public ::testing::Test {
 protected:
  // A closed Journal of committed records, several of which have shared a sync.
  std::string committed(const JournalOptions& options) {
    std::filesystem::remove(path_);
    Journal journal;
    EXPECT_TRUE(journal.open(path_, options).ok()) << journal.status().message();
    for (std::size_t number = 0; number < record_count; ++number) {
      Ticket ticket = 0;
      EXPECT_TRUE(journal.append(record_of(number), ticket).ok());
      if (number % 2 == 0 || number == record_count - 1) {
        EXPECT_TRUE(journal.commit(ticket).ok());
      }
    }
    EXPECT_TRUE(journal.close().ok());
    return contents_of(path_);
  }

  // Makes a file with these bytes and opens it.
  Status open(const std::string& contents, const JournalOptions& options = {}) {
    make_file(path_, contents);
    recovered_ = Recovered();
    Journal journal;
    Status status = journal.open(path_, options, &recovered_);
    if (status.ok()) {
      EXPECT_TRUE(journal.close().ok());
    }
    return status;
  }

  void expect_refused(const std::string& contents, const JournalOptions& options = {}) {
    const Status status = open(contents, options);
    EXPECT_EQ(status.code().value(), EBADMSG) << status.message();
    EXPECT_EQ(contents_of(path_), contents) << "a refused file must not change";
    const Found found = find_records(contents);
    EXPECT_EQ(status.offset(), found.whole_bytes);
    EXPECT_EQ(recovered_.records, found.records.size());
    EXPECT_EQ(recovered_.whole_bytes, found.whole_bytes);
    EXPECT_EQ(recovered_.torn_bytes, contents.size() - found.whole_bytes);
    EXPECT_EQ(recovered_.torn_path, "");
    EXPECT_EQ(number_of_files(directory_.path()), 1u) << "no other file may be made";
  }

  // Expects that the file is refused, or that no record is missing. The file may open if the damage
  // lies after all records.
  void expect_nothing_lost(const std::string& contents, const JournalOptions& options = {}) {
    const Found found = find_records(contents);
    if (found.records.size() != record_count) return expect_refused(contents, options);
    const std::size_t whole = found.whole_bytes;
    EXPECT_TRUE(open(contents, options).ok());
    EXPECT_EQ(recovered_.records, record_count);
    EXPECT_EQ(contents_of(recovered_.torn_path), contents.substr(whole));
    std::filesystem::remove(recovered_.torn_path);
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
  Recovered recovered_;
};

TEST_F(JournalDamage, CutsOffNoCommittedRecordForAFlippedBit) {
  for (const std::size_t buffer_bytes : {1u, 30u, 1u << 20}) {
    const JournalOptions options{.buffer_bytes = buffer_bytes};
    const std::string contents = committed(options);
    ASSERT_EQ(find_records(contents).records.size(), record_count);
    for (std::size_t bit = 0; bit < contents.size() * 8; ++bit) {
      SCOPED_TRACE("bit " + std::to_string(bit));
      std::string damaged = contents;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      expect_nothing_lost(damaged, options);
      EXPECT_EQ(open(damaged, {.framing = Framing::raw}).code().value(), EINVAL);
      EXPECT_EQ(contents_of(path_), damaged);
      if (HasFailure()) return;
    }
  }
}

TEST_F(JournalDamage, CutsOffNoCommittedRecordForAByteThatWasZeroedOrLost) {
  const std::string contents = committed({});
  for (std::size_t at = 0; at < contents.size() - journal_bytes::mark_bytes; ++at) {
    SCOPED_TRACE("at byte " + std::to_string(at));
    std::string damaged = contents;
    damaged[at] = damaged[at] == '\0' ? '\x55' : '\0';
    if (at >= journal_header_bytes) expect_refused(damaged);
    damaged.erase(at, 1);
    if (at >= journal_header_bytes) expect_refused(damaged);
    damaged.insert(at, 2, '\0');
    if (at >= journal_header_bytes) expect_refused(damaged);
    if (HasFailure()) return;
  }
}

// Whole records at positions where they were not written.
TEST_F(JournalDamage, TakesNoRecordThatWasDoubledSwappedOrDropped) {
  const std::string contents = committed({});
  const std::vector<std::size_t> ends = find_records(contents).ends;
  ASSERT_EQ(ends.size(), record_count);
  const auto begin_of = [&ends](std::size_t number) {
    return ends[number] - record_of(number).size() - journal_bytes::head_bytes;
  };
  const auto bytes_of = [&](std::size_t number) {
    return contents.substr(begin_of(number), ends[number] - begin_of(number));
  };
  for (std::size_t number = 0; number < record_count; ++number) {
    SCOPED_TRACE("record " + std::to_string(number));
    std::string damaged = contents;
    expect_nothing_lost(damaged.insert(ends[number], bytes_of(number)));
    damaged = contents;
    expect_refused(damaged.erase(begin_of(number), bytes_of(number).size()));
    for (std::size_t other = number + 1; other < record_count; ++other) {
      damaged = contents;
      damaged.replace(begin_of(other), bytes_of(other).size(), bytes_of(number));
      damaged.replace(begin_of(number), bytes_of(number).size(), bytes_of(other));
      expect_refused(damaged);
      damaged = contents;
      damaged.replace(begin_of(other), bytes_of(other).size(), bytes_of(number));
      expect_refused(damaged);
    }
  }
}

TEST_F(JournalDamage, TakesNoMarkThatWasDoubled) {
  const std::string contents = committed({});
  const std::string last_mark = contents.substr(contents.size() - journal_bytes::mark_bytes);
  EXPECT_TRUE(open(contents + last_mark).ok());
  EXPECT_EQ(contents_of(recovered_.torn_path), last_mark);
}

TEST_F(JournalDamage, TakesNoRecordsOfAnotherFile) {
  const std::string contents = committed({});
  const std::string other = committed({});
  ASSERT_EQ(contents.size(), other.size());
  const std::size_t end = find_records(contents).ends[4];
  ASSERT_EQ(end, find_records(other).ends[4]);
  EXPECT_TRUE(open(contents.substr(0, end) + other.substr(end)).ok());
  EXPECT_EQ(recovered_.records, 5u);
  EXPECT_EQ(contents_of(recovered_.torn_path), other.substr(end));
}

TEST_F(JournalDamage, NamesTheOffsetAndTheReason) {
  const std::string contents = committed({});
  const Found found = find_records(contents);
  std::string damaged = contents;
  damaged[found.ends[3] + journal_bytes::head_bytes] ^= 1;  // the payload of the next record
  const std::uint64_t next_mark = found.ends[4];
  EXPECT_EQ(open(damaged).message(),
            "read " + path_ + " at byte " + std::to_string(found.ends[3]) +
                ": a committed record is damaged or missing: the mark at byte " +
                std::to_string(next_mark) + " says that everything before byte " +
                std::to_string(next_mark) + " was durable");
}

// The search for a mark reads block by block. A mark may lie across two blocks, or far away.
TEST_F(JournalDamage, FindsAMarkAtEveryPlace) {
  constexpr std::size_t searched_bytes = 256 * 1024;
  const std::string id = "12345678";
  std::string contents = journal_bytes::header(id) + std::string(2 * searched_bytes + 100, 'x');
  for (std::size_t from_end = 0; from_end < 2 * journal_bytes::mark_bytes; ++from_end) {
    for (const std::size_t blocks : {1u, 2u}) {
      std::string file = contents;
      const std::size_t at = journal_header_bytes + blocks * searched_bytes - from_end;
      file.replace(at, journal_bytes::mark_bytes, journal_bytes::mark(id, at, at));
      SCOPED_TRACE(at);
      expect_refused(file);
    }
  }
}

// Bytes that a power cut leaves: the mark names only bytes that the file has.
TEST_F(JournalDamage, BelievesNoMarkMoreThanItSays) {
  const std::string id = "12345678";
  const auto torn_with = [&id](const std::string& mark) {
    std::string contents = journal_bytes::header(id);
    contents += journal_bytes::record(id, contents.size(), "whole");
    return contents + "torn" + mark;
  };
  const std::size_t whole = journal_header_bytes + 8 + 5;
  const std::string honest = journal_bytes::mark(id, whole + 4, whole);
  EXPECT_TRUE(open(torn_with(honest)).ok());
  EXPECT_EQ(contents_of(recovered_.torn_path), "torn" + honest);
  std::filesystem::remove(recovered_.torn_path);
  expect_refused(torn_with(journal_bytes::mark(id, whole + 4, whole + 1)));
  for (std::size_t at = 0; at < journal_bytes::mark_bytes; ++at) {
    std::string mark = journal_bytes::mark(id, whole + 4, whole + 1);
    mark[at] = static_cast<char>(mark[at] ^ 1);
    EXPECT_TRUE(open(torn_with(mark)).ok()) << "no mark: byte " << at;
    std::filesystem::remove(recovered_.torn_path);
  }
  const std::string of_another = journal_bytes::mark("another.", whole + 4, whole + 1);
  EXPECT_TRUE(open(torn_with(of_another)).ok());
}

// A kill may come between a sync and its mark. The recovered records are durable after the open.
TEST_F(JournalDamage, MarksTheRecoveredRecords) {
  const std::string id = "12345678";
  std::string contents = journal_bytes::header(id);
  contents += journal_bytes::record(id, contents.size(), "recovered");
  ASSERT_TRUE(open(contents).ok());
  const std::string marked = contents_of(path_);
  EXPECT_EQ(marked, contents + journal_bytes::mark(id, contents.size(), contents.size()));
  ASSERT_TRUE(open(marked).ok());
  EXPECT_EQ(contents_of(path_), marked) << "once";
  std::string damaged = marked;
  damaged[journal_header_bytes] ^= 1;
  expect_refused(damaged);
}

TEST_F(JournalDamage, LeavesAMarkWithEveryCommitAndWritesItOnce) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_).ok());
  for (std::size_t number = 0; number < 3; ++number) {
    Ticket ticket = 0;
    ASSERT_TRUE(journal.append("record", ticket).ok());
    ASSERT_TRUE(journal.commit(ticket).ok());
    const std::string contents = contents_of(path_);
    const Found found = find_records(contents);
    EXPECT_EQ(found.marked, ticket);
    EXPECT_EQ(contents.size(), ticket + journal_bytes::mark_bytes);
    EXPECT_EQ(contents.size(), journal_header_bytes + (number + 1) * (24 + 8 + 6) + 24);
  }
}

// A commit may find a record that waits for room and is half in the file. If a mark named this
// half, a power cut would look like damage.
TEST_F(JournalDamage, LeavesNoMarkInsideARecord) {
  class HeldWrite final : public os::SystemCalls {
   public:
    os::CallResult pwritev(int descriptor, const iovec* pieces, int count,
                           std::uint64_t position) override {
      gate.pass();
      std::string bytes;
      for (const iovec* piece = pieces; piece != pieces + count; ++piece) {
        bytes.append(static_cast<const char*>(piece->iov_base), piece->iov_len);
      }
      const std::string before = written_.substr(std::min<std::size_t>(position, written_.size()));
      EXPECT_TRUE(bytes.starts_with(before.substr(0, bytes.size()))) << "a mark within a record";
      written_.replace(position, bytes.size(), bytes);
      return SystemCalls::pwritev(descriptor, pieces, count, position);
    }
    Gate gate;

   private:
    std::string written_;
  };
  HeldWrite calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.buffer_bytes = 64}).ok());
  Ticket first = 0;
  ASSERT_TRUE(journal.append("first", first).ok());
  calls.gate.close();
  std::atomic<pid_t> appending{0};
  std::thread halfway([&] {
    appending = this_thread();
    Ticket ticket = 0;
    EXPECT_TRUE(journal.append(std::string(300, 'x'), ticket).ok());
  });
  while (appending == 0) std::this_thread::yield();
  EXPECT_TRUE(wait_until_asleep(appending));
  std::atomic<pid_t> committing{0};
  std::thread committer([&] {
    committing = this_thread();
    EXPECT_TRUE(journal.commit(first).ok());
  });
  while (committing == 0) std::this_thread::yield();
  EXPECT_TRUE(wait_until_asleep(committing));
  calls.gate.open();
  halfway.join();
  committer.join();
  Ticket ticket = 0;
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(journal.append("record", ticket).ok());
  const std::string contents = contents_of(path_);
  const Found found = find_records(contents);
  ASSERT_GT(found.records.size(), 2u) << "full buffers have left";
  EXPECT_EQ(found.marked, first);
}

TEST_F(JournalDamage, KeepsItsCommitsWhenTheMarkBehindThemCannotBeWritten) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_).ok());
  calls.forget_records();
  calls.fail(Call::pwritev, 2, ENOSPC);
  Ticket ticket = 0;
  ASSERT_TRUE(journal.append("record", ticket).ok());
  EXPECT_TRUE(journal.commit(ticket).ok()) << "the record is durable";
  const std::string expected =
      "write " + path_ + " at byte " + std::to_string(ticket) + ": No space left on device";
  EXPECT_EQ(journal.append("more", ticket).message(), expected);
  EXPECT_EQ(journal.close().message(), expected);
  EXPECT_TRUE(journal.open(path_, {}, &recovered_).ok());
  EXPECT_EQ(recovered_.records, 1u);
}

TEST_F(JournalDamage, TakesNoEmptyRecordWithARefusedHead) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.buffer_bytes = 4}).ok());
  calls.fail(Call::pwritev, 1, ENOSPC);
  Ticket ticket = 0;
  EXPECT_EQ(journal.append("", ticket).code().value(), ENOSPC);
  EXPECT_EQ(journal.close().code().value(), ENOSPC);
}

// ---- what is refused by its header ----

TEST_F(JournalDamage, RefusesAFileOfAnotherFramingAndLeavesIt) {
  const std::string others[] = {"s!",
                                "hello",
                                "sluice journal 3",
                                "sluice journal 0 and more",
                                std::string("\0s", 2),
                                std::string(33, '\0'),
                                std::string(5000, '\0'),
                                std::string(5000, 'x')};
  for (const std::string& contents : others) {
    const std::string expected = "open " + path_ +
                                 ": the file is not a Journal with framing=length_crc32c, and was "
                                 "left as it is: framing=raw "
                                 "appends to such a file, and a Reader reads it";
    EXPECT_EQ(open(contents).message(), expected);
    JournalReader reader;
    EXPECT_EQ(reader.open(path_).message(), expected);
    EXPECT_EQ(contents_of(path_), contents);
  }
  const std::string contents = committed({});
  EXPECT_EQ(open(contents, {.framing = Framing::raw}).message(),
            "open " + path_ +
                ": the file is a Journal with checksums, and was left as it is: framing=raw would "
                "damage it");
  EXPECT_EQ(contents_of(path_), contents);
}

TEST_F(JournalDamage, RefusesTheOlderFormatAndLeavesIt) {
  std::string older = "sluice journal 1";
  for (int i = 0; i < 3; ++i) {
    const std::string expected =
        "open " + path_ +
        ": the Journal has the older format \"sluice journal 1\", which this version does not read";
    EXPECT_EQ(open(older).message(), expected);
    EXPECT_EQ(open(older).code().value(), EINVAL);
    EXPECT_EQ(open(older, {.framing = Framing::raw}).code().value(), EINVAL);
    JournalReader reader;
    EXPECT_EQ(reader.open(path_).message(), expected);
    EXPECT_EQ(contents_of(path_), older);
    older += std::string("\3\0\0\0\xa6\x0e\xcb\x49one", 11);  // a record
  }
}

TEST_F(JournalDamage, RefusesADamagedHeaderAndLeavesIt) {
  const std::string contents = committed({});
  for (std::size_t at = 0; at < journal_header_bytes; ++at) {
    std::string damaged = contents;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    EXPECT_EQ(open(damaged).message(),
              "read " + path_ + " at byte 0: the Journal's header is damaged");
    EXPECT_EQ(open(damaged).code().value(), EBADMSG);
    EXPECT_EQ(recovered_.torn_bytes, damaged.size());
    EXPECT_EQ(open(damaged, {.framing = Framing::raw}).code().value(), EINVAL);
    JournalReader reader;
    EXPECT_EQ(reader.open(path_).code().value(), EBADMSG);
    EXPECT_EQ(contents_of(path_), damaged);
  }
  std::string damaged = contents;
  damaged.replace(0, 16, "not a Journal...");
  EXPECT_EQ(open(damaged).code().value(), EBADMSG)
      << "the right checksum shows that this was a header";
}

// ---- what is cut off is kept ----

TEST_F(JournalDamage, KeepsTheCutBytesUnderANewName) {
  const std::string contents = committed({});
  const std::string name = path_ + ".torn-" + std::to_string(contents.size());
  const std::string torn = std::string(300'000, 'x') + "torn";
  std::filesystem::permissions(path_, std::filesystem::perms::all);
  for (const std::string& expected : {name, name + "-2", name + "-3"}) {
    ASSERT_TRUE(open(contents + torn).ok());
    EXPECT_EQ(recovered_.torn_path, expected);
    EXPECT_EQ(recovered_.torn_bytes, torn.size());
    EXPECT_EQ(contents_of(expected), torn);
    EXPECT_EQ(std::filesystem::status(expected).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_EQ(contents_of(path_), contents);
  }
}

TEST_F(JournalDamage, CutsNoBytesOffThatItCannotKeep) {
  const std::string contents = committed({}) + "torn";
  struct Fault {
    Call call;
    std::size_t nth;
  };
  // The first sync is for the records that were found. Opening starts with the Journal itself.
  for (const Fault fault : {Fault{Call::open, 2},
                            {Call::pwritev, 1},
                            {Call::fdatasync, 2},
                            {Call::fsync, 1},
                            {Call::close, 1}}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(fault.call, fault.nth, ENOSPC);
    EXPECT_EQ(open(contents).code().value(), ENOSPC);
    EXPECT_EQ(contents_of(path_), contents);
    EXPECT_EQ(number_of_files(directory_.path()), 1u) << "half a copy is of no use";
    EXPECT_EQ(calls.count(Call::truncate), 0u) << calls.log();
  }
}

}  // namespace
}  // namespace sluice::testing
