// Framing::length_crc32c: whatever became of a file's end, what was whole is found, and only that.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backend/crc32c.h"
#include "core/journal_records.h"
#include "sluice/journal.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

using Ticket = Journal::Ticket;
using Records = std::vector<std::string>;

constexpr JournalOptions framed{.framing = Framing::length_crc32c, .buffer_bytes = 64};

std::string text_of(ConstBytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class JournalRecovery : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_crc32c()) GTEST_SKIP() << "this build has no checksums";
  }

  // Opens, appends and closes.
  Recovered append(const Records& records) {
    Recovered recovered;
    Journal journal;
    EXPECT_TRUE(journal.open(path_, framed, &recovered).ok()) << journal.status().message();
    Ticket ticket = 0;
    for (const std::string& record : records) EXPECT_TRUE(journal.append(record, ticket).ok());
    EXPECT_TRUE(journal.close().ok());
    return recovered;
  }

  Records read_all() {
    Records records;
    JournalReader reader;
    EXPECT_TRUE(reader.open(path_).ok()) << reader.status().message();
    ConstBytes record;
    while (reader.next(record)) records.push_back(text_of(record));
    EXPECT_TRUE(reader.status().ok()) << reader.status().message();
    whole_bytes_ = reader.position();
    return records;
  }

  // The small journal that is damaged in every way, and where its records end.
  std::string small_journal() {
    std::filesystem::remove(path_);
    append(small_);
    ends_ = {journal_header.size()};
    for (const std::string& record : small_) {
      ends_.push_back(ends_.back() + record_head_bytes + record.size());
    }
    return contents_of(path_);
  }

  // How many of its records end at `bytes` or before.
  std::size_t records_within(std::size_t bytes) const {
    const auto beyond = std::upper_bound(ends_.begin(), ends_.end(), bytes);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(beyond - ends_.begin(), 1)) - 1;
  }

  // Makes `contents` the file, of which `count` records are whole, and goes on with it.
  void expect_recovered(const std::string& contents, std::size_t count) {
    const std::size_t whole = contents.size() < journal_header.size() ? 0 : ends_[count];
    make_file(path_, contents);
    Records expected(small_.begin(), small_.begin() + static_cast<std::ptrdiff_t>(count));
    EXPECT_EQ(read_all(), expected);
    EXPECT_EQ(whole_bytes_, whole);
    EXPECT_EQ(contents_of(path_), contents) << "reading changes nothing";
    const Recovered recovered = append({"one more"});
    EXPECT_EQ(recovered.whole_bytes, whole);
    EXPECT_EQ(recovered.records, count);
    EXPECT_EQ(recovered.torn_bytes, contents.size() - whole);
    expected.push_back("one more");
    EXPECT_EQ(read_all(), expected);
    EXPECT_EQ(whole_bytes_, std::filesystem::file_size(path_)) << "nothing is left of the old end";
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
  const Records small_ = {"alpha", "", std::string(100, '\0'), pattern(0, 150), "omega"};
  std::vector<std::size_t> ends_;
  std::uint64_t whole_bytes_ = 0;
};

TEST_F(JournalRecovery, KeepsEveryRecordThatWasClosed) {
  EXPECT_EQ(append({"one"}).whole_bytes, 0u) << "a new file";
  const Recovered recovered = append({"two", "", "three"});
  EXPECT_EQ(recovered.whole_bytes, 16u + 8 + 3);
  EXPECT_EQ(recovered.records, 1u);
  EXPECT_EQ(recovered.torn_bytes, 0u);
  EXPECT_EQ(read_all(), (Records{"one", "two", "", "three"}));
}

// The file as others may have to read it: this must never change.
TEST_F(JournalRecovery, WritesTheDocumentedBytes) {
  append({"123456789"});
  EXPECT_EQ(contents_of(path_).substr(0, 20), std::string("sluice journal 1\x09\0\0\0", 20));
  EXPECT_EQ(contents_of(path_).substr(24), "123456789");
  EXPECT_EQ(crc32c(0, std::as_bytes(std::span("123456789", 9))), 0xe3069283u)
      << "the check value in the catalogue of checksums";
  const std::string summed = std::string("\x09\0\0\0", 4) + "123456789";
  const std::uint32_t checksum = crc32c(0, std::as_bytes(std::span(summed)));
  const std::string stored = contents_of(path_).substr(20, 4);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(static_cast<unsigned char>(stored[i]), checksum >> (8 * i) & 0xffu);
  }
}

