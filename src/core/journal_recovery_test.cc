// Framing::length_crc32c: after any change of a file's end, all whole records are found, and only
// these.
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
#include "core/journal_format.h"
#include "sluice/journal.h"
#include "testing/faulty_system_calls.h"
#include "testing/journal_bytes.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

using Ticket = Journal::Ticket;
using Records = std::vector<std::string>;

constexpr JournalOptions framed{.buffer_bytes = 64};

std::string text_of(BytesView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

BytesView bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

class JournalRecovery : public ::testing::Test {
 protected:
  // Opens the Journal, appends the records, and closes it.
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
    BytesView record;
    while (reader.next(record)) records.push_back(text_of(record));
    EXPECT_TRUE(reader.status().ok()) << reader.status().message();
    whole_bytes_ = reader.position();
    return records;
  }

  // The small Journal that the tests cut in many ways.
  std::string small_journal() {
    std::filesystem::remove(path_);
    append(small_);
    return contents_of(path_);
  }

  // Makes a file with `contents`, recovers its whole records, and appends to it.
  void expect_recovered(const std::string& contents) {
    const journal_bytes::Found found = journal_bytes::find_records(contents);
    make_file(path_, contents);
    Records expected = found.records;
    EXPECT_EQ(read_all(), expected);
    EXPECT_EQ(whole_bytes_, found.whole_bytes);
    EXPECT_EQ(contents_of(path_), contents) << "reading changes nothing";
    const Recovered recovered = append({"one more"});
    EXPECT_EQ(recovered.whole_bytes, found.whole_bytes);
    EXPECT_EQ(recovered.records, found.records.size());
    EXPECT_EQ(recovered.torn_bytes, contents.size() - found.whole_bytes);
    expect_kept(recovered, contents);
    expected.push_back("one more");
    EXPECT_EQ(read_all(), expected);
    EXPECT_EQ(whole_bytes_, std::filesystem::file_size(path_)) << "the old end must be cut off";
  }

  // The bytes that were cut off are in a file beside the Journal, unless they were zeros in place
  // of a header.
  void expect_kept(const Recovered& recovered, const std::string& contents) {
    const bool is_zeros = contents.find_first_not_of('\0') == std::string::npos;
    if (recovered.torn_bytes == 0 || (recovered.whole_bytes == 0 && is_zeros)) {
      EXPECT_EQ(recovered.torn_path, "");
      return;
    }
    EXPECT_EQ(recovered.torn_path, path_ + ".torn-" + std::to_string(recovered.whole_bytes));
    EXPECT_EQ(contents_of(recovered.torn_path), contents.substr(recovered.whole_bytes));
    std::filesystem::remove(recovered.torn_path);
  }

  static std::vector<Call> changes_in(const FaultySystemCalls& calls) {
    std::vector<Call> changes;
    for (const CallRecord& record : calls.records()) {
      constexpr Call matter[] = {Call::truncate, Call::pwritev, Call::fdatasync, Call::fsync,
                                 Call::forget_cached};
      if (std::ranges::count(matter, record.call) != 0) changes.push_back(record.call);
    }
    return changes;
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
  const Records small_ = {"alpha", "", std::string(100, '\0'), pattern(0, 150), "omega"};
  std::uint64_t whole_bytes_ = 0;
};

TEST_F(JournalRecovery, KeepsEveryRecordThatWasClosed) {
  EXPECT_EQ(append({"one"}).whole_bytes, 0u) << "a new file";
  const Recovered recovered = append({"two", "", "three"});
  EXPECT_EQ(recovered.whole_bytes, 32u + 24 + 8 + 3 + 24);
  EXPECT_EQ(recovered.records, 1u);
  EXPECT_EQ(recovered.torn_bytes, 0u);
  EXPECT_EQ(recovered.torn_path, "");
  EXPECT_EQ(read_all(), (Records{"one", "two", "", "three"}));
}

// The bytes of the file's format. Other programs may read it, so this test must never change.
TEST_F(JournalRecovery, WritesTheDocumentedBytes) {
  EXPECT_EQ(crc32c(0, std::as_bytes(std::span("123456789", 9))), 0xe3069283u)
      << "the check value in the catalogue of checksums";
  append({"123456789"});
  const std::string contents = contents_of(path_);
  const std::string id = contents.substr(16, 8);
  const auto checksum_of = [](const std::string& summed) {
    return journal_bytes::number(crc32c(0, std::as_bytes(std::span(summed))), 4);
  };
  const auto framed_bytes = [&](char position, const std::string& length,
                                const std::string& payload) {
    return length +
           checksum_of(id + position + std::string(7, '\0') + length + checksum_of(payload)) +
           payload;
  };
  const std::string zeros(7, '\0');
  const std::string length("\x09\0\0\0", 4);
  std::string expected = "sluice journal 2" + id;
  expected += checksum_of(expected) + std::string(4, '\0');
  expected += framed_bytes(32, "\xff\xff\xff\xff", '\x20' + zeros + '\x20' + zeros);
  expected += framed_bytes(56, length, "123456789");
  expected += framed_bytes(73, "\xff\xff\xff\xff", '\x49' + zeros + '\x49' + zeros);
  EXPECT_EQ(contents, expected);
}

TEST_F(JournalRecovery, GivesEachFileItsOwnId) {
  const std::string id = journal_bytes::id_of(small_journal());
  EXPECT_NE(journal_bytes::id_of(small_journal()), id);
}

TEST_F(JournalRecovery, FindsTheWholeRecordsAfterACutAtEveryByte) {
  const std::string contents = small_journal();
  for (std::size_t bytes = 0; bytes <= contents.size(); ++bytes) {
    SCOPED_TRACE("cut at byte " + std::to_string(bytes));
    expect_recovered(contents.substr(0, bytes));
    if (HasFailure()) return;
  }
}

TEST_F(JournalRecovery, CutsOffZerosAndGarbage) {
  const std::string contents = small_journal();
  for (const std::size_t bytes : {1u, 7u, 8u, 9u, 4096u, 1'000'000u}) {
    expect_recovered(contents + std::string(bytes, '\0'));
    expect_recovered(contents + std::string(bytes, '\xff'));
    expect_recovered(contents + pattern(12345, bytes));
    // A head with a length that fits into the file, and a head with a length beyond every limit.
    expect_recovered(contents + std::string("\0\0\1\0ABCD", 8) + pattern(7, bytes));
    expect_recovered(contents + std::string("\1\0\0\5ABCD", 8) + pattern(7, bytes));
  }
}

// A power cut while the file is created. The file's size may reach the disk before its bytes.
TEST_F(JournalRecovery, BeginsAnewIfTheFileHasOnlyPartsOfAHeader) {
  const std::string header = journal_bytes::header("an id :)");
  for (std::size_t bytes = 0; bytes <= header.size(); ++bytes) {
    for (const char end :
         {'\0', 'x'}) {  // replaces the id or its checksum, which may have any bytes
      std::string contents = header.substr(0, bytes) + std::string(header.size() - bytes, '\0');
      std::fill_n(contents.begin() + 24, 4, end);
      make_file(path_, contents);
      EXPECT_EQ(read_all(), Records());
      const Recovered recovered = append({"first"});
      EXPECT_EQ(recovered.whole_bytes, 0u);
      EXPECT_EQ(recovered.torn_bytes, contents.size());
      expect_kept(recovered, contents);
      EXPECT_EQ(read_all(), Records{"first"});
      EXPECT_EQ(number_of_files(directory_.path()), 1u);
    }
  }
}

TEST_F(JournalRecovery, BeginsAnewIfZerosStandBeforeTheEndOfTheHeader) {
  make_file(path_, std::string(5, '\0') + std::string(journal_bytes::magic.substr(5, 9)));
  EXPECT_EQ(append({"first"}).torn_bytes, 14u);
  EXPECT_EQ(read_all(), Records{"first"});
}

TEST_F(JournalRecovery, NamesTheCutBytesAlsoWhenItFailsAfterwards) {
  const std::string contents = small_journal() + "torn";
  make_file(path_, contents);
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::fsync, 2, EIO);  // the first fsync is for the name of the copy
  Journal journal;
  Recovered recovered;
  EXPECT_EQ(journal.open(path_, framed, &recovered).code().value(), EIO) << calls.log();
  expect_kept(recovered, contents);
}

