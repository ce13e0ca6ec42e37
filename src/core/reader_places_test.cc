// The places in memory to which a Reader reads, and the sizes of its reads.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/memory.h"
#include "sluice/reader.h"
#include "sluice/sources.h"
#include "testing/faulty_source.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// Gives the same bytes again and again, `bytes_per_read` at a time. Notes the places in memory.
class PlacesSource final : public Source {
 public:
  struct Notes {
    std::size_t moves = 0;  // reads that do not follow the read before in memory
    std::vector<std::size_t> asked;
  };
  PlacesSource(std::string bytes, std::size_t first_bytes, std::size_t bytes_per_read,
               std::shared_ptr<Notes> notes)
      : bytes_(std::move(bytes)),
        first_bytes_(first_bytes),
        bytes_per_read_(bytes_per_read),
        notes_(std::move(notes)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    const std::size_t most = position < first_bytes_ ? SIZE_MAX : bytes_per_read_;
    got = std::min({into.size(), bytes_.size() - static_cast<std::size_t>(position), most});
    if (into.data() != end_) ++notes_->moves;
    end_ = into.data() + got;
    notes_->asked.push_back(into.size());
    if (got > 0) std::memcpy(into.data(), bytes_.data() + position, got);
    return {};
  }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(places)";
  const std::string bytes_;
  const std::size_t first_bytes_;
  const std::size_t bytes_per_read_;
  const std::shared_ptr<Notes> notes_;
  const std::byte* end_ = nullptr;
};