TEST_F(JournalRecovery, FindsWhatIsWholeAfterACutAtEveryByte) {
  const std::string contents = small_journal();
  for (std::size_t bytes = 0; bytes <= contents.size(); ++bytes) {
    SCOPED_TRACE("cut at byte " + std::to_string(bytes));
    expect_recovered(contents.substr(0, bytes), records_within(bytes));
    if (HasFailure()) return;
  }
}

TEST_F(JournalRecovery, FindsWhatIsWholeBeforeAFlippedBitInEveryByte) {
  const std::string contents = small_journal();
  for (std::size_t at = journal_header.size(); at < contents.size(); ++at) {
    SCOPED_TRACE("damaged at byte " + std::to_string(at));
    std::string damaged = contents;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    expect_recovered(damaged, records_within(at));
    if (HasFailure()) return;
  }
}

TEST_F(JournalRecovery, CutsOffZerosAndGarbage) {
  const std::string contents = small_journal();
  for (const std::size_t bytes : {1u, 7u, 8u, 9u, 4096u, 1'000'000u}) {
    expect_recovered(contents + std::string(bytes, '\0'), small_.size());
    expect_recovered(contents + std::string(bytes, '\xff'), small_.size());
    expect_recovered(contents + pattern(12345, bytes), small_.size());
    // A head with a length that the file could hold, and one beyond every limit.
    expect_recovered(contents + std::string("\0\0\1\0ABCD", 8) + pattern(7, bytes), small_.size());
    expect_recovered(contents + std::string("\1\0\0\5ABCD", 8) + pattern(7, bytes), small_.size());
  }
}

// A power cut while the file is created: its size may be on the disk before its bytes.
TEST_F(JournalRecovery, BeginsAnewWhereZerosStandForTheHeaderOrItsEnd) {
  for (std::size_t bytes = 0; bytes < journal_header.size(); ++bytes) {
    for (std::size_t zeros = 0; bytes + zeros <= journal_header.size(); ++zeros) {
      make_file(path_, std::string(journal_header.substr(0, bytes)) + std::string(zeros, '\0'));
      EXPECT_EQ(read_all(), Records());
      const Recovered recovered = append({"first"});
      EXPECT_EQ(recovered.whole_bytes, 0u);
      EXPECT_EQ(recovered.torn_bytes, bytes + zeros);
      EXPECT_EQ(read_all(), Records{"first"});
    }
  }
}

TEST_F(JournalRecovery, BeginsAnewAlsoWhereZerosStandBeforeTheEndOfTheHeader) {
  make_file(path_, std::string(5, '\0') + std::string(journal_header.substr(5, 9)));
  EXPECT_EQ(append({"first"}).torn_bytes, 14u);
  EXPECT_EQ(read_all(), Records{"first"});
}

TEST_F(JournalRecovery, TakesNoRecordThatNoJournalWouldHaveWritten) {
  const std::string too_long = pattern(0, Journal::most_record_bytes + 1);
  const auto head = head_of_record(std::as_bytes(std::span(too_long)));
  make_file(path_, std::string(journal_header) + text_of(head) + too_long);
  EXPECT_EQ(read_all(), Records());
}

TEST_F(JournalRecovery, RefusesAFileOfAnotherFramingAndLeavesIt) {
  const std::string framed_contents = small_journal();
  Journal journal;
  EXPECT_EQ(journal.open(path_).message(),
            "open " + path_ + ": the file was not written with framing=raw");
  EXPECT_EQ(journal.status().code().value(), EINVAL);
  EXPECT_EQ(contents_of(path_), framed_contents);
  std::vector<std::string> others = {"s!",
                                     "hello",
                                     "sluice journal 2",
                                     "sluice journal 0 and more",
                                     std::string("\0s", 2),
                                     std::string(17, '\0'),
                                     std::string(5000, '\0')};
  for (std::size_t at = 0; at < journal_header.size(); ++at) {
    others.push_back(framed_contents);
    others.back()[at] = static_cast<char>(others.back()[at] ^ 0x20);
  }
  for (const std::string& contents : others) {
    make_file(path_, contents);
    const std::string expected =
        "open " + path_ + ": the file was not written with framing=length_crc32c";
    EXPECT_EQ(journal.open(path_, framed).message(), expected);
    EXPECT_EQ(journal.status().code().value(), EINVAL);
    JournalReader reader;
    EXPECT_EQ(reader.open(path_).message(), expected);
    EXPECT_EQ(contents_of(path_), contents);
  }
}

