// The Reader as a user sees it: bytes, records, files that change, the end, and failures.
#include "sluice/reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "testing/faulty_source.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

using Sizes = std::initializer_list<std::size_t>;

// The remaining bytes, read one by one or in pieces.
std::string rest_by_get(Reader& reader) {
  std::string bytes;
  for (int byte = reader.get(); byte != Reader::end; byte = reader.get()) {
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string rest_by_read(Reader& reader, std::size_t piece_bytes) {
  std::string bytes;
  std::string piece(piece_bytes, '\0');
  for (;;) {
    const std::size_t got = reader.read(piece.data(), piece.size());
    bytes.append(piece, 0, got);
    if (got < piece.size()) return bytes;
  }
}

TEST(Reader, ReadsEveryByteByGet) {
  const std::string bytes = pattern(0, 1'000);
  for (const std::size_t block_bytes : Sizes{1, 2, 3, 7, 16, 64, 999, 1'000, 1'001, 4096}) {
    Reader reader;
    ASSERT_TRUE(
        reader
            .open(make_memory_source(std::as_bytes(std::span(bytes))), {.block_bytes = block_bytes})
            .ok());
    EXPECT_EQ(reader.position(), 0u);
    EXPECT_TRUE(rest_by_get(reader) == bytes) << block_bytes;
    EXPECT_EQ(reader.get(), Reader::end);
    EXPECT_EQ(reader.position(), 1'000u);
    EXPECT_TRUE(reader.close().ok());
  }
}

TEST(Reader, ReadsEverySizeOfPiece) {
  const std::string bytes = pattern(0, 2'000);
  for (const std::size_t block_bytes : Sizes{1, 7, 64, 256}) {
    for (std::size_t piece = 1; piece <= 3 * block_bytes + 1; ++piece) {
      const auto script = std::make_shared<SourceScript>();
      script->bytes = bytes;
      script->max_bytes_per_read = piece % 3 == 0 ? 5 : SIZE_MAX;
      Reader reader;
      ASSERT_TRUE(
          reader.open(std::make_unique<FaultySource>(script), {.block_bytes = block_bytes}).ok());
      ASSERT_EQ(reader.get(), static_cast<unsigned char>(bytes[0]));
      ASSERT_TRUE(rest_by_read(reader, piece) == bytes.substr(1)) << block_bytes << " " << piece;
      ASSERT_EQ(reader.position(), bytes.size());
      ASSERT_FALSE(script->out_of_turn);
    }
  }
}

TEST(Reader, ReadsNothingForZeroBytes) {
  Reader reader;
  EXPECT_EQ(reader.read(nullptr, 0), 0u);
  ASSERT_TRUE(reader.open(make_memory_source({})).ok());
  EXPECT_EQ(reader.read(nullptr, 0), 0u);
  EXPECT_EQ(reader.read(MutableBytesView()), 0u);
  EXPECT_TRUE(reader.status().ok());
}

TEST(Reader, AsksALargeReadOfItsSourceOnce) {
  const auto script = std::make_shared<SourceScript>();
  script->bytes = pattern(0, 100'000);
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<FaultySource>(script), {.block_bytes = 4096}).ok());
  std::string into(100'000, '\0');
  EXPECT_EQ(reader.read(into.data(), into.size()), into.size());
  EXPECT_TRUE(into == script->bytes);
  EXPECT_LE(script->reads, 2u) << "a large read need not pass through the block";
}

TEST(Reader, SeparatesTheEndFromAFailure) {
  const auto script = std::make_shared<SourceScript>();
  script->bytes = "0123456789";
  script->fail_at = 4;
  for (const std::size_t block_bytes : Sizes{1, 3, 100}) {
    script->next_position = 0;
    script->closes = 0;
    Reader reader;
    ASSERT_TRUE(
        reader.open(std::make_unique<FaultySource>(script), {.block_bytes = block_bytes}).ok());
    EXPECT_EQ(rest_by_get(reader), "0123") << "the bytes before the failure are right";
    EXPECT_EQ(reader.status().message(), "read (script) at byte 4: Input/output error");
    EXPECT_EQ(reader.get(), Reader::end);
    script->fail_at = 100;  // the Source could go on, but the failure stays
    EXPECT_EQ(reader.get(), Reader::end);
    EXPECT_EQ(reader.close().message(), "read (script) at byte 4: Input/output error");
    EXPECT_EQ(reader.close().offset(), 4u);
    EXPECT_EQ(script->closes, 1u);
    script->fail_at = 4;
  }
}

TEST(Reader, ReportsAFailureToClose) {
  const auto script = std::make_shared<SourceScript>();
  script->close_error = EIO;
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<FaultySource>(script)).ok());
  EXPECT_EQ(reader.close().operation(), Operation::close);
  EXPECT_EQ(reader.close().code().value(), EIO);
  EXPECT_EQ(script->closes, 1u);
}

TEST(Reader, GivesNothingOnceClosed) {
  Reader reader;
  const std::string bytes = "0123456789";
  ASSERT_TRUE(reader.open(make_memory_source(std::as_bytes(std::span(bytes)))).ok());
  EXPECT_EQ(reader.get(), '0');
  EXPECT_TRUE(reader.close().ok());
  EXPECT_FALSE(reader.is_open());
  EXPECT_EQ(reader.get(), Reader::end);
  std::string_view line;
  EXPECT_FALSE(reader.next_line(line));
  char byte = 0;
  EXPECT_EQ(reader.read(&byte, 1), 0u);
  EXPECT_EQ(reader.position(), 1u);
  EXPECT_TRUE(reader.records<char>().begin() == std::default_sentinel);
  EXPECT_TRUE(reader.close().ok());
}

// Otherwise a loop over the lines of a closed Reader would look like an empty file.
TEST(Reader, FailsOnceItIsReadAfterClose) {
  const std::function<void(Reader&)> calls[] = {
      [](Reader& reader) { reader.get(); },
      [](Reader& reader) { reader.peek(1); },
      [](Reader& reader) { reader.skip(1); },
      [](Reader& reader) {
        for (const std::string_view line : reader.lines()) EXPECT_EQ(line, "no line");
      },
      [](Reader& reader) {
        std::string_view part;
        EXPECT_FALSE(reader.read_until(',', part));
      },
      [](Reader& reader) {
        int value = 0;
        EXPECT_FALSE(reader.next_number(value));
      },
      [](Reader& reader) {
        int value = 0;
        EXPECT_FALSE(reader.next_number(value, 37)) << "the base is wrong too";
      },
      [](Reader& reader) {
        long value = 0;
        EXPECT_FALSE(reader.read_value(value));
      },
      [](Reader& reader) { EXPECT_TRUE(reader.records<int>().begin() == std::default_sentinel); },
  };
  for (const auto& call : calls) {
    SCOPED_TRACE(&call - &calls[0]);
    const std::string bytes = "1 2";
    Reader reader;
    ASSERT_TRUE(reader.open(make_memory_source(std::as_bytes(std::span(bytes)))).ok());
    EXPECT_EQ(reader.get(), '1');
    EXPECT_TRUE(reader.close().ok());
    EXPECT_TRUE(reader.status().ok());
    call(reader);
    EXPECT_EQ(reader.status().message(), "read (memory): the Reader is closed");
    EXPECT_EQ(reader.status().code().value(), EBADF);
    EXPECT_EQ(reader.position(), 1u);
    EXPECT_TRUE(reader.close().ok()) << "the result of the first close";
  }
}

// Says that it has fetched one byte more than it was asked for.
class BoastfulSource final : public Source {
 public:
  Status read(std::uint64_t, MutableBytesView into, std::size_t& got) override {
    got = into.size() + 1;
    return {};
  }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(boastful)";
};

TEST(Reader, FailsIfItsSourceReportsMoreBytesThanItWasAskedFor) {
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<BoastfulSource>()).ok());
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_EQ(reader.close().message(),
            "read (boastful) at byte 0: the Source reported more bytes than it was asked for");
  ASSERT_TRUE(reader.open(std::make_unique<BoastfulSource>()).ok());
  std::string large(1'000'000, ' ');
  EXPECT_EQ(reader.read(large.data(), large.size()), 0u);
  EXPECT_EQ(reader.close().code().value(), EIO);
}

TEST(Reader, GivesNothingBeforeItIsOpened) {
  Reader reader;
  EXPECT_FALSE(reader.is_open());
  EXPECT_EQ(reader.get(), Reader::end);
  std::string_view line;
  EXPECT_FALSE(reader.next_line(line));
  EXPECT_EQ(reader.position(), 0u);
  EXPECT_FALSE(reader.status().ok());
  EXPECT_FALSE(reader.close().ok());
}

TEST(Reader, NamesAFileThatCouldNotBeOpened) {
  const ScratchDirectory directory;
  const std::string missing = directory.file("missing");
  Reader reader;
  EXPECT_EQ(reader.open(missing).message(), "open " + missing + ": No such file or directory");
  EXPECT_EQ(reader.status().message(), "open " + missing + ": No such file or directory");
  EXPECT_FALSE(reader.is_open());
  EXPECT_FALSE(reader.open(std::unique_ptr<Source>()).ok());
}

TEST(Reader, ReportsADirectory) {
  const ScratchDirectory directory;
  Reader reader;
  const Status opened = reader.open(directory.path());
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_EQ(reader.status().code().value(), EISDIR) << reader.status().message();
  EXPECT_EQ(reader.close().path(), directory.path());
  EXPECT_TRUE(opened.ok() || opened.code().value() == EISDIR);
}

TEST(Reader, RefusesToBeOpenedTwice) {
  const std::string bytes = "bytes";
  Reader reader;
  ASSERT_TRUE(reader.open(make_memory_source(std::as_bytes(std::span(bytes)))).ok());
  const Status again = reader.open("/proc/self/maps");
  EXPECT_EQ(again.code().value(), EBUSY);
  EXPECT_EQ(again.message(), "open /proc/self/maps: the Reader is open already, for (memory)");
  EXPECT_EQ(rest_by_get(reader), "bytes") << "the open file must not be disturbed";
  EXPECT_TRUE(reader.close().ok());
  ASSERT_TRUE(reader.open(make_memory_source(std::as_bytes(std::span(bytes)))).ok());
  EXPECT_EQ(reader.position(), 0u);
  EXPECT_EQ(rest_by_get(reader), "bytes");
}

// ---- R1: sizes are hints ----

TEST(Reader, ReadsFilesThatWronglySayTheyAreEmpty) {
  Reader reader;
  ASSERT_TRUE(reader.open("/proc/self/maps").ok());
  std::size_t lines = 0;
  bool stack = false;
  for (const std::string_view line : reader.lines()) {
    ++lines;
    stack = stack || line.ends_with("[stack]");
  }
  EXPECT_TRUE(reader.close().ok()) << reader.status().message();
  EXPECT_GT(lines, 10u);
  EXPECT_TRUE(stack);
}

TEST(Reader, ReadsAFileOfTheSystem) {
  Reader reader;
  ASSERT_TRUE(reader.open("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").ok());
  std::string_view line;
  EXPECT_TRUE(reader.next_line(line));
  EXPECT_EQ(line, "2097152");
  EXPECT_FALSE(reader.next_line(line));
  EXPECT_TRUE(reader.close().ok()) << reader.status().message();
}

TEST(Reader, GivesALineOfAFifoAsSoonAsItIsThere) {
  const ScratchDirectory directory;
  const std::string path = directory.file("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int writing_end = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(writing_end, 0);
  Reader reader;
  ASSERT_TRUE(reader.open(path).ok());
  // The writing end stays open, so a Reader that waited for a full block would hang here.
  ASSERT_EQ(::write(writing_end, "one\ntwo\n", 8), 8);
  std::string_view line;
  ASSERT_TRUE(reader.next_line(line));
  EXPECT_EQ(line, "one");
  ASSERT_TRUE(reader.next_line(line));
  EXPECT_EQ(line, "two");
  ASSERT_EQ(::write(writing_end, "x", 1), 1);
  EXPECT_EQ(reader.get(), 'x');
  ASSERT_EQ(::write(writing_end, "abc", 3), 3);
  char three[3];
  EXPECT_EQ(reader.read(three, 3), 3u);
  ::close(writing_end);
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_TRUE(reader.close().ok());
}

TEST(Reader, ReadsFromTheOffsetOfADescriptor) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), "before0123456789");
  const int descriptor = ::open(directory.file("in").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::lseek(descriptor, 6, SEEK_SET), 6);
  {
    Reader reader;
    ASSERT_TRUE(reader.attach(descriptor, "in").ok());
    EXPECT_EQ(rest_by_get(reader), "0123456789");
    EXPECT_TRUE(reader.close().ok());
  }
  EXPECT_EQ(::lseek(descriptor, 0, SEEK_CUR), 16)
      << "the caller's descriptor must be open and have moved";
  ::close(descriptor);
}

