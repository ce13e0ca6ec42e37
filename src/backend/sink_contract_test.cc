// Runs the contract test over every Sink. The real Sinks are also tested with faults below them.
#include "testing/sink_contract.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <sstream>
#include <streambuf>
#include <thread>

#include "backend/standard_sink.h"
#include "sluice/iostream.h"
#include "sluice/sinks.h"
#include "testing/faulty_system_calls.h"
#include "testing/file_sinks_under_test.h"
#include "testing/pipe.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// The descriptor belongs to the test. It stays open, and writes move its offset.
class DescriptorSinkUnderTest : public SinkUnderTest {
 public:
  // A file system on a disk has a smaller largest position than one in memory.
  explicit DescriptorSinkUnderTest(Faults faults, bool on_disk = false)
      : directory_(on_disk ? ScratchDirectory(ScratchDirectory::on_disk) : ScratchDirectory()) {
    faults(calls_);
    EXPECT_EQ(::write(descriptor_, "before", 6), 6);
    EXPECT_TRUE(open_descriptor_sink(descriptor_, "a descriptor", {}, sink_).ok());
    EXPECT_EQ(sink_->start_position(), 6u);
  }
  ~DescriptorSinkUnderTest() override { ::close(descriptor_); }

  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }

  std::string added_bytes() override {
    const std::string contents = contents_of(path_);
    EXPECT_EQ(::lseek(descriptor_, 0, SEEK_CUR), static_cast<off_t>(contents.size()));
    return contents.substr(6);
  }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  const int descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Sink> sink_;
};

// Collects the bytes of a descriptor until every writing end is closed.
class Drain {
 public:
  explicit Drain(int descriptor) : thread_([this, descriptor] { run(descriptor); }) {}
  ~Drain() { join(); }

  std::string bytes() {
    join();
    return bytes_;
  }

 private:
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  void run(int descriptor) {
    char block[4096];
    ssize_t got = 0;
    while ((got = ::read(descriptor, block, sizeof block)) > 0) {
      bytes_.append(block, static_cast<std::size_t>(got));
    }
    ::close(descriptor);
  }

  std::string bytes_;
  std::thread thread_;
};

class PipeSinkUnderTest : public SinkUnderTest {
 public:
  // With O_NONBLOCK in `flags` a full pipe refuses bytes instead of waiting.
  PipeSinkUnderTest(int flags, Faults faults) {
    faults(calls_);
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    EXPECT_EQ(::fcntl(ends[1], F_SETFL, flags), 0);
    writing_end_ = ends[1];
    drain_.emplace(ends[0]);
    EXPECT_TRUE(open_descriptor_sink(writing_end_, "a pipe", {}, sink_).ok());
  }
  ~PipeSinkUnderTest() override { close_writing_end(); }

  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }

  std::string added_bytes() override {
    EXPECT_GE(::fcntl(writing_end_, F_GETFD), 0) << "the Sink closed a descriptor of the caller's";
    close_writing_end();
    return drain_->bytes();
  }

 private:
  void close_writing_end() {
    if (writing_end_ >= 0) ::close(writing_end_);
    writing_end_ = -1;
  }

  int writing_end_ = -1;
  std::optional<Drain> drain_;
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Sink> sink_;
};

class FifoSinkUnderTest : public SinkUnderTest {
 public:
  FifoSinkUnderTest() {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    const int reading_end = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    EXPECT_GE(reading_end, 0);
    const Status status = open_file_sink(path_, {}, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(::fcntl(reading_end, F_SETFL, 0), 0);  // from now on reads wait
    drain_.emplace(reading_end);
  }
  ~FifoSinkUnderTest() override { sink_.reset(); }

  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return drain_->bytes(); }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("fifo");
  std::optional<Drain> drain_;
  std::unique_ptr<Sink> sink_;
};

