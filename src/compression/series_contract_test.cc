// Runs the contract tests of Sinks and Sources over those of a series.
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "sluice/series.h"
#include "sluice/sinks.h"
#include "testing/scratch_directory.h"
#include "testing/sink_contract.h"
#include "testing/source_contract.h"

namespace sluice::testing {
namespace {

constexpr CompressionOptions small_frames{.frame_bytes = 4096, .frames_at_a_time = 3};

std::string decompressed(const std::string& bytes) {
  std::unique_ptr<Source> source;
  const Status status =
      make_decompressing_source(make_memory_source(as_bytes(bytes)), {&series<double>()}, source);
  EXPECT_TRUE(status.ok()) << status.message();
  Reader reader;
  EXPECT_TRUE(reader.open(std::move(source)).ok());
  std::string all;
  static_cast<void>(reader.read_rest(all));
  return all;
}

class SeriesSinkUnderTest : public SinkUnderTest {
 public:
  // The target refuses the bytes from `max_bytes` on.
  explicit SeriesSinkUnderTest(std::uint64_t max_bytes) {
    const Status status =
        make_compressing_sink(make_limiting_sink(make_memory_sink(target_), max_bytes),
                              series<double>(), small_frames, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return decompressed(target_); }

 private:
  std::string target_;
  std::unique_ptr<Sink> sink_;
};

INSTANTIATE_TEST_SUITE_P(
    Series, SinkContract,
    ::testing::Values(sink_case<SeriesSinkUnderTest>("Memory", UINT64_MAX).without_positions()),
    name_of_sink_case);

INSTANTIATE_TEST_SUITE_P(
    Series, FailingSinkContract,
    ::testing::Values(sink_case<SeriesSinkUnderTest>("Limited", 3000u).without_positions()),
    name_of_sink_case);

std::string compressed(const std::string& bytes, bool has_table) {
  std::string target;
  std::unique_ptr<Sink> sink;
  EXPECT_TRUE(
      make_compressing_sink(make_memory_sink(target), series<double>(), small_frames, sink).ok());
  const BytesView all = as_bytes(bytes);
  std::size_t written = 0;
  EXPECT_TRUE(sink->write(0, std::span(&all, 1), written).ok());
  if (has_table) {
    EXPECT_TRUE(sink->publish().ok());
  }
  return target;
}

// A Source without positions, as a pipe is. It fails at byte `max_bytes`.
class SequentialSource final : public Source {
 public:
  SequentialSource(BytesView bytes, std::uint64_t max_bytes)
      : from_(make_memory_source(bytes)), max_bytes_(max_bytes) {}
  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    if (position >= max_bytes_) return Status::failure(Operation::read, path(), EIO);
    return from_->read(position, into.first(std::min<std::size_t>(into.size(), 1000)), got);
  }
  Status close() override { return {}; }
  const std::string& path() const override { return from_->path(); }

 private:
  const std::unique_ptr<Source> from_;
  const std::uint64_t max_bytes_;
};

class SeriesSourceUnderTest : public SourceUnderTest {
 public:
  SeriesSourceUnderTest(const std::string& bytes, bool has_table, bool has_positions,
                        std::uint64_t max_bytes = UINT64_MAX)
      : file_(compressed(bytes, has_table)) {
    std::unique_ptr<Source> from = make_memory_source(as_bytes(file_));
    if (!has_positions) {
      from = std::make_unique<SequentialSource>(as_bytes(file_), max_bytes);
    }
    const Status status = make_decompressing_source(std::move(from), {&series<double>()}, source_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Source& source() override { return *source_; }

 private:
  const std::string file_;
  std::unique_ptr<Source> source_;
};

INSTANTIATE_TEST_SUITE_P(
    Series, SourceContract,
    ::testing::Values(
        source_case<SeriesSourceUnderTest>("Table", true, true),
        source_case<SeriesSourceUnderTest>("NoTable", false, true).without_size(),
        source_case<SeriesSourceUnderTest>("Pipe", true, false).without_positions().without_size()),
    name_of_source_case);

INSTANTIATE_TEST_SUITE_P(Series, FailingSourceContract,
                         ::testing::Values(source_case<SeriesSourceUnderTest>(
                             "Frames", false, false, std::uint64_t{12'000})),
                         name_of_source_case);

}  // namespace
}  // namespace sluice::testing