class ReaderOfAChangingFile : public ::testing::TestWithParam<const char*> {
 protected:
  void append(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::app) << bytes;
  }

  ScratchDirectory directory_{GetParam()};
  const std::string path_ = directory_.file("in");
};

TEST_P(ReaderOfAChangingFile, SeesBytesThatAreAppendedWhileItReads) {
  make_file(path_, pattern(0, 10'000));
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.block_bytes = 4096}).ok());
  std::string read(6'000, '\0');
  EXPECT_EQ(reader.read(read.data(), read.size()), read.size());
  append(pattern(10'000, 5'000));
  read += rest_by_get(reader);
  EXPECT_TRUE(read == pattern(0, 15'000));
  EXPECT_TRUE(reader.close().ok());
}

TEST_P(ReaderOfAChangingFile, EndsWhereTheFileWasCut) {
  make_file(path_, pattern(0, 50'000));
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.block_bytes = 4096}).ok());
  std::string read(6'000, '\0');
  EXPECT_EQ(reader.read(read.data(), read.size()), read.size());
  ASSERT_EQ(::truncate(path_.c_str(), 20'000), 0);
  read += rest_by_get(reader);
  EXPECT_TRUE(read == pattern(0, 20'000));
  EXPECT_TRUE(reader.close().ok()) << reader.status().message();
}

TEST_P(ReaderOfAChangingFile, EndsAtOnceWhereTheFileWasCutBelowItsPosition) {
  make_file(path_, pattern(0, 50'000));
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.block_bytes = 4096}).ok());
  std::string read(8'192, '\0');
  EXPECT_EQ(reader.read(read.data(), read.size()), read.size());
  ASSERT_EQ(::truncate(path_.c_str(), 0), 0);
  read += rest_by_get(reader);
  EXPECT_TRUE(pattern(0, 50'000).starts_with(read))
      << "the Reader gave bytes that the file never had";
  EXPECT_TRUE(reader.close().ok());
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndOnDisk, ReaderOfAChangingFile,
                         ::testing::Values("/tmp", ScratchDirectory::on_disk),
                         [](const auto& place) {
                           return std::string(place.index == 0 ? "Tmp" : "Disk");
                         });

TEST(Reader, ReadsBeyondTwoAndFourGibibytes) {
  const ScratchDirectory directory;
  const std::string path = directory.file("sparse");
  constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
  const std::string mark = "here";
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const std::array<std::uint64_t, 3> places = {2 * gibibyte + 5, 3 * gibibyte, 4 * gibibyte + 5};
  for (const std::uint64_t place : places) {
    ASSERT_EQ(::pwrite(descriptor, mark.data(), mark.size(), static_cast<off_t>(place)), 4);
  }
  ::close(descriptor);

  Reader reader;
  ASSERT_TRUE(reader.open(path).ok());
  std::string piece(1 << 20, '\0');
  std::size_t marks = 0;
  for (std::size_t got = piece.size(); got == piece.size();) {
    const std::uint64_t position = reader.position();
    got = reader.read(piece.data(), piece.size());
    for (const std::uint64_t place : places) {
      if (place < position || place >= position + got) continue;
      EXPECT_EQ(piece.substr(place - position, mark.size()), mark) << place;
      ++marks;
    }
  }
  EXPECT_EQ(marks, places.size());
  EXPECT_EQ(reader.position(), 4 * gibibyte + 9);
  EXPECT_TRUE(reader.close().ok());
}

// ---- records ----

struct Sample {
  std::uint32_t time;
  float values[5];
  bool operator==(const Sample&) const = default;
};
static_assert(sizeof(Sample) == 24);

struct alignas(16) Wide {
  std::array<std::uint64_t, 4> words;
  bool operator==(const Wide&) const = default;
};

template <typename T>
class ReaderRecords : public ::testing::Test {
 protected:
  // Reads records that lie after `before` other bytes, with `after` bytes of one more record.
  static void read_records(std::size_t before, std::size_t count, std::size_t after,
                           std::size_t block_bytes, std::size_t max_bytes_per_read) {
    SCOPED_TRACE(std::to_string(before) + " bytes, " + std::to_string(count) + " records, " +
                 std::to_string(after) + " bytes, blocks of " + std::to_string(block_bytes));
    const auto script = std::make_shared<SourceScript>();
    script->bytes = pattern(0, before + count * sizeof(T) + after);
    script->max_bytes_per_read = max_bytes_per_read;
    Reader reader;
    ASSERT_TRUE(
        reader.open(std::make_unique<FaultySource>(script), {.block_bytes = block_bytes}).ok());
    for (std::size_t i = 0; i < before; ++i) reader.get();
    std::string seen;
    for (const std::span<const T> records : reader.records<T>()) {
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(records.data()) % alignof(T), 0u);
      ASSERT_FALSE(records.empty());
      seen.append(reinterpret_cast<const char*>(records.data()), records.size_bytes());
    }
    ASSERT_TRUE(seen == script->bytes.substr(before, count * sizeof(T)));
    ASSERT_EQ(reader.status().ok(), after == 0) << reader.status().message();
    ASSERT_EQ(reader.position(), before + count * sizeof(T));
    if (after > 0) {
      ASSERT_EQ(reader.status().code().value(), EBADMSG);
      ASSERT_EQ(reader.status().offset(), before + count * sizeof(T));
      ASSERT_FALSE(reader.close().ok());
    }
  }
};

using RecordTypes = ::testing::Types<std::uint8_t, std::uint16_t, std::uint64_t, Sample, Wide>;
TYPED_TEST_SUITE(ReaderRecords, RecordTypes);

TYPED_TEST(ReaderRecords, AreAlignedAndWholeForEveryEndOfABlock) {
  for (const std::size_t block_bytes : Sizes{1, 5, 24, 25, 64, 1'000, 100'000}) {
    for (std::size_t before = 0; before <= 33; ++before) {
      for (const std::size_t max_bytes : {std::size_t{1}, std::size_t{13}, SIZE_MAX}) {
        TestFixture::read_records(before, 50, 0, block_bytes, max_bytes);
        if (this->HasFailure()) return;
      }
    }
  }
}

TYPED_TEST(ReaderRecords, RefuseEveryPartOfARecordAtTheEndWithItsOffset) {
  for (std::size_t after = 1; after < sizeof(TypeParam); ++after) {
    for (const std::size_t block_bytes : Sizes{1, 24, 4096}) {
      for (const std::size_t count : Sizes{0, 1, 100}) {
        TestFixture::read_records(3, count, after, block_bytes, SIZE_MAX);
        if (this->HasFailure()) return;
      }
    }
  }
}

TEST(ReaderRecords, ComeManyAtATime) {
  const std::string bytes = pattern(0, 8 * 100'000);
  Reader reader;
  ASSERT_TRUE(
      reader.open(make_memory_source(std::as_bytes(std::span(bytes))), {.block_bytes = 65'536})
          .ok());
  std::size_t spans = 0;
  for (const auto records : reader.records<std::uint64_t>()) spans += records.empty() ? 0u : 1u;
  EXPECT_LE(spans, 30u);
}

TEST(ReaderRecords, KeepAFailureOfTheSourceApartFromAPartialRecord) {
  const auto script = std::make_shared<SourceScript>();
  script->bytes = pattern(0, 1'000);
  script->fail_at = 100;  // in the middle of a record
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<FaultySource>(script), {.block_bytes = 64}).ok());
  std::size_t count = 0;
  for (const auto records : reader.records<Sample>()) count += records.size();
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(reader.status().code().value(), EIO) << reader.status().message();
  EXPECT_EQ(reader.close().offset(), 100u);
}

}  // namespace
}  // namespace sluice::testing
