// Bytes that do not shrink are stored without an attempt; bytes that shrink are found again.
#include "compression/shrink_guess.h"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string>
#include <vector>

#include "sluice/compression.h"
#include "sluice/lz4.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/faulty_system_calls.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t bytes_of_a_frame = 64 * 1024;

std::string random_bytes(std::size_t bytes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::string text(bytes, '\0');
  for (char& byte : text) byte = static_cast<char>(random());
  return text;
}

// Every byte value is as frequent as the others, and each record of `bytes` bytes comes twice.
std::string random_records(std::size_t bytes) {
  std::string text;
  for (unsigned seed = 0; text.size() < bytes_of_a_frame; ++seed) {
    const std::string record = random_bytes(bytes, seed);
    text += record + record;
  }
  text.resize(bytes_of_a_frame);
  return text;
}

std::string random_letters() {
  std::string text = random_bytes(bytes_of_a_frame, 1);
  for (char& byte : text) byte = static_cast<char>('a' + (byte & 15));
  return text;
}

bool is_worth_trying(ShrinkGuess& guess, const std::string& frame) {
  const BytesView piece = view_of(frame);
  return guess.is_worth_trying({&piece, 1});
}

// The answer for a frame that comes after one that did not shrink.
bool is_worth_trying_later(const std::string& frame, ShrinkGuess::Codes codes) {
  ShrinkGuess guess(codes);
  EXPECT_TRUE(is_worth_trying(guess, random_bytes(bytes_of_a_frame, 2)));
  guess.tried(false);
  return is_worth_trying(guess, frame);
}

TEST(ShrinkGuess, TriesNoRandomBytesAgain) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const std::string frame = random_bytes(bytes_of_a_frame, seed);
    ASSERT_FALSE(is_worth_trying_later(frame, ShrinkGuess::Codes::bytes_too)) << seed;
  }
}

TEST(ShrinkGuess, TriesEveryFrameBehindOneThatHasShrunk) {
  ShrinkGuess guess(ShrinkGuess::Codes::bytes_too);
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(is_worth_trying(guess, random_bytes(bytes_of_a_frame, seed)));
    guess.tried(true);
  }
}

TEST(ShrinkGuess, TriesWhatShrinks) {
  for (const auto codes : {ShrinkGuess::Codes::repetitions, ShrinkGuess::Codes::bytes_too}) {
    EXPECT_TRUE(is_worth_trying_later(lines(bytes_of_a_frame), codes));
    EXPECT_TRUE(is_worth_trying_later(std::string(bytes_of_a_frame, 'x'), codes));
    EXPECT_TRUE(is_worth_trying_later(random_records(100), codes));
    EXPECT_TRUE(is_worth_trying_later("a short frame", codes));
  }
}

TEST(ShrinkGuess, TriesFrequentBytesOnlyForACodecThatGainsFromThem) {
  EXPECT_TRUE(is_worth_trying_later(random_letters(), ShrinkGuess::Codes::bytes_too));
  EXPECT_FALSE(is_worth_trying_later(random_letters(), ShrinkGuess::Codes::repetitions));
}

TEST(ShrinkGuess, LooksAtEachPieceOfAFrame) {
  const std::string frame = lines(bytes_of_a_frame);
  std::vector<BytesView> pieces;
  for (std::size_t at = 0; at < frame.size(); at += 100) {
    pieces.push_back(view_of(std::string_view(frame).substr(at, 100)));
  }
  ShrinkGuess guess(ShrinkGuess::Codes::bytes_too);
  EXPECT_TRUE(guess.is_worth_trying(pieces));
  guess.tried(false);
  EXPECT_TRUE(guess.is_worth_trying(pieces));
}

TEST(ShrinkGuess, TriesAFrameNowAndThenAndLessAndLessOften) {
  ShrinkGuess guess(ShrinkGuess::Codes::bytes_too);
  const std::string frame = random_bytes(bytes_of_a_frame, 1);
  std::vector<int> tried;
  for (int i = 0; i < 300; ++i) {
    if (!is_worth_trying(guess, frame)) continue;
    tried.push_back(i);
    guess.tried(false);
  }
  EXPECT_EQ(tried, (std::vector<int>{0, 8, 24, 56, 120, 184, 248}));
}

class CodecThatStores : public ::testing::TestWithParam<const Codec* (*)()> {};

// A program or a disk image begins with compressed bytes, and has text later.
TEST_P(CodecThatStores, CompressesTheTextBehindRandomBytes) {
  const CompressionOptions options{.frame_bytes = bytes_of_a_frame, .frames_at_a_time = 2};
  const std::string random = random_bytes(20 * bytes_of_a_frame, 1);
  const std::string text = lines(20 * bytes_of_a_frame);
  const std::size_t alone = compressed_by(*GetParam()(), text, options).size();
  const std::string file = compressed_by(*GetParam()(), random + text + random, options);
  EXPECT_LE(file.size(), (2 * random.size() + alone) * 1001 / 1000);
  std::string back;
  EXPECT_TRUE(decompress(file, back).ok());
  EXPECT_TRUE(back == random + text + random);
}

// Counts the bytes that it gets from a given piece of memory.
class CountingTarget final : public Sink {
 public:
  explicit CountingTarget(BytesView memory) : memory_(memory) {}
  Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
    written = 0;
    for (const BytesView piece : pieces) {
      written += piece.size();
      const bool is_in = piece.data() >= memory_.data() &&
                         piece.data() + piece.size() <= memory_.data() + memory_.size();
      bytes += is_in ? piece.size() : 0;
    }
    return {};
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

  std::size_t bytes = 0;

 private:
  const BytesView memory_;
  const std::string path_ = "(memory)";
};

TEST_P(CodecThatStores, WritesStoredBytesWithoutACopy) {
  const std::string random = random_bytes(20 * bytes_of_a_frame, 1);
  const BytesView bytes = view_of(random);
  auto target = std::make_unique<CountingTarget>(bytes);
  CountingTarget& counts = *target;
  std::unique_ptr<Sink> sink;
  ASSERT_TRUE(make_compressing_sink(std::move(target), *GetParam()(), {}, sink).ok());
  std::size_t written = 0;
  EXPECT_TRUE(sink->write(0, {&bytes, 1}, written).ok());
  EXPECT_EQ(written, random.size());
  EXPECT_EQ(counts.bytes, random.size());
}

// The block of a Writer and the program's memory may share a frame.
TEST_P(CodecThatStores, WritesAFrameByOneSystemCall) {
  constexpr std::size_t frame_bytes = 1 << 20;
  const ScratchDirectory directory;
  const std::string random = random_bytes(frame_bytes, 1);
  const BytesView bytes = view_of(random);
  const BytesView pieces[] = {bytes.first(300'000), bytes.subspan(300'000)};
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  std::unique_ptr<Sink> file, sink;
  ASSERT_TRUE(open_file_sink(directory.file("out"), {}, file).ok());
  ASSERT_TRUE(make_compressing_sink(std::move(file), *GetParam()(), {}, sink).ok());
  std::size_t written = 0;
  EXPECT_TRUE(sink->write(0, pieces, written).ok());
  EXPECT_EQ(written, frame_bytes);
  EXPECT_EQ(calls.count(Call::pwritev), 1u) << calls.log();
  EXPECT_TRUE(sink->close().ok());
}

INSTANTIATE_TEST_SUITE_P(Every, CodecThatStores,
                         ::testing::Values([] { return &zstd(); }, [] { return &lz4(); }));

}  // namespace
}  // namespace sluice::testing
