#include "bench/data.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/scratch.h"

namespace sluice::bench {
namespace {

class Data : public testing::Test {
 protected:
  std::string write(const std::string& content) const {
    std::ofstream(path_, std::ios::binary) << content;
    return path_;
  }

  Scratch scratch_{testing::TempDir()};
  std::string path_ = scratch_.path() + "/file";
};

std::string pattern(std::uint64_t bytes) {
  std::string text(bytes, '\0');
  for (std::uint64_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(byte_at(i));
  return text;
}

TEST_F(Data, GivesAFileTheHashOfItsBytes) {
  const std::string content = "some text\n";
  EXPECT_EQ(hash_file(write(content)), hash_bytes(content.data(), content.size()));
  // XXH3_64bits("") with the default secret, as published with the algorithm.
  EXPECT_EQ(hash_file(write("")), 0x2d06800538d394c2u);
}

TEST_F(Data, HashesPieceByPieceAsAtOnce) {
  const std::string content = pattern(1'000'003);
  Hasher hasher;
  for (std::size_t i = 0; i < content.size(); i += 777) {
    const std::string piece = content.substr(i, 777);
    hasher.update(piece.data(), piece.size());
  }
  EXPECT_EQ(hasher.digest(), hash_bytes(content.data(), content.size()));
}

TEST_F(Data, MakesThePatternInEveryLength) {
  for (const std::uint64_t bytes : {0u, 1u, 65'535u, 262'144u, 262'145u, 1'000'003u}) {
    make_pattern_file(path_, bytes);
    const std::string expected = pattern(bytes);
    EXPECT_EQ(std::filesystem::file_size(path_), bytes);
    EXPECT_EQ(hash_file(path_), hash_bytes(expected.data(), expected.size())) << bytes;
    EXPECT_EQ(hash_pattern(bytes), hash_file(path_)) << bytes;
  }
}

TEST_F(Data, AcceptsTheFileThatWasExpected) {
  make_pattern_file(path_, 70'000);
  EXPECT_NO_THROW(expect_file(path_, 70'000, hash_pattern(70'000)));
}

TEST_F(Data, NamesTheFileWhoseSizeOrBytesAreWrong) {
  const auto message = [this](std::uint64_t bytes, std::uint64_t hash) -> std::string {
    try {
      expect_file(path_, bytes, hash);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  write("abc");
  EXPECT_EQ(message(4, 0), path_ + " has 3 bytes instead of 4");
  EXPECT_NE(message(3, hash_bytes("abd", 3)).find(path_ + " has the wrong bytes"),
            std::string::npos);
  std::filesystem::remove(path_);
  EXPECT_EQ(message(3, 0), "open " + path_ + ": No such file or directory");
}

TEST_F(Data, KeepsTheBytesOfAFileWhoseCacheIsDropped) {
  make_pattern_file(path_, 300'000);
  drop_cache(path_);
  EXPECT_NO_THROW(expect_file(path_, 300'000, hash_pattern(300'000)));
}

}  // namespace
}  // namespace sluice::bench