TEST_F(JournalRecovery, CutsDurablyBeforeAnythingIsAppended) {
  const std::string contents = small_journal();
  make_file(path_, contents + "torn");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, framed).ok());
  std::vector<Call> changes;
  for (const CallRecord& record : calls.records()) {
    constexpr Call matter[] = {Call::truncate, Call::pwritev, Call::fdatasync, Call::fsync,
                               Call::forget_cached};
    if (std::ranges::count(matter, record.call) != 0) changes.push_back(record.call);
  }
  EXPECT_EQ(changes, (std::vector<Call>{Call::fdatasync, Call::forget_cached, Call::truncate,
                                        Call::fdatasync, Call::fsync}))
      << calls.log();
  EXPECT_EQ(calls.records(Call::truncate)[0].position, contents.size());
}

// A bit that flips in the middle is no torn end: what is behind it was committed.
TEST_F(JournalRecovery, CutsOffNoMoreThanItMayAndLeavesTheFileOtherwise) {
  std::string contents = small_journal();
  contents[ends_[1] + 5] ^= 1;  // its checksum
  const std::uint64_t behind = contents.size() - ends_[1];
  make_file(path_, contents);
  JournalOptions options = framed;
  options.most_torn_bytes = behind - 1;
  Journal journal;
  Recovered recovered;
  const Status status = journal.open(path_, options, &recovered);
  EXPECT_EQ(status.code().value(), EBADMSG);
  EXPECT_EQ(status.message(), "read " + path_ + " at byte " + std::to_string(ends_[1]) +
                                  ": no whole record is there, and " + std::to_string(behind) +
                                  " bytes follow, more than option most_torn_bytes=" +
                                  std::to_string(behind - 1) + " allows to cut off");
  EXPECT_EQ(contents_of(path_), contents);
  EXPECT_EQ(recovered.whole_bytes, ends_[1]);
  EXPECT_EQ(recovered.records, 1u);
  EXPECT_EQ(recovered.torn_bytes, behind);
  options.most_torn_bytes = behind;
  EXPECT_TRUE(journal.open(path_, options, &recovered).ok()) << journal.status().message();
  EXPECT_EQ(recovered.torn_bytes, behind);
}

TEST_F(JournalRecovery, TakesRecordsUpToItsLimitAndNoLonger) {
  const std::string longest = pattern(0, Journal::most_record_bytes);
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path_, {.framing = Framing::length_crc32c}).ok());
    Ticket ticket = 0;
    EXPECT_EQ(journal.append(longest + "x", ticket).code().value(), EMSGSIZE);
    EXPECT_TRUE(journal.append("short", ticket).ok()) << "and goes on";
    EXPECT_TRUE(journal.append(longest, ticket).ok());
    EXPECT_TRUE(journal.append("last", ticket).ok());
    EXPECT_TRUE(journal.commit(ticket).ok());
  }
  EXPECT_TRUE(read_all() == (Records{"short", longest, "last"}));
}

TEST_F(JournalRecovery, ReadsWhatIsThereSoFarAndGoesOnWhenThereIsMore) {
  JournalReader reader;
  ConstBytes record;
  EXPECT_FALSE(reader.next(record));
  EXPECT_EQ(reader.status().code().value(), EBADF);
  EXPECT_EQ(reader.open(path_).code().value(), ENOENT);
  const std::string contents = small_journal();
  make_file(path_, "");
  ASSERT_TRUE(reader.open(path_).ok());
  Records records;
  for (std::size_t bytes = 0; bytes < contents.size(); bytes += 3) {
    std::ofstream(path_, std::ios::binary | std::ios::app) << contents.substr(bytes, 3);
    while (reader.next(record)) records.push_back(text_of(record));
    ASSERT_TRUE(reader.status().ok()) << reader.status().message();
    EXPECT_EQ(records.size(), records_within(bytes + 3));
  }
  EXPECT_EQ(records, small_);
}

