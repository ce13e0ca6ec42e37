// What the C interface says to mistakes: null handles, closed handles, other versions, options that
// make no sense.
#include <gtest/gtest.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "sluice/c.h"
#include "sluice/options.h"
#include "testing/faulty_system_calls.h"
#include "testing/file_facts.h"
#include "testing/lost_errors.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

using Options = sluice_writer_options;

class CHandles : public ::testing::Test {
 protected:
  // The last call has failed with this code, and its message has these words.
  void expect_error(int code, const std::string& words) {
    EXPECT_EQ(error_.code, code) << error_.message;
    EXPECT_NE(std::string(error_.message).find(words), std::string::npos) << error_.message;
    error_ = {};
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  sluice_error error_{};
};

TEST_F(CHandles, ANullWriterIsAnErrorInEveryCall) {
  EXPECT_FALSE(sluice_put(nullptr, 'x'));
  EXPECT_FALSE(sluice_write(nullptr, "x", 1));
  EXPECT_FALSE(sluice_write_text(nullptr, "x"));
  EXPECT_FALSE(sluice_printf(nullptr, "%d", 1));
  EXPECT_FALSE(sluice_write_int64(nullptr, 1));
  EXPECT_FALSE(sluice_write_uint64_in_base(nullptr, 1, 10));
  EXPECT_FALSE(sluice_write_double_in_format(nullptr, 1, SLUICE_HEX, 1));
  EXPECT_EQ(sluice_reserve(nullptr, 1), nullptr);
  sluice_commit(nullptr, 1);
  EXPECT_EQ(sluice_writer_position(nullptr), 0u);
  EXPECT_FALSE(sluice_writer_is_open(nullptr));
  const std::vector<std::function<bool()>> calls = {
      [&] { return sluice_write_at(nullptr, 0, "x", 1, &error_); },
      [&] { return sluice_writer_seek(nullptr, 0, &error_); },
      [&] { return sluice_writer_status(nullptr, &error_); },
      [&] { return sluice_flush(nullptr, SLUICE_TO_OS, &error_); },
      [&] { return sluice_writer_close(nullptr, &error_); },
      [&] { return sluice_discard(nullptr, &error_); },
  };
  for (const auto& call : calls) {
    EXPECT_FALSE(call());
    expect_error(EINVAL, "the sluice_writer is NULL");
  }
  EXPECT_FALSE(sluice_writer_close(nullptr, nullptr));
  sluice_writer_free(nullptr);
}

TEST_F(CHandles, ANullReaderIsAnErrorInEveryCall) {
  std::size_t bytes = 7;
  std::uint64_t size = 0;
  std::int64_t number = 0;
  double real = 0;
  char byte = 0;
  EXPECT_EQ(sluice_get(nullptr), SLUICE_END);
  EXPECT_EQ(sluice_read(nullptr, &byte, 1), 0u);
  EXPECT_EQ(sluice_read_values(nullptr, &byte, 1, 1), 0u);
  EXPECT_EQ(sluice_skip(nullptr, 1), 0u);
  EXPECT_EQ(sluice_peek(nullptr, 1, &bytes), nullptr);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(sluice_next_line(nullptr, &bytes), nullptr);
  EXPECT_EQ(sluice_next_line_without_cr(nullptr, &bytes), nullptr);
  EXPECT_EQ(sluice_read_until(nullptr, ',', &bytes), nullptr);
  EXPECT_EQ(sluice_next_records(nullptr, 1, &bytes), nullptr);
  EXPECT_EQ(sluice_skip_bad_number(nullptr, nullptr, &bytes), nullptr);
  EXPECT_EQ(bytes, 0u);
  EXPECT_FALSE(sluice_next_int64(nullptr, &number));
  EXPECT_FALSE(sluice_next_int64_in_base(nullptr, &number, 10));
  EXPECT_FALSE(sluice_next_double(nullptr, &real));
  EXPECT_FALSE(sluice_next_double_in_format(nullptr, &real, SLUICE_HEX));
  EXPECT_EQ(sluice_reader_position(nullptr), 0u);
  EXPECT_FALSE(sluice_reader_is_open(nullptr));
  const std::vector<std::function<bool()>> calls = {
      [&] { return sluice_read_rest(nullptr, nullptr, &error_); },
      [&] { return sluice_reader_seek(nullptr, 0, &error_); },
      [&] { return sluice_reader_size(nullptr, &size, &error_); },
      [&] { return sluice_reader_status(nullptr, &error_); },
      [&] { return sluice_reader_close(nullptr, &error_); },
  };
  for (const auto& call : calls) {
    EXPECT_FALSE(call());
    expect_error(EINVAL, "the sluice_reader is NULL");
  }
  sluice_reader_free(nullptr);
}

TEST_F(CHandles, ANullJournalIsAnErrorInEveryCall) {
  std::uint64_t ticket = 0;
  std::size_t bytes = 7;
  EXPECT_FALSE(sluice_journal_is_open(nullptr));
  EXPECT_EQ(sluice_journal_reader_next(nullptr, &bytes), nullptr);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(sluice_journal_reader_position(nullptr), 0u);
  const std::vector<std::function<bool()>> calls = {
      [&] { return sluice_journal_append(nullptr, "x", 1, &ticket, &error_); },
      [&] { return sluice_journal_commit(nullptr, 0, &error_); },
      [&] { return sluice_journal_durable_up_to(nullptr, &ticket, &error_); },
      [&] { return sluice_journal_status(nullptr, &error_); },
      [&] { return sluice_journal_close(nullptr, &error_); },
  };
  for (const auto& call : calls) {
    EXPECT_FALSE(call());
    expect_error(EINVAL, "the sluice_journal is NULL");
  }
  EXPECT_FALSE(sluice_journal_reader_status(nullptr, &error_));
  expect_error(EINVAL, "the sluice_journal_reader is NULL");
  sluice_journal_free(nullptr);
  sluice_journal_reader_free(nullptr);
}

TEST_F(CHandles, ANullPathIsAnError) {
  std::uint64_t bytes = 0;
  std::size_t got = 0;
  const std::vector<std::function<bool()>> calls = {
      [&] { return sluice_writer_open(nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_writer_attach(1, nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_reader_open(nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_reader_attach(0, nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_journal_open(nullptr, nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_journal_reader_open(nullptr, &error_) != nullptr; },
      [&] { return sluice_read_file(nullptr, nullptr, &error_); },
      [&] { return sluice_read_into(nullptr, nullptr, 0, &got, &error_); },
      [&] { return sluice_write_file(nullptr, "", 0, nullptr, &error_); },
      [&] { return sluice_file_size(nullptr, &bytes, &error_); },
      [&] { return sluice_copy_file(nullptr, path_.c_str(), nullptr, &error_); },
      [&] { return sluice_copy_file(path_.c_str(), nullptr, nullptr, &error_); },
      [&] { return sluice_remove_abandoned_replacements(nullptr, &bytes, &error_); },
      [&] { return sluice_map_file(nullptr, &error_) != nullptr; },
      [&] { return sluice_writer_open_sink(nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_writer_open_memory(nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_reader_open_source(nullptr, nullptr, &error_) != nullptr; },
      [&] { return sluice_copy(nullptr, nullptr, 1, &bytes, &error_); },
  };
  for (const auto& call : calls) {
    EXPECT_FALSE(call());
    expect_error(EINVAL, "NULL");
  }
}

TEST_F(CHandles, NullMemoryIsAnError) {
  make_file(path_, "bytes");
  EXPECT_FALSE(sluice_read_file(path_.c_str(), nullptr, &error_));
  expect_error(EINVAL, "the sluice_bytes is NULL");
  sluice_reader* const reader = sluice_reader_open(path_.c_str(), nullptr, &error_);
  EXPECT_FALSE(sluice_read_rest(reader, nullptr, &error_));
  expect_error(EINVAL, "the sluice_bytes is NULL");
  sluice_reader_free(reader);
  EXPECT_EQ(sluice_bytes_data(nullptr), nullptr);
  EXPECT_EQ(sluice_bytes_size(nullptr), 0u);
  EXPECT_EQ(sluice_mapping_data(nullptr), nullptr);
  EXPECT_EQ(sluice_mapping_size(nullptr), 0u);
  sluice_bytes_free(nullptr);
  sluice_mapping_free(nullptr);
}

TEST_F(CHandles, AProgramWithAnotherWindowIsRefusedByBothNumbers) {
  constexpr unsigned other = SLUICE_C_WINDOW + 1;
  sluice_bytes* const bytes = sluice_bytes_new();
  sluice_sink sink = SLUICE_SINK_INIT;
  sluice_source source = SLUICE_SOURCE_INIT;
  const char* const path = path_.c_str();
  const std::vector<std::function<bool()>> calls = {
      [&] { return sluice_writer_open_slow(other, path, nullptr, &error_) != nullptr; },
      [&] { return sluice_writer_open_sink_slow(other, &sink, nullptr, &error_) != nullptr; },
      [&] { return sluice_writer_open_memory_slow(other, bytes, nullptr, &error_) != nullptr; },
      [&] { return sluice_writer_attach_slow(other, 1, "x", nullptr, &error_) != nullptr; },
      [&] { return sluice_standard_output_slow(other, nullptr, &error_) != nullptr; },
      [&] { return sluice_standard_error_slow(other, nullptr, &error_) != nullptr; },
      [&] { return sluice_reader_open_slow(other, path, nullptr, &error_) != nullptr; },
      [&] { return sluice_reader_open_source_slow(other, &source, nullptr, &error_) != nullptr; },
      [&] { return sluice_reader_open_memory_slow(other, "x", 1, nullptr, &error_) != nullptr; },
      [&] { return sluice_reader_attach_slow(other, 0, "x", nullptr, &error_) != nullptr; },
      [&] { return sluice_standard_input_slow(other, nullptr, &error_) != nullptr; },
  };
  for (const auto& call : calls) {
    EXPECT_FALSE(call());
    expect_error(ENOTSUP, "compiled with a sluice/c.h of window 2, and this library has window 1");
  }
  EXPECT_FALSE(file_exists(path_));
  sluice_bytes_free(bytes);
}

TEST_F(CHandles, AClosedWriterSaysSo) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  EXPECT_TRUE(sluice_writer_close(writer, &error_)) << "the second close has the first result";
  EXPECT_FALSE(sluice_write(writer, "late", 4));
  EXPECT_FALSE(sluice_flush(writer, SLUICE_TO_OS, &error_));
  expect_error(EBADF, path_ + " at byte 0: the Writer is closed");
  EXPECT_FALSE(sluice_writer_seek(writer, 0, &error_));
  expect_error(EBADF, "closed");
  sluice_writer_free(writer);
}

TEST_F(CHandles, BytesThatAClosedWriterRefusedReachTheHandler) {
  LostErrors lost;
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  EXPECT_FALSE(sluice_printf(writer, "%s", "late"));
  sluice_writer_free(writer);
  EXPECT_EQ(lost.take_messages().size(), 1u);
}

TEST_F(CHandles, AClosedReaderSaysSo) {
  make_file(path_, "bytes");
  sluice_reader* const reader = sluice_reader_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_reader_close(reader, &error_));
  EXPECT_EQ(sluice_get(reader), SLUICE_END);
  EXPECT_FALSE(sluice_reader_seek(reader, 0, &error_));
  expect_error(EBADF, "closed");
  sluice_reader_free(reader);
}

TEST_F(CHandles, EveryOptionOutOfRangeIsNamed) {
  const std::vector<std::pair<std::string, std::function<void(Options&)>>> changes = {
      {"create is 5", [](Options& options) { options.create = 5; }},
      {"create is -1", [](Options& options) { options.create = -1; }},
      {"create is 256", [](Options& options) { options.create = 256; }},
      {"durability is 4", [](Options& options) { options.durability = 4; }},
      {"write_behind is 3", [](Options& options) { options.write_behind = 3; }},
      {"permissions is 4096", [](Options& options) { options.permissions = 010000; }},
      {"block_bytes is 0", [](Options& options) { options.block_bytes = 0; }},
      {"blocks_in_flight is 0", [](Options& options) { options.blocks_in_flight = 0; }},
      {"write_back_bytes is", [](Options& options) { options.write_back_bytes = SIZE_MAX; }},
      {"cache is 2", [](Options& options) { options.cache = 2; }},
      {"direct is -1", [](Options& options) { options.direct = -1; }},
      {"direct is 3", [](Options& options) { options.direct = 3; }},
      {"block_bytes is 9", [](Options& options) { options.direct = 1, options.block_bytes = 9; }},
      {"SLUICE_WRITER_OPTIONS_INIT", [](Options& options) { options.bytes = 0; }},
      {"SLUICE_WRITER_OPTIONS_INIT", [](Options& options) { ++options.bytes; }},
  };
  for (const auto& [words, change] : changes) {
    Options options = SLUICE_WRITER_OPTIONS_INIT;
    change(options);
    EXPECT_EQ(sluice_writer_open(path_.c_str(), &options, &error_), nullptr) << words;
    expect_error(EINVAL, words);
    EXPECT_FALSE(sluice_write_file(path_.c_str(), "x", 1, &options, &error_)) << words;
    expect_error(EINVAL, words);
  }
  EXPECT_FALSE(file_exists(path_));
}

TEST_F(CHandles, EveryOptionOfAReaderOutOfRangeIsNamed) {
  using ReaderChange = std::function<void(sluice_reader_options&)>;
  const std::vector<std::pair<std::string, ReaderChange>> changes = {
      {"read_ahead is 2", [](auto& options) { options.read_ahead = 2; }},
      {"block_bytes is 0", [](auto& options) { options.block_bytes = 0; }},
      {"max_line_bytes is 0", [](auto& options) { options.max_line_bytes = 0; }},
      {"cache is 7", [](auto& options) { options.cache = 7; }},
      {"direct is 3", [](auto& options) { options.direct = 3; }},
      {"SLUICE_READER_OPTIONS_INIT", [](auto& options) { --options.bytes; }},
  };
  make_file(path_, "bytes");
  for (const auto& [words, change] : changes) {
    sluice_reader_options options = SLUICE_READER_OPTIONS_INIT;
    change(options);
    EXPECT_EQ(sluice_reader_open(path_.c_str(), &options, &error_), nullptr) << words;
    expect_error(EINVAL, words);
  }
}

TEST_F(CHandles, EveryOptionOfAJournalOutOfRangeIsNamed) {
  using JournalChange = std::function<void(sluice_journal_options&)>;
  const std::vector<std::pair<std::string, JournalChange>> changes = {
      {"framing is 2", [](auto& options) { options.framing = 2; }},
      {"permissions is", [](auto& options) { options.permissions = UINT_MAX; }},
      {"buffer_bytes is 0", [](auto& options) { options.buffer_bytes = 0; }},
      {"SLUICE_JOURNAL_OPTIONS_INIT", [](auto& options) { options.bytes = 0; }},
  };
  for (const auto& [words, change] : changes) {
    sluice_journal_options options = SLUICE_JOURNAL_OPTIONS_INIT;
    change(options);
    EXPECT_EQ(sluice_journal_open(path_.c_str(), &options, nullptr, &error_), nullptr) << words;
    expect_error(EINVAL, words);
  }
  EXPECT_FALSE(file_exists(path_));
}

TEST_F(CHandles, EveryOptionOfACopyOutOfRangeIsNamed) {
  using CopyChange = std::function<void(sluice_copy_options&)>;
  const std::vector<std::pair<std::string, CopyChange>> changes = {
      {"create is 9", [](auto& options) { options.create = 9; }},
      {"durability is -1", [](auto& options) { options.durability = -1; }},
      {"permissions is -2", [](auto& options) { options.permissions = -2; }},
      {"SLUICE_COPY_OPTIONS_INIT", [](auto& options) { options.bytes = 0; }},
  };
  make_file(path_, "bytes");
  const std::string copy = directory_.file("copy");
  for (const auto& [words, change] : changes) {
    sluice_copy_options options = SLUICE_COPY_OPTIONS_INIT;
    change(options);
    EXPECT_FALSE(sluice_copy_file(path_.c_str(), copy.c_str(), &options, &error_)) << words;
    expect_error(EINVAL, words);
  }
  EXPECT_FALSE(file_exists(copy));
}

TEST_F(CHandles, OptionsHaveAnEffect) {
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  options.create = SLUICE_EXCLUSIVE;
  options.permissions = 0600;
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), &options, &error_);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
  EXPECT_EQ(permissions_of(path_), 0600u);
  EXPECT_EQ(sluice_writer_open(path_.c_str(), &options, &error_), nullptr);
  expect_error(EEXIST, "File exists");

  sluice_copy_options copy_options = SLUICE_COPY_OPTIONS_INIT;
  copy_options.permissions = 0640;
  const std::string copy = directory_.file("copy");
  EXPECT_TRUE(sluice_copy_file(path_.c_str(), copy.c_str(), &copy_options, &error_));
  EXPECT_EQ(permissions_of(copy), 0640u);
}

// The structs of the first release end before `cache`. What follows them belongs to the program.
TEST_F(CHandles, StructsOfTheFirstReleaseAreAccepted) {
  Options options = SLUICE_WRITER_OPTIONS_INIT;
  options.bytes = offsetof(Options, cache);
  options.cache = options.direct = -77;
  options.create = SLUICE_EXCLUSIVE;
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), &options, &error_);
  ASSERT_NE(writer, nullptr) << error_.message;
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
  EXPECT_EQ(sluice_writer_open(path_.c_str(), &options, &error_), nullptr);
  expect_error(EEXIST, "File exists");

  sluice_reader_options reading = SLUICE_READER_OPTIONS_INIT;
  reading.bytes = offsetof(sluice_reader_options, cache);
  reading.cache = reading.direct = -77;
  sluice_reader* const reader = sluice_reader_open(path_.c_str(), &reading, &error_);
  EXPECT_NE(reader, nullptr) << error_.message;
  sluice_reader_free(reader);
  reading.bytes += 4;
  EXPECT_EQ(sluice_reader_open(path_.c_str(), &reading, &error_), nullptr);
  expect_error(EINVAL, "SLUICE_READER_OPTIONS_INIT");
}

TEST_F(CHandles, TheNewOptionsReachTheFile) {
  Options options = SLUICE_WRITER_OPTIONS_INIT;
  options.direct = SLUICE_DIRECT_ON;
  EXPECT_EQ(sluice_writer_open("/dev/null", &options, &error_), nullptr);
  expect_error(ENOTSUP, "no direct I/O");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  options = SLUICE_WRITER_OPTIONS_INIT;
  options.cache = SLUICE_CACHE_DROP;
  EXPECT_TRUE(sluice_write_file(path_.c_str(), "x", 1, &options, &error_)) << error_.message;
  EXPECT_EQ(calls.count(Call::forget_cached), 1u);
  sluice_reader_options reading = SLUICE_READER_OPTIONS_INIT;
  reading.cache = SLUICE_CACHE_DROP;
  sluice_reader* const reader = sluice_reader_open(path_.c_str(), &reading, &error_);
  EXPECT_EQ(sluice_get(reader), 'x');
  sluice_reader_free(reader);
  EXPECT_EQ(calls.count(Call::forget_cached), 2u);
}

TEST_F(CHandles, TheDefaultsAreThoseOfTheCppInterface) {
  const sluice_writer_options writer = SLUICE_WRITER_OPTIONS_INIT;
  EXPECT_EQ(writer.permissions, WriterOptions().permissions);
  EXPECT_EQ(writer.block_bytes, WriterOptions().block_bytes);
  EXPECT_EQ(writer.blocks_in_flight, WriterOptions().blocks_in_flight);
  EXPECT_EQ(writer.write_back_bytes, WriterOptions().write_back_bytes);
  EXPECT_EQ(writer.create, static_cast<int>(WriterOptions().create));
  EXPECT_EQ(writer.durability, static_cast<int>(WriterOptions().durability));
  EXPECT_EQ(writer.write_behind, static_cast<int>(WriterOptions().write_behind));
  const sluice_reader_options reader = SLUICE_READER_OPTIONS_INIT;
  EXPECT_EQ(reader.read_ahead, static_cast<int>(ReaderOptions().read_ahead));
  EXPECT_EQ(reader.block_bytes, ReaderOptions().block_bytes);
  EXPECT_EQ(reader.max_line_bytes, ReaderOptions().max_line_bytes);
  EXPECT_EQ(reader.cache, static_cast<int>(ReaderOptions().cache));
  EXPECT_EQ(reader.direct, static_cast<int>(ReaderOptions().direct));
  EXPECT_EQ(writer.cache, static_cast<int>(WriterOptions().cache));
  EXPECT_EQ(writer.direct, static_cast<int>(WriterOptions().direct));
  const sluice_journal_options journal = SLUICE_JOURNAL_OPTIONS_INIT;
  EXPECT_EQ(journal.framing, static_cast<int>(JournalOptions().framing));
  EXPECT_EQ(journal.permissions, JournalOptions().permissions);
  EXPECT_EQ(journal.buffer_bytes, JournalOptions().buffer_bytes);
}

TEST_F(CHandles, ANullTextIsRefusedInTheWordsOfC) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_FALSE(sluice_write_text(writer, nullptr));
  EXPECT_FALSE(sluice_writer_status(writer, &error_));
  EXPECT_EQ(error_.message, "write " + path_ + " at byte 0: the text is NULL: pass \"\"");
  EXPECT_FALSE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
}

TEST_F(CHandles, AFailureThatBelongsToNoFileHasANameInParentheses) {
  EXPECT_EQ(sluice_writer_open(nullptr, nullptr, &error_), nullptr);
  EXPECT_STREQ(error_.path, "(NULL)");
}

TEST_F(CHandles, AFlushToNowhereIsRefused) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_FALSE(sluice_flush(writer, 2, &error_));
  EXPECT_EQ(error_.operation, SLUICE_FLUSH);
  EXPECT_EQ(error_.path, path_);
  expect_error(EINVAL, "option to is 2");
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
}