template <typename Memory>
class MemorySinkUnderTest : public SinkUnderTest {
 public:
  MemorySinkUnderTest() {
    std::size_t written = 0;
    const BytesView before = as_bytes("before");
    EXPECT_TRUE(sink_->write(0, {&before, 1}, written).ok());
    sink_ = make_memory_sink(target_);
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override {
    return std::string(reinterpret_cast<const char*>(target_.data()), target_.size()).substr(6);
  }

 private:
  Memory target_;
  std::unique_ptr<Sink> sink_ = make_memory_sink(target_);
};

class OStreamSinkUnderTest : public SinkUnderTest {
 public:
  OStreamSinkUnderTest() { sink_ = make_ostream_sink(target_ << "before"); }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return target_.str().substr(6); }

 private:
  std::ostringstream target_;
  std::unique_ptr<Sink> sink_;
};

// A stream buffer without positions, which takes at most `limit` bytes.
class LimitedBuffer : public std::streambuf {
 public:
  explicit LimitedBuffer(std::size_t limit) : limit_(limit) {}
  std::string bytes;

 private:
  int overflow(int byte) override {
    if (bytes.size() >= limit_) return traits_type::eof();
    bytes += static_cast<char>(byte);
    return byte;
  }

  std::size_t limit_;
};

class OStreamWithoutPositionsUnderTest : public SinkUnderTest {
 public:
  OStreamWithoutPositionsUnderTest(std::size_t limit, bool throws) : buffer_(limit) {
    sink_ = make_ostream_sink(target_, "a limited stream");
    if (throws) target_.exceptions(std::ios_base::badbit | std::ios_base::failbit);
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return buffer_.bytes; }

 private:
  LimitedBuffer buffer_;
  std::ostream target_{&buffer_};
  std::unique_ptr<Sink> sink_;
};

class RecordingSinkUnderTest : public SinkUnderTest {
 public:
  explicit RecordingSinkUnderTest(std::uint64_t fail_at, bool has_positions = false) {
    recording_->fail_at = fail_at;
    recording_->has_positions = has_positions;
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return recording_->bytes(); }

 private:
  std::shared_ptr<Recording> recording_ = std::make_shared<Recording>();
  std::unique_ptr<Sink> sink_ = std::make_unique<RecordingSink>(recording_);
};

// Standard output, leading to a pipe.
class StandardSinkUnderTest : public SinkUnderTest {
 public:
  explicit StandardSinkUnderTest(Faults faults) {
    faults(calls_);
    drain_.emplace(pipe_.ends[0]);
    pipe_.ends[0] = -1;
    const Status status = open_standard_sink(pipe_.writing(), "a pipe", Lines::always, {}, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  ~StandardSinkUnderTest() override { pipe_.close_writing(); }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override {
    pipe_.close_writing();
    return drain_->bytes();
  }

 private:
  Pipe pipe_;
  std::optional<Drain> drain_;
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Sink> sink_;
};

// Lends the Sink of another SinkUnderTest to a Sink that wraps and owns it.
class LentSink final : public Sink {
 public:
  explicit LentSink(SinkUnderTest& lender) : lender_(lender) {}
  ~LentSink() override { lender_.destroy_sink(); }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    return sink().write(position, pieces, written);
  }
  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    return sink().write_at(position, bytes, written);
  }
  Status seek(std::uint64_t position) override { return sink().seek(position); }
  Status sync() override { return sink().sync(); }
  bool is_staged() override { return sink().is_staged(); }
  Status publish() override { return sink().publish(); }
  Status close() override { return sink().close(); }
  bool wants_lines() override { return sink().wants_lines(); }
  bool allows_write_behind() override { return sink().allows_write_behind(); }
  std::uint64_t start_position() override { return sink().start_position(); }
  const std::string& path() const override { return sink().path(); }

 private:
  Sink& sink() const { return lender_.sink(); }

  SinkUnderTest& lender_;
};

enum class Wrap { counting, limiting, checksumming, tee_with_null, null_with_tee };

