// Compression where the process has no memory, forks or ends.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "sluice/compression.h"
#include "sluice/lz4.h"
#include "sluice/series.h"
#include "sluice/zstd.h"
#include "testing/allocation_counter.h"
#include "testing/compressed_file.h"
#include "testing/lost_errors.h"
#include "testing/memory_sweep.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"
#include "testing/series_values.h"

namespace sluice::testing {
namespace {

// A codec, and bytes for it.
struct Kind {
  const Codec* codec;
  std::string (*bytes)(std::size_t count);
};

const Kind kinds[] = {{&zstd(), [](std::size_t count) { return pattern(0, count); }},
                      {&series<double>(), [](std::size_t count) {
                         return series_of_values(SeriesType::float64, SeriesValues::noisy, count);
                       }}};

// Writes the file, and reads it back, where memory may be missing.
void write_and_read_back(Attempt& attempt, const Codec& codec, std::string_view plain) {
  make_file(attempt.path, "old");
  std::optional<Writer> writer(std::in_place);
  const bool is_open =
      attempt.succeeds([&] { return open_compressed(*writer, attempt.path, codec, small_frames); });
  if (!is_open) {
    EXPECT_EQ(contents_of(attempt.path), "old");
  }
  attempt.memory.in([&] {
    writer->write(plain.substr(0, 5'000));
    writer->write(plain.substr(5'000));
  });
  const bool is_whole = attempt.succeeds([&] { return writer->close(); }, {EBADF});
  attempt.memory.in([&] { writer.reset(); });
  if (!is_whole) return;
  std::optional<Reader> reader(std::in_place);
  std::string back;
  const bool is_read = attempt.succeeds([&] {
    return open_decompressed(*reader, attempt.path, {&codec});
  }) && attempt.succeeds([&] { return reader->read_rest(back); });
  if (is_read) {
    EXPECT_TRUE(back == plain);
  }
  attempt.memory.in([&] { reader.reset(); });
}

// Every allocation fails in turn. A failed open leaves the old bytes, and every ok is true.
TEST(OutOfMemory, WhileAFileIsCompressed) {
  const LostErrors lost;
  for (const Kind& kind : kinds) {
    const std::string plain = kind.bytes(50'001);
    sweep([&](Attempt& attempt) { write_and_read_back(attempt, *kind.codec, plain); });
  }
}

// The allocations of the first write, of one frame.
std::size_t allocations_of_a_frame(std::size_t frames_at_a_time) {
  std::string target;
  std::unique_ptr<Sink> sink;
  EXPECT_TRUE(make_compressing_sink(make_memory_sink(target), zstd(),
                                    {.frames_at_a_time = frames_at_a_time}, sink)
                  .ok());
  const BytesView piece = std::as_bytes(std::span("a few bytes"));
  const std::size_t before = allocations_by_new();
  std::size_t written = 0;
  EXPECT_TRUE(sink->write(0, std::span(&piece, 1), written).ok());
  return allocations_by_new() - before;
}

// A program may have many small files, and the memory for a further frame could be missing.
TEST(Compression, MakesNoCompressorForAFrameThatDoesNotCome) {
  allocations_of_a_frame(1);  // starts the threads
  EXPECT_EQ(allocations_of_a_frame(3), allocations_of_a_frame(1));
}

// What sluice/compression.h says of memory: the blocks of the Writer, two frames' bytes for each of
// the frames that are compressed at the same time, and what the codec needs for each of them.
TEST(Compression, NeedsBoundedMemoryWithEightFramesAtATime) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs memory of its own";
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const std::string plain = pattern(0, 300'000) + std::string(300'000, 'x');
  for (const auto& [codec, codec_bytes] :
       {std::pair(&zstd(), 1 * mebibyte), std::pair(&lz4(), mebibyte / 2)}) {
    const ScratchDirectory directory;
    if (!reset_peak_resident_bytes()) GTEST_SKIP() << "the kernel does not count";
    const std::size_t before = resident_bytes();
    Writer writer;
    ASSERT_TRUE(open_compressed(writer, directory.file("f"), *codec, {.frames_at_a_time = 8},
                                {.write_behind = WriteBehind::on})
                    .ok());
    for (int i = 0; i < 200; ++i) writer.write(plain);
    ASSERT_TRUE(writer.close().ok());
    const std::size_t used = peak_resident_bytes() - before;
    RecordProperty(std::string(codec == &lz4() ? "lz4" : "zstd"), std::to_string(used));
    const std::size_t blocks = 3 * 8 * mebibyte;
    EXPECT_LE(used, blocks + 8 * (2 * mebibyte + codec_bytes)) << used;
  }
}

bool writes_file(const std::string& path, const Codec& codec, const std::string& plain) {
  Writer writer;
  const bool is_open = open_compressed(writer, path, codec, small_frames).ok();
  writer.write(plain);
  return writer.close().ok() && is_open;
}

std::string plain_of(const std::string& path) {
  std::string back;
  expect_ok(decompress(contents_of(path), back));
  return back;
}

// The child has no thread that compresses. It may compress files of its own.
TEST(Compression, GoesOnInAForkedChild) {
  if (sanitizer_threads != 0) {
    GTEST_SKIP() << "the thread sanitizer ends a child of threads that starts a thread";
  }
  const ScratchDirectory directory;
  for (const Kind& kind : kinds) {
    const std::string plain = kind.bytes(2'000'000);
    Writer writer;
    expect_ok(open_compressed(writer, directory.file("parent"), *kind.codec, small_frames));
    std::thread other([&] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(writes_file(directory.file("beside"), *kind.codec, plain));
      }
    });
    for (std::size_t i = 0; i < 20; ++i) {
      writer.write(plain.substr(i * 100'000, 100'000));
      const pid_t child = ::fork();
      if (child == 0) {
        ::alarm(30);
        ::_exit(writes_file(directory.file("child"), *kind.codec, plain.substr(0, 20'000)) ? 0 : 1);
      }
      int status = 0;
      ::waitpid(child, &status, 0);
      ASSERT_EQ(status, 0);
    }
    other.join();
    expect_ok(writer.close());
    EXPECT_TRUE(plain_of(directory.file("parent")) == plain);
  }
}

// A Writer with static lifetime is closed after the threads have ended.
TEST(Compression, EndsWithTheProcess) {
  const ScratchDirectory directory;
  const std::string path = directory.file("static");
  const std::string plain = pattern(0, 500'000);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    static Writer writer;
    if (!open_compressed(writer, path, zstd(), small_frames).ok()) ::_exit(1);
    writer.write(plain);
    std::exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(plain_of(path) == plain);
}

}  // namespace
}  // namespace sluice::testing
