#include "bench/scratch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "bench/free_memory.h"

namespace sluice::bench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

void make_file(const std::string& path) { std::ofstream(path) << "content"; }

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ScratchFolder, IsRemovedWithAllItsFiles) {
  std::string path;
  {
    const Scratch scratch(testing::TempDir());
    path = scratch.path();
    EXPECT_TRUE(std::filesystem::is_directory(path));
    std::filesystem::create_directories(path + "/deep/deeper");
    make_file(path + "/deep/deeper/file");
    make_file(path + "/file");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, HasANewNameEachTimeAndAnAbsolutePath) {
  const Scratch one(".");
  const Scratch two(".");
  EXPECT_NE(one.path(), two.path());
  EXPECT_EQ(one.path()[0], '/');
}

TEST(ScratchFolder, RemovesNewFilesAndKeepsTheRest) {
  Scratch scratch(testing::TempDir());
  make_file(scratch.path() + "/input");
  scratch.keep_present();
  make_file(scratch.path() + "/output");
  std::filesystem::create_directory(scratch.path() + "/outputs");
  make_file(scratch.path() + "/outputs/1");
  scratch.remove_new();
  EXPECT_TRUE(std::filesystem::exists(scratch.path() + "/input"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() + "/output"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() + "/outputs"));
  scratch.clear();
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(ScratchFolder, SaysWhyItCannotBeMade) {
  const Scratch parent(testing::TempDir());
  const std::string file = parent.path() + "/file";
  make_file(file);
  EXPECT_EQ(error_of([] { Scratch scratch("/no/such/folder"); }),
            "open /no/such/folder: No such file or directory");
  EXPECT_EQ(error_of([&] { Scratch scratch(file); }), "open " + file + ": Not a directory");
  EXPECT_THAT(error_of([] { Scratch scratch("/proc"); }),
              HasSubstr("create a scratch folder in /proc: "));
}

TEST(ScratchFolder, RefusesMoreThanTheDiskHolds) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(error_of([&] { expect_room(folder, 0, "nothing", ""); }), "");
  const std::string error =
      error_of([&] { expect_room(folder, std::uint64_t{1} << 62, "experiment bytes", " or x"); });
  EXPECT_THAT(error, HasSubstr(folder));
  EXPECT_THAT(error, HasSubstr(" available but experiment bytes needs 4194304 TiB"));
  EXPECT_TRUE(error.ends_with(": choose another --dir or x")) << error;
  EXPECT_NE(error_of([&] { expect_room(folder, ~std::uint64_t{0}, "x", ""); }), "")
      << "no overflow";
}

TEST(Memory, IsRefusedWhereThereIsTooLittle) {
  EXPECT_EQ(error_of([] { expect_memory(1, "nothing"); }), "");
  EXPECT_THAT(error_of([] { expect_memory(std::uint64_t{1} << 62, "experiment numbers"); }),
              ContainsRegex("^[0-9.]+ .iB of memory are available but experiment numbers needs "
                            "4194304 TiB: choose a smaller --size$"));
  EXPECT_NE(error_of([] { expect_memory(~std::uint64_t{0}, "x"); }), "") << "no overflow";
}

}  // namespace
}  // namespace sluice::bench
