// Files of write sizes: their meaning, and one clear line for each kind of mistake in them.
#include "bench/experiments/pieces/sizes.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "bench/experiments/registry.h"
#include "testing/scratch_directory.h"

namespace sluice::bench {
namespace {

using testing::ScratchDirectory;

class Sizes : public ::testing::Test {
 protected:
  SizeSequence read(const std::string& text) {
    testing::make_file(path_, text);
    return read_size_sequence(path_);
  }

  // The message about the file that holds `text`, or "" if the file is right.
  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const std::runtime_error& error) {
      std::string message = error.what();
      const std::string start = "replay " + path_;
      EXPECT_TRUE(message.starts_with(start)) << message;
      return message.substr(std::min(message.size(), start.size()));
    }
    return "";
  }

  ScratchDirectory scratch_;
  std::string path_ = scratch_.file("x.sizes");
};

TEST_F(Sizes, AreReadInOrder) {
  const SizeSequence sequence = read("3 1\n1 400\n5000 2\n");
  ASSERT_EQ(sequence.groups.size(), 3U);
  EXPECT_EQ(sequence.groups[1].bytes, 1U);
  EXPECT_EQ(sequence.groups[1].count, 400U);
  EXPECT_EQ(sequence.bytes(), 3U + 400 + 10'000);
  EXPECT_EQ(sequence.operations(), 403U);
  EXPECT_EQ(sequence.largest(), 5000U);
}

TEST_F(Sizes, MayHaveCommentsBlanksAndNoLastNewline) {
  const SizeSequence sequence = read("# recorded\n\n  3\t1 \r\n \n0 7\n4 2");
  EXPECT_EQ(sequence.groups.size(), 3U);
  EXPECT_EQ(sequence.bytes(), 11U);
  EXPECT_EQ(sequence.operations(), 10U);
}

TEST_F(Sizes, AreRepeatedAsFewTimesAsNeeded) {
  SizeSequence sequence = read("10 3\n");
  sequence.repeat_to(60);
  EXPECT_EQ(sequence.bytes(), 60U);
  sequence.repeat_to(61);
  EXPECT_EQ(sequence.bytes(), 90U);
  sequence.repeat_to(0);
  EXPECT_EQ(sequence.bytes(), 30U);
}

TEST_F(Sizes, PiecesTogetherAreThePattern) {
  SizeSequence sequence = read("3 1\n1 400\n70000 3\n0 1\n");
  sequence.repeat_to(500'000);
  std::string joined;
  each_piece(sequence, PatternMemory(sequence.largest()),
             [&](const char* data, std::size_t bytes) { joined.append(data, bytes); });
  ASSERT_EQ(joined.size(), sequence.bytes());
  for (std::size_t i = 0; i < joined.size(); ++i) {
    ASSERT_EQ(static_cast<unsigned char>(joined[i]), byte_at(i)) << i;
  }
}

TEST_F(Sizes, ThatAreNotNumbersAreRefusedWithTheirLine) {
  const std::string expected = "' is not SIZE COUNT, two whole numbers such as '4096 12'";
  for (const std::string line : {"x", "12", "12 ", "12x 3", "12 3x", "-1 3", "1.5 3", "12 3 4",
                                 "12,3", "99999999999999999999 1", "1 99999999999999999999"}) {
    std::string shown = line;
    while (shown.ends_with(' ')) shown.pop_back();
    EXPECT_EQ(error_of("# one\n4 5\n" + line + "\n"), " line 3: '" + shown + expected);
  }
}

TEST_F(Sizes, ThatAreImpossibleAreRefusedWithTheirLine) {
  EXPECT_EQ(error_of("4 0\n"), " line 1: a count of 0 means no write: leave the line out");
  EXPECT_EQ(error_of("1073741825 1\n"),
            " line 1: a size of 1073741825 is more than 1073741824, the largest allowed");
  EXPECT_EQ(error_of("1073741824 1048576\n1 1\n"), " line 2: the sizes add up to more than 1 PiB");
  EXPECT_EQ(error_of("0 18446744073709551615\n0 2\n1 1\n"),
            " line 1: there are more than 2^50 writes");
  EXPECT_EQ(error_of("0 1125899906842623\n1 1\n1 1\n"), " line 3: there are more than 2^50 writes");
  EXPECT_EQ(error_of(""), ": its writes have no bytes");
  EXPECT_EQ(error_of("0 5\n"), ": its writes have no bytes");
}

TEST_F(Sizes, InAMissingFileAreAnError) {
  Settings settings;
  settings.replay_file = path_;
  try {
    replay_experiment(settings);
    ADD_FAILURE() << "there is no such file";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(path_ + ": No such file or directory"),
              std::string::npos)
        << error.what();
  }
}

TEST(Replay, WithoutAFileSaysThatItNeedsOne) {
  EXPECT_THROW(replay_experiment({}), std::runtime_error);
}

}  // namespace
}  // namespace sluice::bench
