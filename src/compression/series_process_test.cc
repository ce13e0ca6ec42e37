// Series where the process has no memory.
#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>

#include "sluice/series.h"
#include "testing/compressed_file.h"
#include "testing/memory_sweep.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"
#include "testing/series_values.h"

namespace sluice::testing {
namespace {

std::string numbers(std::size_t bytes) {
  return series_of_values(SeriesType::float64, SeriesValues::noisy, bytes);
}

// The text of a refusal needs memory too.
TEST(OutOfMemory, WhileASeriesOfAnotherTypeIsRefused) {
  sweep([&](Attempt& attempt) {
    Writer writer;
    EXPECT_TRUE(open_compressed(writer, attempt.path, series<double>(), small_frames).ok());
    writer.write(numbers(8'000));
    EXPECT_TRUE(writer.close().ok());
    std::optional<Reader> reader(std::in_place);
    const bool is_open = attempt.succeeds(
        [&] { return open_decompressed(*reader, attempt.path, {&series<int>()}); }, {EINVAL});
    EXPECT_FALSE(is_open);
    attempt.memory.in([&] { reader.reset(); });
  });
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// What sluice/series.h says of memory: for each frame that is being compressed two frames' bytes
// and half a MiB more than zstd(), which takes two frames' bytes and at most 1 MiB.
TEST(Series, NeedsBoundedMemoryWithEightFramesAtATime) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs memory of its own";
  const std::string plain = numbers(1'000'003);  // so frames lie in several pieces
  for (const std::size_t frame_bytes : {std::size_t{4096}, mebibyte}) {
    const ScratchDirectory directory;
    if (!reset_peak_resident_bytes()) GTEST_SKIP() << "the kernel does not count";
    const std::size_t before = resident_bytes();
    Writer writer;
    ASSERT_TRUE(open_compressed(writer, directory.file("f"), series<double>(),
                                {.frame_bytes = frame_bytes, .frames_at_a_time = 8},
                                {.write_behind = WriteBehind::on, .block_bytes = 8 * frame_bytes})
                    .ok());
    for (int i = 0; i < 100; ++i) writer.write(plain);
    ASSERT_TRUE(writer.close().ok());
    const std::size_t used = peak_resident_bytes() - before;
    RecordProperty("frames_of_" + std::to_string(frame_bytes), std::to_string(used));
    const std::size_t blocks = 3 * 8 * frame_bytes;
    EXPECT_LE(used, blocks + 8 * ((2 + 2) * frame_bytes + mebibyte * 3 / 2)) << used;
  }
}

// Three times the largest frame, and 1 MiB.
TEST(Series, IsReadInBoundedMemory) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs memory of its own";
  const ScratchDirectory directory;
  constexpr std::size_t frame_bytes = 8 * mebibyte;
  {
    const std::string plain = numbers(frame_bytes);
    Writer writer;
    ASSERT_TRUE(open_compressed(writer, directory.file("f"), series<double>(),
                                {.frame_bytes = frame_bytes, .frames_at_a_time = 1})
                    .ok());
    for (const std::size_t part : {3u, 6u, 7u, 8u, 8u}) {
      writer.write(std::string_view(plain).substr(0, part * mebibyte));
      ASSERT_TRUE(writer.flush().ok());
    }
    ASSERT_TRUE(writer.close().ok());
  }
  if (!reset_peak_resident_bytes()) GTEST_SKIP() << "the kernel does not count";
  const std::size_t before = resident_bytes();
  Reader reader;
  ASSERT_TRUE(open_decompressed(reader, directory.file("f"), {&series<double>()}).ok());
  std::uint64_t bytes = 0;
  while (reader.skip(mebibyte) != 0) bytes += mebibyte;
  ASSERT_TRUE(reader.status().ok());
  EXPECT_EQ(bytes, 32 * mebibyte);
  EXPECT_LE(peak_resident_bytes() - before, 3 * frame_bytes + mebibyte);
}

}  // namespace
}  // namespace sluice::testing