// A Sink that wraps the Sink of `Inner`.
template <typename Inner>
class WrappedUnderTest : public SinkUnderTest {
 public:
  template <typename... Args>
  explicit WrappedUnderTest(Wrap wrap, Args... args) : inner_(std::move(args)...) {
    auto lent = std::make_unique<LentSink>(inner_);
    switch (wrap) {
      case Wrap::counting: sink_ = make_counting_sink(std::move(lent), bytes_); break;
      case Wrap::limiting: sink_ = make_limiting_sink(std::move(lent), 100'000'000); break;
      case Wrap::checksumming: sink_ = make_checksumming_sink(std::move(lent), checksum_); break;
      case Wrap::tee_with_null: sink_ = make_tee_sink(std::move(lent), make_null_sink()); break;
      case Wrap::null_with_tee: sink_ = make_tee_sink(make_null_sink(), std::move(lent)); break;
    }
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  bool is_named(std::string_view path) override {
    return sink_->path().find(path) != std::string::npos;
  }

  std::string added_bytes() override { return inner_.added_bytes(); }

 private:
  Inner inner_;
  std::uint64_t bytes_ = 0;
  Crc32c checksum_;
  std::unique_ptr<Sink> sink_;
};

// A tee of two Sinks. Both targets must get the same bytes.
template <typename First, typename Second>
class TeeUnderTest : public SinkUnderTest {
 public:
  TeeUnderTest() {
    sink_ = make_tee_sink(std::make_unique<LentSink>(first_), std::make_unique<LentSink>(second_));
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  bool is_named(std::string_view path) override {
    return sink_->path().find(path) != std::string::npos;
  }
  std::string added_bytes() override {
    const std::string added = first_.added_bytes();
    EXPECT_TRUE(second_.added_bytes() == added);
    return added;
  }

 private:
  First first_;
  Second second_;
  std::unique_ptr<Sink> sink_;
};

class LimitedUnderTest : public SinkUnderTest {
 public:
  LimitedUnderTest() {
    limited_ = make_limiting_sink(std::make_unique<LentSink>(memory_), 12'345u);
  }
  Sink& sink() override { return *limited_; }
  void destroy_sink() override { limited_.reset(); }
  std::string added_bytes() override { return memory_.added_bytes(); }

 private:
  MemorySinkUnderTest<std::string> memory_;
  std::unique_ptr<Sink> limited_;
};

class FullDeviceUnderTest : public SinkUnderTest {
 public:
  FullDeviceUnderTest() {
    const Status status = open_file_sink("/dev/full", {}, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return ""; }

 private:
  std::unique_ptr<Sink> sink_;
};

INSTANTIATE_TEST_SUITE_P(
    EverySink, SinkContract,
    ::testing::Values(
        sink_case<FileSinkUnderTest>("File", CreateMode::truncate, no_faults),
        sink_case<FileSinkUnderTest>("FileExclusive", CreateMode::exclusive, no_faults),
        sink_case<FileSinkUnderTest>("FileAppend", CreateMode::append, no_faults)
            .without_positions(),
        sink_case<FileSinkUnderTest>("FileExisting", CreateMode::existing, no_faults),
        sink_case<FileSinkUnderTest>("FileExistingHalfAtATime", CreateMode::existing,
                                     half_at_a_time),
        sink_case<FileSinkUnderTest>("FileHalfAtATime", CreateMode::truncate, half_at_a_time),
        sink_case<FileSinkUnderTest>("FileInterrupted", CreateMode::truncate, always_interrupted),
        sink_case<FileSinkUnderTest>("FileSlow", CreateMode::truncate, slow),
        sink_case<FileSinkUnderTest>("FileAppendHalfAtATime", CreateMode::append, half_at_a_time)
            .without_positions(),
        sink_case<FileSinkUnderTest>("FileDirect", written_directly(CreateMode::truncate),
                                     no_faults),
        sink_case<FileSinkUnderTest>("FileDirectExisting", written_directly(CreateMode::existing),
                                     page_at_a_time),
        sink_case<FileSinkUnderTest>("FileDirectHalfAtATime",
                                     written_directly(CreateMode::truncate), half_at_a_time),
        sink_case<FileSinkUnderTest>("FileDirectInterrupted",
                                     written_directly(CreateMode::exclusive), always_interrupted),
        sink_case<FileSinkUnderTest>("FileDropped", dropped_from_cache(CreateMode::truncate),
                                     no_faults),
        sink_case<FileSinkUnderTest>("FileDroppedAppend", dropped_from_cache(CreateMode::append),
                                     always_interrupted)
            .without_positions(),
        sink_case<ReplacingSinkUnderTest>("ReplacingDirect", "the old file", no_faults,
                                          written_directly(CreateMode::replace_atomically)),
        sink_case<ReplacingSinkUnderTest>("ReplacingDropped", "", half_at_a_time,
                                          dropped_from_cache(CreateMode::replace_atomically)),
        sink_case<ReplacingSinkUnderTest>("Replacing", "the old file", no_faults),
        sink_case<ReplacingSinkUnderTest>("ReplacingNothing", "", no_faults),
        sink_case<ReplacingSinkUnderTest>("ReplacingHalfAtATime", "the old file", half_at_a_time),
        sink_case<ReplacingSinkUnderTest>("ReplacingInterrupted", "", always_interrupted),
        sink_case<DescriptorSinkUnderTest>("Descriptor", no_faults),
        sink_case<DescriptorSinkUnderTest>("DescriptorOnDisk", no_faults, true),
        sink_case<DescriptorSinkUnderTest>("DescriptorHalfAtATime", half_at_a_time),
        sink_case<OStreamSinkUnderTest>("OStream"),
        sink_case<OStreamWithoutPositionsUnderTest>("OStreamWithoutPositions", SIZE_MAX, true)
            .without_positions(),
        sink_case<PipeSinkUnderTest>("Pipe", 0, no_faults).without_positions(),
        sink_case<PipeSinkUnderTest>("PipeNotBlocking", O_NONBLOCK, no_faults).without_positions(),
        sink_case<PipeSinkUnderTest>("PipeNotBlockingInterrupted", O_NONBLOCK, always_interrupted)
            .without_positions(),
        sink_case<PipeSinkUnderTest>("PipeHalfAtATime", 0, half_at_a_time).without_positions(),
        sink_case<StandardSinkUnderTest>("Standard", no_faults).without_positions(),
        sink_case<StandardSinkUnderTest>("StandardInterrupted", always_interrupted)
            .without_positions(),
        sink_case<FifoSinkUnderTest>("Fifo").without_positions(),
        sink_case<MemorySinkUnderTest<std::string>>("String"),
        sink_case<MemorySinkUnderTest<std::vector<std::byte>>>("Vector"),
        sink_case<MemorySinkUnderTest<Bytes>>("Bytes"),
        sink_case<WrappedUnderTest<FileSinkUnderTest>>("CountingFile", Wrap::counting,
                                                       CreateMode::truncate, no_faults),
        sink_case<WrappedUnderTest<ReplacingSinkUnderTest>>("CountingReplacing", Wrap::counting,
                                                            "the old file", half_at_a_time),
        sink_case<WrappedUnderTest<FileSinkUnderTest>>("LimitingAppend", Wrap::limiting,
                                                       CreateMode::append, no_faults)
            .without_positions(),
        sink_case<WrappedUnderTest<PipeSinkUnderTest>>("LimitingPipe", Wrap::limiting, 0, no_faults)
            .without_positions(),
        sink_case<WrappedUnderTest<FileSinkUnderTest>>("ChecksummingFile", Wrap::checksumming,
                                                       CreateMode::truncate, half_at_a_time)
            .without_positions(),
        sink_case<WrappedUnderTest<ReplacingSinkUnderTest>>("ChecksummingReplacing",
                                                            Wrap::checksumming, "", no_faults)
            .without_positions(),
        sink_case<WrappedUnderTest<MemorySinkUnderTest<Bytes>>>("TeeWithNull", Wrap::tee_with_null),
        sink_case<WrappedUnderTest<MemorySinkUnderTest<Bytes>>>("NullWithTee", Wrap::null_with_tee),
        sink_case<WrappedUnderTest<PipeSinkUnderTest>>("NullWithPipe", Wrap::null_with_tee, 0,
                                                       no_faults)
            .without_positions(),
        sink_case<TeeUnderTest<MemorySinkUnderTest<Bytes>, MemorySinkUnderTest<std::string>>>(
            "TeeOfMemory"),
        sink_case<TeeUnderTest<FifoSinkUnderTest, MemorySinkUnderTest<std::string>>>("TeeOfFifo")
            .without_positions(),
        sink_case<TeeUnderTest<MemorySinkUnderTest<std::string>, FifoSinkUnderTest>>("TeeWithFifo")
            .without_positions(),
        sink_case<RecordingSinkUnderTest>("RecordingWithPositions", UINT64_MAX, true),
        sink_case<RecordingSinkUnderTest>("Recording", UINT64_MAX).without_positions()),
    name_of_sink_case);

INSTANTIATE_TEST_SUITE_P(
    EverySink, FailingSinkContract,
    ::testing::Values(
        sink_case<OStreamWithoutPositionsUnderTest>("OStream", 123'456u, false),
        sink_case<OStreamWithoutPositionsUnderTest>("OStreamThatThrows", 123'456u, true),
        sink_case<FileSinkUnderTest>("FileShortThenFull", CreateMode::truncate, short_then_full),
        sink_case<FileSinkUnderTest>("FileDirectFull", written_directly(CreateMode::truncate),
                                     full),
        sink_case<FileSinkUnderTest>("FileDroppedShortThenFull",
                                     dropped_from_cache(CreateMode::truncate), short_then_full),
        sink_case<ReplacingSinkUnderTest>("ReplacingDirectFull", "the old file", full,
                                          written_directly(CreateMode::replace_atomically)),
        sink_case<FileSinkUnderTest>("FileAppendShortThenFull", CreateMode::append,
                                     short_then_full),
        sink_case<FileSinkUnderTest>("FileExistingShortThenFull", CreateMode::existing,
                                     short_then_full),
        sink_case<FileSinkUnderTest>("FileFailingOnce", CreateMode::truncate, failing_once),
        sink_case<ReplacingSinkUnderTest>("ReplacingShortThenFull", "the old file",
                                          short_then_full),
        sink_case<ReplacingSinkUnderTest>("ReplacingFailingOnce", "", failing_once),
        sink_case<DescriptorSinkUnderTest>("DescriptorShortThenFull", short_then_full),
        sink_case<PipeSinkUnderTest>("PipeFailingOnce", 0, failing_once),
        sink_case<StandardSinkUnderTest>("StandardFailingOnce", failing_once),
        sink_case<WrappedUnderTest<RecordingSinkUnderTest>>("CountingFull", Wrap::counting,
                                                            12'345u),
        sink_case<WrappedUnderTest<RecordingSinkUnderTest>>("LimitingFull", Wrap::limiting,
                                                            12'345u),
        sink_case<WrappedUnderTest<RecordingSinkUnderTest>>("ChecksummingFull", Wrap::checksumming,
                                                            12'345u),
        sink_case<WrappedUnderTest<RecordingSinkUnderTest>>("TeeFull", Wrap::tee_with_null,
                                                            12'345u),
        sink_case<WrappedUnderTest<RecordingSinkUnderTest>>("NullWithFull", Wrap::null_with_tee,
                                                            12'345u),
        sink_case<TeeUnderTest<LimitedUnderTest, MemorySinkUnderTest<Bytes>>>("TeeLimited"),
        sink_case<LimitedUnderTest>("Limited"), sink_case<FullDeviceUnderTest>("FullDevice"),
        sink_case<RecordingSinkUnderTest>("RecordingFull", 12'345u)),
    name_of_sink_case);

// Writes of one byte each, with a small target. The large pieces of the contract would take too
// long.
TEST(FileSink, ContinuesWritesOfOneByteEach) {
  FileSinkUnderTest under_test(CreateMode::truncate, one_byte_at_a_time);
  const std::string bytes = pattern(0, 1'000);
  const BytesView pieces[] = {as_bytes(bytes).first(1), as_bytes(bytes).subspan(1)};
  std::size_t written = 0;
  EXPECT_TRUE(under_test.sink().write(0, pieces, written).ok());
  EXPECT_EQ(written, bytes.size());
  under_test.destroy_sink();
  EXPECT_TRUE(under_test.added_bytes() == bytes);
}

}  // namespace
}  // namespace sluice::testing
