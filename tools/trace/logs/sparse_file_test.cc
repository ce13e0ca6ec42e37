#include "trace/logs/sparse_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>

#include "testing/scratch_directory.h"

namespace sluice::trace {
namespace {

constexpr std::size_t bytes = 1 << 20;

void write_at(const std::string& path, std::size_t at, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.seekp(static_cast<std::streamoff>(at));
  file << text;
}

std::string text_at(const SparseFile& file, std::size_t at, std::size_t count) {
  return {static_cast<const char*>(file.memory()) + at, count};
}

TEST(SparseFile, HasZerosForHolesAndBehindTheEnd) {
  const testing::ScratchDirectory directory;
  write_at(directory.file("a"), 100'000, "text");
  SparseFile file;
  ASSERT_TRUE(file.read(directory.file("a"), bytes).ok());
  EXPECT_EQ(file.file_bytes(), 100'004U);
  EXPECT_EQ(text_at(file, 99'998, 8), std::string("\0\0text\0\0", 8));
}

TEST(SparseFile, HasNothingOfTheFileBefore) {
  const testing::ScratchDirectory directory;
  write_at(directory.file("a"), 100'000, "text");
  write_at(directory.file("b"), 4, "next");
  SparseFile file;
  ASSERT_TRUE(file.read(directory.file("a"), bytes).ok());
  const void* const memory = file.memory();
  ASSERT_TRUE(file.read(directory.file("b"), bytes).ok());
  EXPECT_EQ(file.memory(), memory);
  EXPECT_EQ(file.file_bytes(), 8U);
  EXPECT_EQ(text_at(file, 0, 12), std::string("\0\0\0\0next\0\0\0\0", 12));
  EXPECT_EQ(text_at(file, 100'000, 4), std::string(4, '\0'));
}

TEST(SparseFile, HasNothingOfTheFileBeforeIfTheNextOneIsMissing) {
  const testing::ScratchDirectory directory;
  write_at(directory.file("a"), 0, "text");
  SparseFile file;
  ASSERT_TRUE(file.read(directory.file("a"), bytes).ok());
  EXPECT_FALSE(file.read(directory.file("missing"), bytes).ok());
  EXPECT_EQ(file.file_bytes(), 0U);
  EXPECT_EQ(text_at(file, 0, 4), std::string(4, '\0'));
}

}  // namespace
}  // namespace sluice::trace