TEST_F(JournalRecovery, HasADurableHeaderBeforeTheFirstAppend) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, framed).ok());
  EXPECT_EQ(changes_in(calls), (std::vector<Call>{Call::fdatasync, Call::forget_cached,
                                                  Call::pwritev, Call::fdatasync, Call::fsync}));
}

TEST_F(JournalRecovery, RefusesARecordThatNoJournalWrites) {
  const std::string too_long = pattern(0, Journal::max_record_bytes + 1);
  const BytesView payload = std::as_bytes(std::span(too_long));
  const JournalFormat format({});
  const auto head = format.head(journal_header_bytes, payload.size(), crc32c(0, payload));
  make_file(path_, text_of(format.header()) + text_of(head) + too_long);
  EXPECT_EQ(read_all(), Records());
}

TEST_F(JournalRecovery, CutsDurablyBeforeAnythingIsAppended) {
  const std::string contents = small_journal();
  make_file(path_, contents + "torn");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, framed).ok());
  EXPECT_EQ(changes_in(calls),
            (std::vector<Call>{Call::fdatasync, Call::forget_cached, Call::pwritev, Call::fdatasync,
                               Call::fsync,  // for the copy
                               Call::truncate, Call::fdatasync, Call::fsync}))
      << calls.log();
  EXPECT_EQ(calls.records(Call::truncate)[0].position, contents.size());
}

TEST_F(JournalRecovery, TakesRecordsUpToItsLimitAndNoLonger) {
  const std::string longest = pattern(0, Journal::max_record_bytes);
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path_).ok());
    Ticket ticket = 0;
    EXPECT_EQ(journal.append(longest + "x", ticket).code().value(), EMSGSIZE);
    EXPECT_TRUE(journal.append("short", ticket).ok()) << "and goes on";
    EXPECT_TRUE(journal.append(longest, ticket).ok());
    EXPECT_TRUE(journal.append("last", ticket).ok());
    EXPECT_TRUE(journal.commit(ticket).ok());
  }
  EXPECT_TRUE(read_all() == (Records{"short", longest, "last"}));
}