TEST(ReaderPlaces, MovesFewBytesOfALineInABlockThatALongerLineHasMadeLarge) {
  constexpr std::size_t long_line = 8 << 20;
  constexpr std::size_t short_line = 1'000'000;
  const std::string text =
      std::string(long_line - 1, 'x') + '\n' + std::string(short_line - 1, 'y') + '\n';
  const auto notes = std::make_shared<PlacesSource::Notes>();
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<PlacesSource>(text, long_line, 1'460, notes)).ok());
  std::string_view line;
  ASSERT_TRUE(reader.next_line(line));
  notes->moves = 0;
  ASSERT_TRUE(reader.next_line(line));
  EXPECT_EQ(line.size(), short_line - 1);
  EXPECT_LT(notes->moves, 100u) << "of 685 reads";
}

TEST(ReaderPlaces, FillsTheRoomOfAStringOnce) {
  const std::string text(100'000, 'x');
  const auto notes = std::make_shared<PlacesSource::Notes>();
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<PlacesSource>(text, 0, 1'000, notes)).ok());
  std::string rest;
  ASSERT_TRUE(reader.read_rest(rest).ok());
  EXPECT_EQ(rest, text);
  ASSERT_GE(notes->asked.size(), 3u);  // the first read fills the room of an empty string
  EXPECT_EQ(notes->asked[2], notes->asked[1] - 1'000) << "the room that is left";
}

// Lines of 60 bytes, without an end. Counts the large reads that do not begin at the beginning of a
// page, in memory and in the source.
class LinesOf60Bytes final : public Source {
 public:
  explicit LinesOf60Bytes(std::shared_ptr<std::size_t> badly_placed)
      : badly_placed_(std::move(badly_placed)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    // The third read is short, as the read of a socket may be. It makes the next read begin
    // anywhere.
    constexpr std::size_t short_read = 3;
    ++reads_;
    const bool is_placed = position % os::page_bytes == 0 &&
                           reinterpret_cast<std::uintptr_t>(into.data()) % os::page_bytes == 0;
    if (!is_placed && into.size() > 128 * 1024 && reads_ > short_read + 1) ++*badly_placed_;
    got = reads_ == short_read ? 20'011 : into.size();
    for (std::size_t i = 0; i < got; ++i)
      into[i] = (position + i) % 60 == 59 ? std::byte{'\n'} : std::byte{'x'};
    return {};
  }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(lines)";
  std::shared_ptr<std::size_t> badly_placed_;
  std::size_t reads_ = 0;
};

TEST(ReaderPlaces, ReadsWholePagesIntoWholePages) {
  const auto badly_placed = std::make_shared<std::size_t>(0);
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<LinesOf60Bytes>(badly_placed)).ok());
  std::string_view line;
  for (int i = 0; i < 200'000; ++i) {
    ASSERT_TRUE(reader.next_line(line));
    ASSERT_EQ(line.size(), 59u);
  }
  EXPECT_EQ(*badly_placed, 0u);
}

// Zeros without an end, at any position. Notes where the reads of a block and more begin.
class AnywhereSource final : public Source {
 public:
  struct Read {
    std::uint64_t position;
    std::size_t bytes;
  };
  explicit AnywhereSource(std::shared_ptr<std::vector<Read>> reads) : reads_(std::move(reads)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    reads_->push_back({position, into.size()});
    got = into.size();
    std::memset(into.data(), 0, got);
    return {};
  }
  bool reads_anywhere() override { return true; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(anywhere)";
  const std::shared_ptr<std::vector<Read>> reads_;
};

class ReaderOfWholeBlocks : public ::testing::Test {
 protected:
  static constexpr std::size_t block = 1 << 20;

  void SetUp() override {
    ASSERT_TRUE(
        reader_.open(std::make_unique<AnywhereSource>(reads_), {.block_bytes = block}).ok());
  }
  void skip_pieces(std::size_t pieces) {
    for (std::size_t i = 0; i < pieces; ++i) ASSERT_EQ(reader_.skip(64 * 1024), 64u * 1024);
  }
  void expect_aligned_blocks() {
    for (const AnywhereSource::Read& read : *reads_) {
      EXPECT_EQ(read.position % block, 0u);
      EXPECT_EQ(read.bytes, block);
    }
  }

  const std::shared_ptr<std::vector<AnywhereSource::Read>> reads_ =
      std::make_shared<std::vector<AnywhereSource::Read>>();
  Reader reader_;
};

TEST_F(ReaderOfWholeBlocks, BeginsAtAMultipleOfTheBlock) {
  skip_pieces(32);  // the block grows
  reads_->clear();
  skip_pieces(160);
  EXPECT_EQ(reads_->size(), 10u);
  expect_aligned_blocks();
}

TEST_F(ReaderOfWholeBlocks, ReadsAWholeBlockForANearPositionAndThenAlignedOnes) {
  skip_pieces(48);
  const std::uint64_t begin = reads_->back().position;
  reads_->clear();
  ASSERT_TRUE(reader_.seek(begin - 100).ok());
  ASSERT_EQ(reads_->size(), 1u);
  EXPECT_GT(reads_->front().bytes, block - os::page_bytes);
  skip_pieces(64);
  reads_->clear();
  skip_pieces(64);
  EXPECT_EQ(reads_->size(), 4u);
  expect_aligned_blocks();
}

// Notes where in memory each pread puts its bytes.
class PlacedReads : public FaultySystemCalls {
 public:
  os::CallResult pread(int descriptor, void* into, std::size_t bytes,
                       std::uint64_t position) override {
    places.push_back(static_cast<const char*>(into));
    return FaultySystemCalls::pread(descriptor, into, bytes, position);
  }
  std::vector<const char*> places;
};

class ReaderPieces : public ::testing::Test {
 protected:
  static constexpr std::size_t large = 20 * 1024;
  static constexpr std::size_t file_bytes = 32 * large;

  void SetUp() override { make_file(path_, bytes_); }

  void open(const ReaderOptions& options = {}) { ASSERT_TRUE(reader_.open(path_, options).ok()); }

  // Reads the next bytes, and tells how many reads put bytes into the program's own memory.
  std::size_t straight_reads_for(std::size_t bytes) {
    const std::uint64_t at = reader_.position();
    calls_.places.clear();
    EXPECT_EQ(reader_.read(memory_.data(), bytes), bytes);
    EXPECT_TRUE(std::string_view(memory_).substr(0, bytes) ==
                std::string_view(bytes_).substr(at, bytes));
    return static_cast<std::size_t>(
        std::count_if(calls_.places.begin(), calls_.places.end(), [&](const char* place) {
          return place >= memory_.data() && place < memory_.data() + memory_.size();
        }));
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("in");
  const std::string bytes_ = pattern(0, file_bytes);
  std::string memory_ = std::string(file_bytes, '\0');
  PlacedReads calls_;
  os::ScopedSystemCalls in_place_{calls_};
  Reader reader_;
};

TEST_F(ReaderPieces, LargeOnesOfAFileAreNotCopied) {
  open();
  for (std::size_t i = 0; i < file_bytes / large; ++i) {
    EXPECT_EQ(straight_reads_for(large), 1u);
    EXPECT_EQ(calls_.places.size(), 1u);
  }
  EXPECT_EQ(reader_.get(), Reader::end);
}

TEST_F(ReaderPieces, SmallOnesOfAFileShareAReadOfABlock) {
  open();
  std::size_t reads = 0;
  for (std::size_t i = 0; i < file_bytes / large; ++i) {
    EXPECT_EQ(straight_reads_for(large - 1), 0u);
    reads += calls_.places.size();
  }
  EXPECT_LE(reads, 8u) << "16, 64 and then 256 KiB";
}

// Otherwise each block would end in the same place of a piece, and all pieces would be copied.
TEST_F(ReaderPieces, ASmallRestOfALargeOneIsNotCopiedEither) {
  open();
  while (reader_.position() < 6 * large) reader_.get();  // the block has grown
  const std::size_t left = reader_.peek(1).size();
  ASSERT_GT(left, large);
  EXPECT_EQ(reader_.skip(left - large + 1), left - large + 1);
  EXPECT_EQ(straight_reads_for(large), 1u) << "of the last byte";
  EXPECT_EQ(straight_reads_for(large), 1u);
}

TEST_F(ReaderPieces, LargeOnesOfADescriptorAreNotCopied) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::unique_ptr<Source> source;
  ASSERT_TRUE(open_descriptor_source(ends[0], "a pipe", source).ok());
  EXPECT_EQ(source->bypass_bytes(), large);
  source.reset();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(ReaderPieces, TheSourceThatIsWrappedSaysWhichAreLarge) {
  std::unique_ptr<Source> source;
  std::uint64_t bytes = 0;
  ASSERT_TRUE(open_file_source(path_, {}, source).ok());
  ASSERT_TRUE(reader_.open(make_counting_source(std::move(source), bytes)).ok());
  EXPECT_EQ(straight_reads_for(large), 1u);
}

// A read that waits for the disk should be as large as the block.
TEST(ReaderPiecesOfADirectFile, ComeThroughTheBlock) {
  const ScratchDirectory directory = ScratchDirectory::likely_on_disk();
  const std::string path = directory.file("in");
  make_file(path, pattern(0, 100'000));
  std::unique_ptr<Source> source;
  if (!open_file_source(path, {.direct = Direct::on}, source).ok()) {
    GTEST_SKIP() << "there is no direct I/O here";
  }
  EXPECT_EQ(source->bypass_bytes(), SIZE_MAX);
}

TEST(ReaderPiecesOfASource, AreCopiedBelowABlockUnlessTheSourceSaysOtherwise) {
  const std::string text = pattern(0, 100'000);
  for (const std::size_t bypass_bytes : {SIZE_MAX, std::size_t{1'000}}) {
    const auto script = std::make_shared<SourceScript>();
    script->bytes = text;
    script->bypass_bytes = bypass_bytes;
    Reader reader;
    ASSERT_TRUE(reader.open(std::make_unique<FaultySource>(script), {.block_bytes = 10'000}).ok());
    std::string into(1'000, '\0');
    for (std::size_t at = 0; at < text.size(); at += into.size()) {
      ASSERT_EQ(reader.read(into.data(), into.size()), into.size());
      ASSERT_TRUE(into == text.substr(at, into.size()));
    }
    EXPECT_EQ(script->reads, bypass_bytes == SIZE_MAX ? 10u : 100u);
  }
}

}  // namespace
}  // namespace sluice::testing