TEST_F(CHandles, ABaseOrAFormatThatIsNoneFailsTheWriter) {
  const std::vector<std::function<bool(sluice_writer*)>> calls = {
      [](sluice_writer* writer) { return sluice_write_int64_in_base(writer, 1, 37); },
      [](sluice_writer* writer) { return sluice_write_double_in_format(writer, 1, 4, 1); },
      [](sluice_writer* writer) { return sluice_write_float_in_format(writer, 1, -1, -1); },
  };
  for (const auto& call : calls) {
    sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
    EXPECT_FALSE(call(writer));
    EXPECT_FALSE(sluice_writer_close(writer, &error_));
    expect_error(EINVAL, path_);
    sluice_writer_free(writer);
  }
}

TEST_F(CHandles, ACallThatMakesNoSenseFailsTheReader) {
  std::size_t records = 0;
  double real = 0;
  std::int64_t number = 0;
  const std::vector<std::function<bool(sluice_reader*)>> calls = {
      [&](sluice_reader* reader) { return sluice_next_int64_in_base(reader, &number, 1); },
      [&](sluice_reader* reader) { return sluice_next_double_in_format(reader, &real, 4); },
      [&](sluice_reader* reader) { return sluice_next_records(reader, 0, &records) != nullptr; },
      [&](sluice_reader* reader) { return sluice_read_values(reader, &real, 0, 1) != 0; },
      [&](sluice_reader* reader) { return sluice_read_values(reader, &real, SIZE_MAX, 2) != 0; },
  };
  make_file(path_, "12 13 14 15");
  for (const auto& call : calls) {
    sluice_reader* const reader = sluice_reader_open(path_.c_str(), nullptr, &error_);
    EXPECT_FALSE(call(reader));
    EXPECT_FALSE(sluice_reader_close(reader, &error_));
    expect_error(EINVAL, path_);
    sluice_reader_free(reader);
  }
}

}  // namespace
}  // namespace sluice::testing
