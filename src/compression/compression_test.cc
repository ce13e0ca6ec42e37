// Compressed files: every byte comes back, also by programs of others; damage is never given out.
#include "sluice/compression.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "sluice/sinks.h"
#include "sluice/zstd.h"
#include "testing/cached_pages.h"
#include "testing/compressed_file.h"
#include "testing/foreign_frames.h"
#include "testing/pattern.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

TEST(Compression, WritesAndReadsFiles) {
  const ScratchDirectory directory;
  const std::string path = directory.file("lines.zst");
  const std::string text = lines(20'000'000);
  for (const WriteBehind behind : {WriteBehind::off, WriteBehind::automatic, WriteBehind::on}) {
    Writer writer;
    expect_ok(open_compressed(writer, path, zstd(), {}, {.write_behind = behind}));
    for (std::size_t at = 0; at < text.size(); at += 777) writer.write(text.substr(at, 777));
    expect_ok(writer.close());
    EXPECT_EQ(writer.position(), text.size());
    EXPECT_LT(contents_of(path).size(), text.size() / 2);
    Reader reader;
    expect_ok(open_decompressed(reader, path, {&zstd()}));
    std::uint64_t bytes = 0;
    expect_ok(reader.size(bytes));
    EXPECT_EQ(bytes, text.size());
    std::string back;
    expect_ok(reader.read_rest(back));
    EXPECT_TRUE(back == text);
  }
}

