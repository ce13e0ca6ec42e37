// Sinks and Sources of a C program: structs of callbacks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "sluice/c.h"

namespace sluice::testing {
namespace {

// The target of a Sink, and what the Sink's calls do.
struct Target {
  std::string bytes;
  std::size_t max_bytes = SIZE_MAX;  // of `bytes`: the next byte fails with ENOSPC
  std::size_t max_written = SIZE_MAX;
  int sync_code = 0;
  int close_code = 0;
  int syncs = 0;
  int publishes = 0;
  int closes = 0;
  int releases = 0;
};

Target& target_of(void* context) { return *static_cast<Target*>(context); }

int write_bytes(void* context, std::uint64_t position, const void* data, std::size_t bytes,
                std::size_t* written) {
  EXPECT_NE(data, nullptr);
  Target& target = target_of(context);
  const std::size_t room = target.max_bytes - std::min(target.max_bytes, std::size_t{position});
  *written = std::min({bytes, room, target.max_written});
  if (target.bytes.size() < position + *written) target.bytes.resize(position + *written);
  std::memcpy(target.bytes.data() + position, data, *written);
  return room < bytes ? ENOSPC : 0;
}

int seek_anywhere(void*, std::uint64_t) { return 0; }
int sync_bytes(void* context) { return ++target_of(context).syncs, target_of(context).sync_code; }
int publish(void* context) { return ++target_of(context).publishes, 0; }
int close_target(void* context) {
  return ++target_of(context).closes, target_of(context).close_code;
}
void release(void* context) { ++target_of(context).releases; }

sluice_sink sink_of(Target& target) {
  sluice_sink sink = SLUICE_SINK_INIT;
  sink.name = "(target)";
  sink.context = &target;
  sink.write = write_bytes;
  sink.close = close_target;
  sink.release = release;
  return sink;
}

class CSinks : public ::testing::Test {
 protected:
  sluice_writer* open(const sluice_sink& sink, const sluice_writer_options* options = nullptr) {
    return sluice_writer_open_sink(&sink, options, &error_);
  }

