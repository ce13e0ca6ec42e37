#include "command_line/output.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "bench/scratch.h"

namespace sluice {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Output, PrintsToStandardOutput) {
  testing::internal::CaptureStdout();
  write_output("one\n");
  write_output("two\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "one\ntwo\n");
}

TEST(Output, ShowsControlCharactersAndObeysNone) {
  EXPECT_EQ(printable("a\x1b[2J\tb\x7f\n"), "a\\x1b[2J\\x09b\\x7f\n");
  EXPECT_EQ(printable("\xc2\x9b[2J \xc2\xa0 \xc3\x9b \xc2"),
            "\\xc2\\x9b[2J \xc2\xa0 \xc3\x9b \xc2");
  EXPECT_EQ(on_one_line("no\n/x"), "no\\x0a/x");
}

TEST(Output, ReplacesAFile) {
  const bench::Scratch scratch(testing::TempDir());
  const std::string path = scratch.path() + "/out.json";
  write_text(path, "a longer text\n");
  write_text(path, "short\n");
  EXPECT_EQ(content(path), "short\n");
}

TEST(Output, SaysWhyAFileCannotBeWritten) {
  const bench::Scratch scratch(testing::TempDir());
  EXPECT_EQ(error_of([] { write_text("/dev/full", "text"); }),
            "write /dev/full at byte 0: No space left on device");
  EXPECT_EQ(error_of([&] { expect_writable(scratch.path()); }),
            "open " + scratch.path() + ": Is a directory");
  EXPECT_EQ(error_of([] { expect_writable("/no/such/folder/out"); }),
            "open /no/such/folder/out: No such file or directory");
}

TEST(Output, ChecksAFileWithoutTouchingIt) {
  const bench::Scratch scratch(testing::TempDir());
  const std::string path = scratch.path() + "/out.json";
  EXPECT_EQ(error_of([&] { expect_writable(path); }), "");
  EXPECT_FALSE(std::filesystem::exists(path));
  write_text(path, "kept");
  EXPECT_EQ(error_of([&] { expect_writable(path); }), "");
  EXPECT_EQ(content(path), "kept");
}

TEST(Output, DoesNotWaitForTheReaderOfAFifo) {
  const bench::Scratch scratch(testing::TempDir());
  const std::string path = scratch.path() + "/fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { expect_writable(path); }), "");
  EXPECT_EQ(error_of([&] { expect_readable(path); }), "open " + path + ": Not a regular file");
}

TEST(Output, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(error_of([] { expect_readable("/no/such/file"); }),
            "open /no/such/file: No such file or directory");
  EXPECT_EQ(error_of([] { expect_readable("/"); }), "open /: Is a directory");
  EXPECT_EQ(error_of([] { expect_readable("/proc/self/status"); }), "");
}

}  // namespace
}  // namespace sluice