// Frames of any size follow one another, so hardly any of them begins at a page.
TEST(Compression, GoesToTheDiskDirectly) {
  if (!disk_has_direct_io()) GTEST_SKIP() << "no direct I/O";
  const ScratchDirectory directory(ScratchDirectory::on_disk);
  const std::string path = directory.file("out");
  const std::string bytes = lines(1'500'000) + pattern(1, 900'000);
  for (const std::size_t frame_bytes :
       {std::size_t{100'000}, std::size_t{4'096}, std::size_t{1} << 20}) {
    Writer writer;
    const CompressionOptions compression{.frame_bytes = frame_bytes, .frames_at_a_time = 3};
    expect_ok(open_compressed(writer, path, zstd(), compression,
                              {.block_bytes = 4'096, .direct = Direct::on}));
    EXPECT_TRUE(writer.write(bytes));
    expect_ok(writer.close());
    Reader reader;
    expect_ok(open_decompressed(reader, path, {&zstd()}, {.direct = Direct::on}));
    ASSERT_TRUE(reader.seek(1'499'990).ok());
    std::string rest;
    expect_ok(reader.read_rest(rest));
    EXPECT_TRUE(rest == bytes.substr(1'499'990));
  }
}

TEST(Compression, ReadsFilesThatAreNotCompressed) {
  for (const std::string plain : {"", "a", "abc", "plain text\n"}) {
    std::string back;
    expect_ok(decompress(plain, back));
    EXPECT_EQ(back, plain);
  }
}

TEST(Compression, RefusesNoSinkAndNoSource) {
  std::unique_ptr<Sink> sink;
  EXPECT_EQ(make_compressing_sink(nullptr, zstd(), {}, sink).code().value(), ENOMEM);
  EXPECT_EQ(sink, nullptr);
  std::unique_ptr<Source> source;
  EXPECT_EQ(make_decompressing_source(nullptr, {&zstd()}, source).code().value(), ENOMEM);
  EXPECT_EQ(source, nullptr);
}

// For example, another program has put a frame before the others.
TEST(Compression, SeeksWithoutATableThatDoesNotFit) {
  const std::string plain = lines(50'000);
  const std::string before = "something before\n";
  const std::string file = zstd_frame(before) + compressed_by(zstd(), plain);
  Reader reader;
  expect_ok(open_memory(reader, file));
  for (const std::size_t position : {40'000u, 3u, 20'000u}) {
    expect_ok(reader.seek(position));
    char bytes[100];
    EXPECT_EQ(std::string(bytes, reader.read(bytes, sizeof bytes)),
              (before + plain).substr(position, sizeof bytes));
  }
}

// What the failure of the Writer says: every byte before the named one can be read back.
TEST(Compression, NamesTheFirstByteThatCannotBeReadBack) {
  const std::string plain = pattern(0, 100'000);
  for (std::uint64_t limit = 0; limit < 40'000; limit += 997) {
    std::string target;
    std::unique_ptr<Sink> sink;
    expect_ok(make_compressing_sink(make_limiting_sink(make_memory_sink(target), limit), zstd(),
                                    small_frames, sink));
    Writer writer;
    expect_ok(writer.open(std::move(sink), {.block_bytes = 10'000}));
    writer.write(plain);
    const Status status = writer.close();
    if (status.ok()) continue;
    ASSERT_EQ(status.code().value(), EFBIG) << status.message();
    ASSERT_TRUE(status.offset().has_value());
    std::string back;
    static_cast<void>(decompress(target, back));
    ASSERT_GE(back.size(), *status.offset());
    ASSERT_EQ(back, plain.substr(0, back.size()));
  }
}

TEST(Compression, MakesFramesReadableAtAFlush) {
  std::string target;
  std::unique_ptr<Sink> sink;
  expect_ok(make_compressing_sink(make_memory_sink(target), zstd(), {}, sink));
  Writer writer;
  expect_ok(writer.open(std::move(sink)));
  std::string all;
  for (int i = 0; i < 20; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    writer.write(line);
    all += line;
    expect_ok(writer.flush());
    std::string back;
    expect_ok(decompress(target, back));
    EXPECT_EQ(back, all);
  }
  expect_ok(writer.close());
}

// Gives the bytes from `split` on one by one, so that the end of a frame comes in later reads.
class SplitSource final : public Source {
 public:
  SplitSource(const std::string& file, std::size_t split) : file_(file), split_(split) {}
  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    const std::size_t end = position < split_ ? split_ : std::min(position + 1, file_.size());
    got = std::min(into.size(), end - static_cast<std::size_t>(position));
    std::memcpy(into.data(), file_.data() + position, got);
    return {};
  }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string& file_;
  const std::size_t split_;
  const std::string path_ = "(split)";
};

// The largest frame whose bytes are given out only after its checksum is known.
TEST(Compression, VerifiesAFrameOf8MiBBeforeItGivesAByte) {
  const std::string plain(std::size_t{8} << 20, 'x');
  std::string file = compressed_by(zstd(), plain, {.frame_bytes = plain.size()});
  file.resize(ZSTD_findFrameCompressedSize(file.data(), file.size()));
  for (const bool is_damaged : {false, true}) {
    if (is_damaged) file.back() = static_cast<char>(file.back() ^ 1);  // the checksum
    for (std::size_t left = 0; left <= 5; ++left) {
      std::string back;
      const Status status =
          decompress(std::make_unique<SplitSource>(file, file.size() - left), back);
      EXPECT_EQ(status.ok(), !is_damaged) << left;
      EXPECT_EQ(back.size(), is_damaged ? 0 : plain.size()) << left;
    }
  }
}

TEST(Compression, ReadsAFileThatBeginsWithASkippableFrame) {
  const std::string plain = lines(5000);
  const std::string skippable("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  std::string back;
  expect_ok(decompress(skippable + compressed_by(zstd(), plain), back));
  EXPECT_TRUE(back == plain);
}

// All bytes can be read back if only the table could not be written. The Sink of a file names no
// byte in the Status of a failed write.
TEST(Compression, NamesTheEndIfTheTableCannotBeWritten) {
  const std::string plain = pattern(0, 100'000);
  const std::uint64_t all = compressed_by(zstd(), plain).size();
  for (const bool names_a_byte : {false, true}) {
    for (std::uint64_t limit = all - 20; limit < all; ++limit) {
      const auto target = std::make_shared<Recording>();
      target->fail_at = limit;
      target->offset_in_status = names_a_byte;
      std::unique_ptr<Sink> sink;
      expect_ok(make_compressing_sink(std::make_unique<RecordingSink>(target), zstd(), small_frames,
                                      sink));
      Writer writer;
      expect_ok(writer.open(std::move(sink)));
      writer.write(plain);
      const Status status = writer.close();
      EXPECT_EQ(status.code().value(), ENOSPC) << status.message();
      EXPECT_EQ(status.offset(), plain.size()) << status.message();
      EXPECT_EQ(writer.position(), plain.size());
      std::string back;
      static_cast<void>(decompress(target->bytes(), back));
      EXPECT_TRUE(back == plain);
    }
  }
}

// A second table would stand behind the first one, and a Reader would believe neither.
TEST(Compression, WritesOneTableIfTheDirectoryIsSyncedAgain) {
  const std::string plain = lines(30'000);
  const auto target = std::make_shared<Recording>();
  target->sync_operation = Operation::sync_directory;
  std::unique_ptr<Sink> sink;
  expect_ok(
      make_compressing_sink(std::make_unique<RecordingSink>(target), zstd(), small_frames, sink));
  Writer writer;
  expect_ok(writer.open(std::move(sink)));
  writer.write(plain);
  expect_ok(writer.flush(FlushTo::storage));
  target->sync_error = EIO;
  EXPECT_EQ(writer.close().operation(), Operation::sync_directory);
  target->sync_error = 0;
  expect_ok(writer.close());
  EXPECT_TRUE(target->bytes() == compressed_by(zstd(), plain));
  EXPECT_EQ(target->syncs(), 3u);
}

// Counts the writes of another Sink.
class CountingWrites final : public Sink {
 public:
  CountingWrites(std::unique_ptr<Sink> to, std::uint64_t& count)
      : to_(std::move(to)), count_(count) {}
  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    ++count_;
    return to_->write(position, pieces, written);
  }
  Status sync() override { return to_->sync(); }
  Status publish() override { return to_->publish(); }
  Status close() override { return to_->close(); }
  bool wants_full_blocks() override { return to_->wants_full_blocks(); }
  const std::string& path() const override { return to_->path(); }

 private:
  const std::unique_ptr<Sink> to_;
  std::uint64_t& count_;
};

// A write that is as large as a frame does not leave as a round of one frame.
TEST(Compression, CompressesSeveralLargeWritesAtTheSameTime) {
  std::string target;
  std::unique_ptr<Sink> sink;
  expect_ok(make_compressing_sink(make_memory_sink(target), zstd(), small_frames, sink));
  std::uint64_t writes = 0;
  Writer writer;
  expect_ok(writer.open(std::make_unique<CountingWrites>(std::move(sink), writes),
                        {.block_bytes = 3 * 4096}));
  const std::string plain = lines(30 * 4096);
  for (std::size_t at = 0; at < plain.size(); at += 4096) writer.write(plain.substr(at, 4096));
  expect_ok(writer.close());
  EXPECT_EQ(writes, 10u);
  std::string back;
  expect_ok(decompress(target, back));
  EXPECT_TRUE(back == plain);
}

// The Sink of a pipe may wait for its reader, which must keep no thread of the library.
TEST(Compression, WritesBehindOnlyIfTheTargetAllowsIt) {
  const ScratchDirectory directory;
  std::string memory;
  std::unique_ptr<Sink> file;
  expect_ok(open_file_sink(directory.file("f"), {}, file));
  for (const bool to_file : {false, true}) {
    std::unique_ptr<Sink> sink;
    expect_ok(make_compressing_sink(to_file ? std::move(file) : make_memory_sink(memory), zstd(),
                                    {}, sink));
    EXPECT_EQ(sink->allows_write_behind(), to_file);
  }
}

// The target has positions, so the message must not say that it has none.
TEST(Compression, SaysWhyAWriterHasNoPositions) {
  const ScratchDirectory directory;
  Writer writer;
  expect_ok(open_compressed(writer, directory.file("f"), zstd()));
  EXPECT_TRUE(writer.write("bytes"));
  const std::string why = "a compressed file is written from its beginning to its end";
  const Status sought = writer.seek(0);
  EXPECT_EQ(sought.code().value(), ESPIPE);
  EXPECT_EQ(sought.message(), "seek " + directory.file("f") + " at byte 0: " + why);
  expect_ok(writer.flush());
  const Status patched = writer.write_at(1, view_of("B"));
  EXPECT_EQ(patched.code().value(), ESPIPE);
  EXPECT_EQ(patched.message(), "write " + directory.file("f") + " at byte 1: " + why);
  expect_ok(writer.close());
}

TEST(Compression, LeavesFilesAloneIfTheWriterIsOpenAlready) {
  const ScratchDirectory directory;
  make_file(directory.file("old"), "old");
  Writer writer;
  expect_ok(writer.open(directory.file("open")));
  const Status status = open_compressed(writer, directory.file("old"), zstd());
  EXPECT_EQ(status.code().value(), EBUSY) << status.message();
  EXPECT_EQ(contents_of(directory.file("old")), "old");
  expect_ok(writer.close());
}

TEST(Compression, TellsTheWriterAndTheReaderOfAFailedOpen) {
  const ScratchDirectory directory;
  const std::string missing = directory.file("missing/file");
  Writer writer;
  EXPECT_EQ(open_compressed(writer, missing, zstd()).code().value(), ENOENT);
  EXPECT_EQ(writer.status().path(), missing);
  EXPECT_EQ(open_compressed(writer, missing, zstd(), {.level = 99}).code().value(), EINVAL);
  EXPECT_EQ(writer.status().code().value(), EINVAL);
  Reader reader;
  EXPECT_EQ(open_decompressed(reader, missing, {&zstd()}).code().value(), ENOENT);
  EXPECT_EQ(reader.status().path(), missing);
}

// Which frames are tried depends on the frames before them, but never on which thread is faster.
TEST(Compression, MakesTheSameFileAgain) {
  const ScratchDirectory directory;
  std::string plain;
  for (std::size_t i = 0; i < 40; ++i) plain += pattern(i, 50'000) + lines(9'000);
  std::string first;
  for (const WriteBehind behind : {WriteBehind::off, WriteBehind::on, WriteBehind::on}) {
    Writer writer;
    expect_ok(open_compressed(writer, directory.file("f"), zstd(), small_frames,
                              {.write_behind = behind}));
    for (std::size_t at = 0; at < plain.size(); at += 777) writer.write(plain.substr(at, 777));
    expect_ok(writer.close());
    const std::string file = contents_of(directory.file("f"));
    if (first.empty()) first = file;
    EXPECT_TRUE(file == first);
  }
  EXPECT_LT(first.size(), plain.size() * 19 / 20);  // some frames are compressed, some are stored
  EXPECT_GT(first.size(), plain.size() * 8 / 10);
}

TEST(Compression, RefusesOptionsThatMakeNoSense) {
  const ScratchDirectory directory;
  const auto refusal = [&](const CompressionOptions& compression, const WriterOptions& options) {
    Writer writer;
    const Status status =
        open_compressed(writer, directory.file("f"), zstd(), compression, options);
    EXPECT_EQ(status.code().value(), EINVAL) << status.message();
    EXPECT_FALSE(file_exists(directory.file("f")));
    return status.message().substr(status.message().find(": ") + 2);
  };
  EXPECT_EQ(refusal({.level = 23}, {}), "the level of zstd: 23 is not between -7 and 22");
  EXPECT_EQ(refusal({.frame_bytes = 4095}, {}), "frame_bytes is not between 4 KiB and 8 MiB");
  EXPECT_EQ(refusal({.frame_bytes = 8388609}, {}), "frame_bytes is not between 4 KiB and 8 MiB");
  EXPECT_EQ(refusal({.frames_at_a_time = 17}, {}), "frames_at_a_time is larger than 16");
  for (const CreateMode create : {CreateMode::append, CreateMode::existing}) {
    EXPECT_EQ(refusal({}, {.create = create}),
              "a compressed file is written from its beginning: use another CreateMode");
  }
}

}  // namespace
}  // namespace sluice::testing
