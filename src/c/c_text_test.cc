// sluice_printf, and the window that the C and the C++ calls share.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cwchar>
#include <string>

#include "sluice/c.h"
#include "testing/allocation_counter.h"
#include "testing/faulty_system_calls.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

class CText : public ::testing::Test {
 protected:
  // Formats a string of each length up to `max_bytes` with the given options. The file then has the
  // bytes that snprintf() gives.
  void expect_every_length(const sluice_writer_options& options, std::size_t max_bytes) {
    sluice_writer* const writer = sluice_writer_open(path_.c_str(), &options, &error_);
    ASSERT_NE(writer, nullptr) << error_.message;
    std::string expected;
    for (std::size_t bytes = 0; bytes <= max_bytes; ++bytes) {
      const std::string text(bytes, 'a');
      EXPECT_TRUE(sluice_printf(writer, "%s", text.c_str()));
      EXPECT_TRUE(sluice_printf(writer, ",%zu\n", bytes));
      expected += text + "," + std::to_string(bytes) + "\n";
      EXPECT_EQ(sluice_writer_position(writer), expected.size());
    }
    EXPECT_TRUE(sluice_writer_close(writer, &error_)) << error_.message;
    sluice_writer_free(writer);
    EXPECT_EQ(contents_of(path_), expected);
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  sluice_error error_{};
};

TEST_F(CText, PrintfWritesEveryLengthWhereverTheBlockEnds) {
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  for (const std::size_t block_bytes : {1u, 2u, 64u, 1024u}) {
    options.block_bytes = block_bytes;
    expect_every_length(options, 700);
  }
}

TEST_F(CText, PrintfWritesEveryLengthWhenEachWriteIsDurable) {
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  options.durability = SLUICE_DURABLE_EVERY_WRITE;
  expect_every_length(options, 20);
}

TEST_F(CText, PrintfOfATextThatFitsMakesNoCopyElsewhere) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_put(writer, 'x'));
  const std::size_t before = allocations_by_new();
  EXPECT_TRUE(sluice_printf(writer, "%0800d", 1));
  EXPECT_EQ(allocations_by_new(), before);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
}

TEST_F(CText, AFormatThatTheCLibraryRefusesFailsTheWriter) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_put(writer, 'x'));
  const wchar_t no_character[] = {static_cast<wchar_t>(0x7FFFFFFF), 0};
  EXPECT_FALSE(sluice_printf(writer, "%ls", no_character));
  EXPECT_FALSE(sluice_put(writer, 'x'));
  EXPECT_FALSE(sluice_writer_close(writer, &error_));
  EXPECT_EQ(error_.code, EILSEQ);
  EXPECT_EQ(error_.message, "write " + path_ + " at byte 1: the C library cannot format the text");
  EXPECT_EQ(contents_of(path_), "x");
  sluice_writer_free(writer);
}

TEST_F(CText, PrintfToAClosedWriterIsRefused) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  EXPECT_FALSE(sluice_printf(writer, "%s", "late"));
  EXPECT_FALSE(sluice_writer_status(writer, &error_));
  EXPECT_EQ(error_.code, EBADF);
  EXPECT_FALSE(sluice_printf(writer, "%s", "")) << "a text of 0 bytes tells of the failure too";
  sluice_writer_free(writer);
}

TEST_F(CText, BytesThatFitIntoTheBlockMakeNoSystemCall) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  for (int i = 0; i < 300'000; ++i) sluice_put(writer, 'x');  // until the block has its full size
  EXPECT_TRUE(sluice_flush(writer, SLUICE_TO_OS, &error_));
  calls.forget_records();
  const std::size_t allocations = allocations_by_new();
  bool is_accepted = true;
  for (int i = 0; i < 1000; ++i) {
    is_accepted &= sluice_put(writer, 'x') && sluice_write(writer, "eight by", 8);
    is_accepted &= sluice_printf(writer, "%d", i) && sluice_write_int64(writer, i);
  }
  EXPECT_TRUE(is_accepted);
  EXPECT_EQ(calls.total(), 0u) << calls.log();
  EXPECT_EQ(allocations_by_new(), allocations);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
}

TEST_F(CText, AWriteOfAnotherCallEndsAReservation) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_NE(sluice_reserve(writer, 8), nullptr);
  EXPECT_TRUE(sluice_put(writer, 'x'));  // inline: it moves the cursor alone
#ifdef NDEBUG
  sluice_commit(writer, 4);
  EXPECT_FALSE(sluice_writer_close(writer, &error_));
  EXPECT_EQ(error_.code, EINVAL);
#endif
  sluice_writer_free(writer);
}

}  // namespace
}  // namespace sluice::testing