TEST_F(JournalRecovery, ReadsTheRecordsSoFarAndGoesOnWhenMoreFollow) {
  JournalReader reader;
  BytesView record;
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
    const auto found = journal_bytes::find_records(contents.substr(0, bytes + 3));
    EXPECT_EQ(records, found.records);
    EXPECT_EQ(reader.position(), found.whole_bytes)
        << "the position must be after the marks that follow";
  }
  EXPECT_EQ(records, small_);
}

// At any time the file may end inside a record. The reader gives such a record only when the record
// is whole.
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
  for (BytesView record; seen < threads * records_of_each && reader.status().ok();) {
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

TEST_F(JournalRecovery, ReadsATornRecordAgainWhenItIsWrittenAnew) {
  append({"first", "second"});
  const std::size_t whole = std::filesystem::file_size(path_) - journal_bytes::mark_bytes;
  std::filesystem::resize_file(path_, whole - 1);
  JournalReader reader;
  ASSERT_TRUE(reader.open(path_).ok());
  BytesView record;
  EXPECT_TRUE(reader.next(record));
  EXPECT_EQ(reader.position(), whole - 14) << "the ticket of the record";
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
    EXPECT_EQ(reader.open(path).message(), "open " + path + ": a Journal needs a regular file");
    EXPECT_EQ(reader.status().code().value(), EINVAL);
  }
  JournalReader reader;
  EXPECT_EQ(reader.open(directory_.path()).code().value(), EISDIR);
}

TEST_F(JournalRecovery, ReportsTornBytesThatCannotBeKept) {
  small_journal();
  const std::string contents = contents_of(path_) + "torn";
  make_file(path_, contents);
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::open, 2, EACCES);  // the first open is for the Journal
  Journal journal;
  Recovered recovered;
  const std::string whole_bytes = std::to_string(contents.size() - 4);
  EXPECT_EQ(journal.open(path_, framed, &recovered).message(),
            "open " + path_ + ": its torn end cannot be kept in " + path_ + ".torn-" + whole_bytes +
                ": Permission denied");
  EXPECT_EQ(contents_of(path_), contents);
  EXPECT_EQ(recovered.torn_bytes, 4u);
  EXPECT_EQ(recovered.whole_bytes, contents.size() - 4);
  EXPECT_EQ(recovered.torn_path, "");
}

TEST_F(JournalRecovery, SeparatesAFailedReadFromATornEnd) {
  small_journal();
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::pread, 1, EIO, Repeat::for_ever);
  const std::string contents = contents_of(path_);
  Journal journal;
  Recovered recovered;
  EXPECT_EQ(journal.open(path_, framed, &recovered).message(),
            "read " + path_ + " at byte 0: Input/output error");
  EXPECT_EQ(recovered.torn_bytes, 0u) << "the number of torn bytes is unknown";
  EXPECT_EQ(contents_of(path_), contents) << "bytes that cannot be read must not be cut off";
  JournalReader reader;
  EXPECT_EQ(reader.open(path_).code().value(), EIO);
}

// The payloads are holes, so that the file needs no room.
TEST_F(JournalRecovery, ScansFilesBeyondFourGibibytesInTheMemoryOfOneRecord) {
  constexpr std::uint64_t record_bytes = std::uint64_t{32} << 20;
  constexpr std::uint64_t count = 135;
  append({});
  const JournalFormat format = JournalFormat(id_in_header(bytes_of(contents_of(path_))));
  const std::string zeros(record_bytes, '\0');
  const std::uint32_t checksum = crc32c(0, bytes_of(zeros));
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = journal_header_bytes + i * (record_head_bytes + record_bytes);
    file.seekp(static_cast<std::streamoff>(at));
    file << text_of(format.head(at, record_bytes, checksum)) << std::flush;
  }
  const std::uint64_t bytes = journal_header_bytes + count * (record_head_bytes + record_bytes);
  ASSERT_GT(bytes, std::uint64_t{4} << 30);
  std::filesystem::resize_file(path_, bytes + 5);
  const bool peak_is_known = reset_peak_resident_bytes();
  const std::size_t before = resident_bytes();
  const Recovered recovered = append({"behind"});
  EXPECT_EQ(recovered.whole_bytes, bytes);
  EXPECT_EQ(recovered.records, count);
  EXPECT_EQ(recovered.torn_bytes, 5u);
  EXPECT_EQ(std::filesystem::file_size(path_), bytes + 2 * mark_bytes + record_head_bytes + 6);
  file.seekp(journal_header_bytes);
  file << 'x' << std::flush;
  Journal journal;
  EXPECT_EQ(journal.open(path_, framed).code().value(), EBADMSG)
      << "a mark lies far after the damage";
  if (peak_is_known && !sanitized) {
    EXPECT_LT(peak_resident_bytes(), before + 2 * record_bytes);
  }
}

}  // namespace
}  // namespace sluice::testing