  Target target_;
  sluice_error error_{};
};

TEST_F(CSinks, ASinkGetsAllBytesInOrderAndIsReleasedOnce) {
  sluice_writer* const writer = open(sink_of(target_));
  std::string expected;
  for (int i = 0; i < 100'000; ++i) {
    sluice_printf(writer, "%d,", i);
    expected += std::to_string(i) + ",";
  }
  const std::string large(100'000, 'x');  // leaves together with the bytes in the block
  EXPECT_TRUE(sluice_write(writer, large.data(), large.size()));
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  EXPECT_EQ(target_.bytes, expected + large);
  EXPECT_EQ(target_.closes, 1);
  EXPECT_EQ(target_.releases, 0);
  sluice_writer_free(writer);
  EXPECT_EQ(target_.releases, 1);
}

TEST_F(CSinks, AFailedWriteNamesTheFirstByteThatWasNotWritten) {
  target_.max_bytes = 300'000;
  sluice_writer* const writer = open(sink_of(target_));
  const std::string bytes(200'000, 'x');
  sluice_write(writer, bytes.data(), bytes.size());
  sluice_write(writer, bytes.data(), bytes.size());
  EXPECT_FALSE(sluice_writer_close(writer, &error_));
  EXPECT_STREQ(error_.message, "write (target) at byte 300000: No space left on device");
  EXPECT_EQ(target_.bytes.size(), 300'000u);
  sluice_writer_free(writer);
}

TEST_F(CSinks, AWriteThatSucceedsWithTooFewBytesFailsTheWriter) {
  target_.max_written = 3;
  sluice_writer* const writer = open(sink_of(target_));
  EXPECT_TRUE(sluice_write(writer, "bytes", 5));
  EXPECT_FALSE(sluice_writer_close(writer, &error_));
  EXPECT_EQ(error_.code, EIO);
  EXPECT_EQ(error_.offset, 3u);
  sluice_writer_free(writer);
}

TEST_F(CSinks, ASinkWithoutFurtherCallsHasNoPositionsAndNoStorage) {
  sluice_writer* const writer = open(sink_of(target_));
  EXPECT_TRUE(sluice_write(writer, "bytes", 5));
  EXPECT_TRUE(sluice_flush(writer, SLUICE_TO_OS, &error_));
  EXPECT_FALSE(sluice_writer_seek(writer, 0, &error_));
  EXPECT_EQ(error_.code, ESPIPE);
  EXPECT_FALSE(sluice_write_at(writer, 0, "B", 1, &error_));
  EXPECT_EQ(error_.code, ESPIPE);
  EXPECT_FALSE(sluice_flush(writer, SLUICE_TO_STORAGE, &error_));
  EXPECT_EQ(error_.code, ENOTSUP);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
  EXPECT_EQ(target_.bytes, "bytes");
}

TEST_F(CSinks, ASinkWithPositionsIsPatchedAndSyncs) {
  sluice_sink sink = sink_of(target_);
  sink.write_at = write_bytes;
  sink.seek = seek_anywhere;
  sink.sync = sync_bytes;
  sink.start_position = 2;
  target_.bytes = "**";
  sluice_writer* const writer = open(sink);
  EXPECT_TRUE(sluice_write(writer, "bytes", 5));
  EXPECT_TRUE(sluice_flush(writer, SLUICE_TO_STORAGE, &error_));
  EXPECT_EQ(target_.syncs, 1);
  EXPECT_TRUE(sluice_write_at(writer, 2, "B", 1, &error_));
  EXPECT_TRUE(sluice_writer_seek(writer, 0, &error_) && sluice_put(writer, '+'));
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
  EXPECT_EQ(target_.bytes, "+*Bytes");
}

TEST_F(CSinks, AStagedSinkIsPublishedOnceAndOnlyByClose) {
  sluice_sink sink = sink_of(target_);
  sink.publish = publish;
  sluice_writer* writer = open(sink);
  EXPECT_TRUE(sluice_write(writer, "bytes", 5));
  EXPECT_TRUE(sluice_discard(writer, &error_));
  sluice_writer_free(writer);
  EXPECT_EQ(target_.publishes, 0);
  writer = open(sink);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
  EXPECT_EQ(target_.publishes, 1);
  EXPECT_EQ(target_.releases, 2);
}

TEST_F(CSinks, AFailedCloseIsTheResultOfClose) {
  target_.close_code = EDQUOT;
  sluice_writer* const writer = open(sink_of(target_));
  EXPECT_FALSE(sluice_writer_close(writer, &error_));
  EXPECT_EQ(error_.code, EDQUOT);
  EXPECT_EQ(error_.operation, SLUICE_CLOSE);
  sluice_writer_free(writer);
}

TEST_F(CSinks, ASinkThatIsRefusedIsReleased) {
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  options.block_bytes = 0;
  EXPECT_EQ(open(sink_of(target_), &options), nullptr);
  EXPECT_EQ(error_.code, EINVAL);
  EXPECT_EQ(target_.releases, 1);
  sluice_sink sink = sink_of(target_);
  sink.write = nullptr;
  EXPECT_EQ(open(sink), nullptr);
  EXPECT_EQ(target_.releases, 2);
  sink = sink_of(target_);
  sink.name = nullptr;
  EXPECT_EQ(open(sink), nullptr);
  EXPECT_EQ(error_.code, EINVAL);
  EXPECT_EQ(target_.releases, 3);
  sink = sink_of(target_);
  sink.bytes = 8;
  EXPECT_EQ(open(sink), nullptr);
  EXPECT_NE(std::string(error_.message).find("SLUICE_SINK_INIT"), std::string::npos);
  EXPECT_EQ(target_.releases, 3) << "a struct of an unknown size is not used";
}

// The input of a Source, and what the Source's calls do.
struct Input {
  std::string bytes;
  std::uint64_t fail_at = UINT64_MAX;
  std::size_t too_many = 0;  // bytes that read() claims beyond the room
  int releases = 0;
};

int read_bytes(void* context, std::uint64_t position, void* into, std::size_t bytes,
               std::size_t* got) {
  const Input& input = *static_cast<Input*>(context);
  if (position >= input.fail_at) return EIO;
  const std::size_t left = input.bytes.size() - std::min(input.bytes.size(), std::size_t{position});
  *got = std::min({bytes, left, std::size_t{7}});
  std::memcpy(into, input.bytes.data() + position, *got);
  if (input.too_many != 0) *got = bytes + input.too_many;
  return 0;
}

int size_of_input(void* context, std::uint64_t* bytes) {
  *bytes = static_cast<Input*>(context)->bytes.size();
  return 0;
}

void release_input(void* context) { ++static_cast<Input*>(context)->releases; }

class CSources : public ::testing::Test {
 protected:
  sluice_source source() {
    sluice_source source = SLUICE_SOURCE_INIT;
    source.name = "(input)";
    source.context = &input_;
    source.read = read_bytes;
    source.release = release_input;
    return source;
  }
  sluice_reader* open(const sluice_source& source) {
    return sluice_reader_open_source(&source, nullptr, &error_);
  }

  Input input_{.bytes = "first line\nsecond line\n3 4"};
  sluice_error error_{};
};

TEST_F(CSources, ASourceIsReadToItsEndAndReleasedOnce) {
  sluice_reader* const reader = open(source());
  std::size_t bytes = 0;
  std::int32_t number = 0;
  const char* line = sluice_next_line(reader, &bytes);
  EXPECT_EQ(std::string(line, bytes), "first line");
  line = sluice_next_line(reader, &bytes);
  EXPECT_EQ(std::string(line, bytes), "second line");
  EXPECT_TRUE(sluice_next_int32(reader, &number) && sluice_next_int32(reader, &number));
  EXPECT_EQ(number, 4);
  EXPECT_EQ(sluice_get(reader), SLUICE_END);
  std::uint64_t size = 0;
  EXPECT_FALSE(sluice_reader_size(reader, &size, &error_));
  EXPECT_EQ(error_.code, ESPIPE);
  EXPECT_TRUE(sluice_reader_close(reader, &error_));
  sluice_reader_free(reader);
  EXPECT_EQ(input_.releases, 1);
}

TEST_F(CSources, ASourceWithPositionsSeeks) {
  sluice_source source = this->source();
  source.seek = seek_anywhere;
  source.size = size_of_input;
  source.reads_anywhere = true;
  sluice_reader* const reader = open(source);
  std::uint64_t size = 0;
  EXPECT_TRUE(sluice_reader_size(reader, &size, &error_));
  EXPECT_EQ(size, input_.bytes.size());
  EXPECT_TRUE(sluice_reader_seek(reader, 6, &error_));
  EXPECT_EQ(sluice_get(reader), 'l');
  EXPECT_TRUE(sluice_reader_close(reader, &error_));
  sluice_reader_free(reader);
}

TEST_F(CSources, AFailedReadIsAFailureAtItsPosition) {
  input_.fail_at = 10;
  sluice_reader* const reader = open(source());
  std::size_t bytes = 0;
  EXPECT_EQ(sluice_skip(reader, 100), 14u) << "the bytes that were fetched before the failure";
  EXPECT_EQ(sluice_next_line(reader, &bytes), nullptr);
  EXPECT_FALSE(sluice_reader_close(reader, &error_));
  EXPECT_STREQ(error_.message, "read (input) at byte 14: Input/output error");
  sluice_reader_free(reader);
}

TEST_F(CSources, ASourceThatClaimsMoreBytesThanThereIsRoomFails) {
  input_.too_many = 1;
  sluice_reader* const reader = open(source());
  EXPECT_EQ(sluice_get(reader), SLUICE_END);
  EXPECT_FALSE(sluice_reader_close(reader, &error_));
  EXPECT_EQ(error_.code, EIO);
  sluice_reader_free(reader);
}

}  // namespace
}  // namespace sluice::testing