// What is there so far may end anywhere in a record: the reader sees it whole or not yet.
TEST_F(JournalRecovery, CanBeFollowedWhileThreadsAppend) {
  constexpr std::size_t threads = 4;
  constexpr std::size_t records_of_each = 2000;
  const auto record_of = [](std::size_t thread, std::size_t number) {
    return std::to_string(thread) + ":" + pattern(number, (thread + number) % 150);
  };
  Journal journal;
  ASSERT_TRUE(journal.open(path_, framed).ok());
  const auto append_all = [&](std::size_t thread) {
    Ticket ticket = 0;
    for (std::size_t number = 0; number < records_of_each; ++number) {
      EXPECT_TRUE(journal.append(record_of(thread, number), ticket).ok());
      if (number % 100 == 99) {
        EXPECT_TRUE(journal.commit(ticket).ok());
      }
    }
  };
  std::vector<std::thread> team;
  for (std::size_t i = 0; i < threads; ++i) team.emplace_back(append_all, i);
  JournalReader reader;
  EXPECT_TRUE(reader.open(path_).ok());
  std::vector<std::size_t> next(threads, 0);
  std::size_t seen = 0;
  for (ConstBytes record; seen < threads * records_of_each && reader.status().ok();) {
    if (!reader.next(record)) continue;
    const std::size_t thread = static_cast<std::size_t>(text_of(record)[0] - '0');
    ASSERT_LT(thread, threads);
    EXPECT_EQ(text_of(record), record_of(thread, next[thread]++));
    ++seen;
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_TRUE(reader.status().ok()) << reader.status().message();
  EXPECT_TRUE(journal.close().ok());
}

TEST_F(JournalRecovery, ReadsAgainWhatWasTornAndIsNowWrittenAnew) {
  append({"first", "second"});
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 1);
  JournalReader reader;
  ASSERT_TRUE(reader.open(path_).ok());
  ConstBytes record;
  EXPECT_TRUE(reader.next(record));
  EXPECT_FALSE(reader.next(record));
  append({"another"});
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(text_of(record), "another");
  EXPECT_FALSE(reader.next(record));
}

TEST_F(JournalRecovery, ReadsRegularFilesOnlyAndWaitsForNoPipe) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  for (const std::string& path : {path_, std::string("/dev/null")}) {
    JournalReader reader;
    EXPECT_EQ(reader.open(path).message(), "open " + path + ": a Journal is a regular file");
    EXPECT_EQ(reader.status().code().value(), EINVAL);
  }
  JournalReader reader;
  EXPECT_EQ(reader.open(directory_.path()).code().value(), EISDIR);
}

TEST_F(JournalRecovery, TellsAFailedReadFromATornEnd) {
  small_journal();
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::pread, 1, EIO, Repeat::for_ever);
  const std::string contents = contents_of(path_);
  Journal journal;
  EXPECT_EQ(journal.open(path_, framed).message(),
            "read " + path_ + " at byte 0: Input/output error");
  EXPECT_EQ(contents_of(path_), contents) << "what cannot be read is not torn";
  JournalReader reader;
  EXPECT_EQ(reader.open(path_).code().value(), EIO);
}

// The payloads are holes, so that the file needs no room.
TEST_F(JournalRecovery, ScansFilesBeyondFourGibibytesInTheMemoryOfOneRecord) {
  constexpr std::uint64_t record_bytes = std::uint64_t{32} << 20;
  constexpr std::uint64_t count = 135;
  append({});
  const std::string zeros(record_bytes, '\0');
  const auto head = head_of_record(std::as_bytes(std::span(zeros)));
  {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = journal_header.size() + i * (head.size() + record_bytes);
      file.seekp(static_cast<std::streamoff>(at));
      file.write(reinterpret_cast<const char*>(head.data()), head.size());
    }
  }
  const std::uint64_t bytes = journal_header.size() + count * (head.size() + record_bytes);
  ASSERT_GT(bytes, std::uint64_t{4} << 30);
  std::filesystem::resize_file(path_, bytes + 5);
  const bool peak_is_known = reset_peak_resident_bytes();
  const std::size_t before = resident_bytes();
  const Recovered recovered = append({"behind"});
  EXPECT_EQ(recovered.whole_bytes, bytes);
  EXPECT_EQ(recovered.records, count);
  EXPECT_EQ(recovered.torn_bytes, 5u);
  EXPECT_EQ(std::filesystem::file_size(path_), bytes + head.size() + 6);
  if (peak_is_known && !sanitized) {
    EXPECT_LT(peak_resident_bytes(), before + 2 * record_bytes);
  }
}

}  // namespace
}  // namespace sluice::testing
