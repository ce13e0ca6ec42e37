// Runs the contract test of Sinks over the Sinks of files, with faults below them.
#include <fcntl.h>
#include <io.h>

#include <array>
#include <optional>
#include <thread>

#include "sluice/sinks.h"
#include "testing/file_sinks_under_test.h"
#include "testing/sink_contract.h"

namespace sluice::testing {
namespace {

// The descriptor of the C runtime belongs to the test. It stays open, and writes move its offset.
class DescriptorSinkUnderTest : public SinkUnderTest {
 public:
  explicit DescriptorSinkUnderTest(Faults faults) {
    faults(calls_);
    EXPECT_EQ(::_write(descriptor_, "before", 6), 6);
    const Status status = open_descriptor_sink(descriptor_, "a descriptor", {}, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(sink_->start_position(), 6u);
  }
  ~DescriptorSinkUnderTest() override { ::_close(descriptor_); }

  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }

  std::string added_bytes() override {
    const std::string contents = contents_of(path_);
    EXPECT_EQ(::_lseeki64(descriptor_, 0, SEEK_CUR), static_cast<long long>(contents.size()));
    return contents.substr(6);
  }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  const int descriptor_ = ::_open(path_.c_str(), _O_WRONLY | _O_CREAT | _O_BINARY, 0666);
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Sink> sink_;
};

class PipeSinkUnderTest : public SinkUnderTest {
 public:
  explicit PipeSinkUnderTest(Faults faults) {
    faults(calls_);
    EXPECT_EQ(::_pipe(ends_.data(), 4096, _O_BINARY), 0);
    drain_ = std::thread([this] { drain(); });
    const Status status = open_descriptor_sink(ends_[1], "a pipe", {}, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  ~PipeSinkUnderTest() override { finish(); }

  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }

  std::string added_bytes() override {
    finish();
    return bytes_;
  }

 private:
  void drain() {
    std::array<char, 4096> block;
    int got = 0;
    while ((got = ::_read(ends_[0], block.data(), block.size())) > 0) {
      bytes_.append(block.data(), static_cast<std::size_t>(got));
    }
  }
  void finish() {
    if (!drain_.joinable()) return;
    ::_close(ends_[1]);
    drain_.join();
    ::_close(ends_[0]);
  }

  std::array<int, 2> ends_{};
  std::string bytes_;
  std::thread drain_;
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Sink> sink_;
};

INSTANTIATE_TEST_SUITE_P(
    Windows, SinkContract,
    ::testing::Values(
        sink_case<FileSinkUnderTest>("File", CreateMode::truncate, no_faults),
        sink_case<FileSinkUnderTest>("FileExclusive", CreateMode::exclusive, no_faults),
        sink_case<FileSinkUnderTest>("FileAppend", CreateMode::append, no_faults)
            .without_positions(),
        sink_case<FileSinkUnderTest>("FileExisting", CreateMode::existing, no_faults),
        sink_case<FileSinkUnderTest>("FileHalfAtATime", CreateMode::truncate, half_at_a_time),
        sink_case<FileSinkUnderTest>("FileInterrupted", CreateMode::truncate, always_interrupted),
        sink_case<FileSinkUnderTest>("FileAppendHalfAtATime", CreateMode::append, half_at_a_time)
            .without_positions(),
        sink_case<ReplacingSinkUnderTest>("Replacing", "the old file", no_faults),
        sink_case<ReplacingSinkUnderTest>("ReplacingNothing", "", no_faults),
        sink_case<ReplacingSinkUnderTest>("ReplacingHalfAtATime", "the old file", half_at_a_time),
        sink_case<ReplacingSinkUnderTest>("ReplacingInterrupted", "", always_interrupted),
        sink_case<DescriptorSinkUnderTest>("Descriptor", no_faults),
        sink_case<DescriptorSinkUnderTest>("DescriptorHalfAtATime", half_at_a_time),
        sink_case<PipeSinkUnderTest>("Pipe", no_faults).without_positions(),
        sink_case<PipeSinkUnderTest>("PipeHalfAtATime", half_at_a_time).without_positions()),
    name_of_sink_case);

INSTANTIATE_TEST_SUITE_P(
    Windows, FailingSinkContract,
    ::testing::Values(
        sink_case<FileSinkUnderTest>("FileShortThenFull", CreateMode::truncate, short_then_full),
        sink_case<FileSinkUnderTest>("FileAppendShortThenFull", CreateMode::append,
                                     short_then_full),
        sink_case<FileSinkUnderTest>("FileFailingOnce", CreateMode::truncate, failing_once),
        sink_case<ReplacingSinkUnderTest>("ReplacingShortThenFull", "the old file",
                                          short_then_full),
        sink_case<DescriptorSinkUnderTest>("DescriptorShortThenFull", short_then_full),
        sink_case<PipeSinkUnderTest>("PipeFailingOnce", failing_once)),
    name_of_sink_case);

}  // namespace
}  // namespace sluice::testing
