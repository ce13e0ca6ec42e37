// Runs the contract tests of Sinks and Sources over those that compress and decompress.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "compression/codec.h"
#include "sluice/codecs.h"
#include "sluice/compression.h"
#include "sluice/gzip.h"
#include "sluice/lz4.h"
#include "sluice/series.h"
#include "sluice/sinks.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/foreign_frames.h"
#include "testing/piecewise_source.h"
#include "testing/scratch_directory.h"
#include "testing/sink_contract.h"
#include "testing/source_contract.h"

namespace sluice::testing {
namespace {

using Format = const Codec& (*)() noexcept;

// All bytes that can be read back. The file may end within a frame.
std::string decompressed(const std::string& file) {
  std::string bytes;
  static_cast<void>(decompress(file, bytes));
  return bytes;
}

class CompressingUnderTest : public SinkUnderTest {
 public:
  // The target refuses the bytes from `max_bytes` on.
  CompressingUnderTest(Format format, std::uint64_t max_bytes) {
    expect_ok(make_compressing_sink(make_limiting_sink(make_memory_sink(target_), max_bytes),
                                    format(), small_frames, sink_));
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return decompressed(target_); }

 private:
  std::string target_;
  std::unique_ptr<Sink> sink_;
};

class CompressingFileUnderTest : public SinkUnderTest {
 public:
  CompressingFileUnderTest(Format format, CreateMode create) {
    std::unique_ptr<Sink> file;
    EXPECT_TRUE(open_file_sink(path_, {.create = create}, file).ok());
    EXPECT_TRUE(make_compressing_sink(std::move(file), format(), small_frames, sink_).ok());
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override {
    return file_exists(path_) ? decompressed(contents_of(path_)) : "";
  }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  std::unique_ptr<Sink> sink_;
};

INSTANTIATE_TEST_SUITE_P(
    Compressing, SinkContract,
    ::testing::Values(
        sink_case<CompressingUnderTest>("Zstd", zstd, UINT64_MAX).without_positions(),
        sink_case<CompressingUnderTest>("Lz4", lz4, UINT64_MAX).without_positions(),
        sink_case<CompressingUnderTest>("Series", series<double>, UINT64_MAX).without_positions(),
        sink_case<CompressingFileUnderTest>("File", zstd, CreateMode::truncate).without_positions(),
        sink_case<CompressingFileUnderTest>("Replacing", lz4, CreateMode::replace_atomically)
            .without_positions()),
    name_of_sink_case);

INSTANTIATE_TEST_SUITE_P(
    Compressing, FailingSinkContract,
    ::testing::Values(
        sink_case<CompressingUnderTest>("Zstd", zstd, 3000u).without_positions(),
        sink_case<CompressingUnderTest>("Lz4", lz4, 3000u).without_positions(),
        sink_case<CompressingUnderTest>("Series", series<double>, 3000u).without_positions()),
    name_of_sink_case);

enum class Layout : std::uint8_t { frames_with_table, frames, plain };

std::string compressed(const std::string& bytes, Format format, Layout layout) {
  if (layout == Layout::plain) return bytes;
  if (!format().compresses()) return gzip_member(bytes);
  std::string target;
  std::unique_ptr<Sink> sink;
  EXPECT_TRUE(make_compressing_sink(make_memory_sink(target), format(), small_frames, sink).ok());
  const BytesView all = as_bytes(bytes);
  std::size_t written = 0;
  EXPECT_TRUE(sink->write(0, std::span(&all, 1), written).ok());
  if (layout == Layout::frames_with_table) {
    EXPECT_TRUE(sink->publish().ok());
  }
  return target;
}

class DecompressingUnderTest : public SourceUnderTest {
 public:
  DecompressingUnderTest(const std::string& bytes, Format format, Layout layout, bool has_positions,
                         std::uint64_t max_bytes = UINT64_MAX)
      : file_(compressed(bytes, format, layout)) {
    std::unique_ptr<Source> from = make_memory_source(as_bytes(file_));
    if (!has_positions) {
      from = std::make_unique<PiecewiseSource>(as_bytes(file_), 1000, max_bytes);
    }
    expect_ok(make_decompressing_source(std::move(from), all_codecs(), source_));
  }
  Source& source() override { return *source_; }

 private:
  const std::string file_;
  std::unique_ptr<Source> source_;
};

INSTANTIATE_TEST_SUITE_P(
    Decompressing, SourceContract,
    ::testing::Values(
        source_case<DecompressingUnderTest>("ZstdTable", zstd, Layout::frames_with_table, true),
        source_case<DecompressingUnderTest>("Lz4Table", lz4, Layout::frames_with_table, true),
        source_case<DecompressingUnderTest>("SeriesTable", series<double>,
                                            Layout::frames_with_table, true),
        source_case<DecompressingUnderTest>("SeriesNoTable", series<double>, Layout::frames, true)
            .without_size(),
        source_case<DecompressingUnderTest>("SeriesPipe", series<double>, Layout::frames_with_table,
                                            false)
            .without_positions()
            .without_size(),
        source_case<DecompressingUnderTest>("ZstdNoTable", zstd, Layout::frames, true)
            .without_size(),
        source_case<DecompressingUnderTest>("Lz4NoTable", lz4, Layout::frames, true).without_size(),
        source_case<DecompressingUnderTest>("Gzip", gzip, Layout::frames, true).without_size(),
        source_case<DecompressingUnderTest>("ZstdPipe", zstd, Layout::frames_with_table, false)
            .without_positions()
            .without_size(),
        source_case<DecompressingUnderTest>("Lz4Pipe", lz4, Layout::frames_with_table, false)
            .without_positions()
            .without_size(),
        source_case<DecompressingUnderTest>("GzipPipe", gzip, Layout::frames, false)
            .without_positions()
            .without_size(),
        source_case<DecompressingUnderTest>("PlainPipe", zstd, Layout::plain, false)
            .without_positions()
            .without_size()),
    name_of_source_case);

INSTANTIATE_TEST_SUITE_P(
    Decompressing, FailingSourceContract,
    ::testing::Values(source_case<DecompressingUnderTest>("Zstd", zstd, Layout::frames, false,
                                                          std::uint64_t{12'000}),
                      source_case<DecompressingUnderTest>("Lz4", lz4, Layout::frames, false,
                                                          std::uint64_t{12'000}),
                      source_case<DecompressingUnderTest>("Series", series<double>, Layout::frames,
                                                          false, std::uint64_t{12'000})),
    name_of_source_case);

}  // namespace
}  // namespace sluice::testing
