// Runs the contract test over every Source. The real Sources are also tested with faults below
// them.
#include "testing/source_contract.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <thread>

#include "sluice/iostream.h"
#include "sluice/sources.h"
#include "testing/faulty_source.h"
#include "testing/faulty_system_calls.h"
#include "testing/file_source_under_test.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// Writes the bytes until all are written or the reader is gone, then closes. Runs in its own
// thread.
void feed(int descriptor, const std::string& bytes) {
  sigset_t broken_pipe;
  ::sigemptyset(&broken_pipe);
  ::sigaddset(&broken_pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t result = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (result <= 0) break;
    written += static_cast<std::size_t>(result);
  }
  ::close(descriptor);
}

class PipeSourceUnderTest : public SourceUnderTest {
 public:
  // With O_NONBLOCK in `flags` an empty pipe refuses to be read instead of waiting.
  PipeSourceUnderTest(const std::string& bytes, int flags, Faults faults) : bytes_(bytes) {
    faults(calls_);
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    reading_end_ = ends[0];
    EXPECT_EQ(::fcntl(reading_end_, F_SETFL, flags), 0);
    feeder_ = std::thread([this, end = ends[1]] { feed(end, bytes_); });
    EXPECT_TRUE(open_descriptor_source(reading_end_, "a pipe", source_).ok());
  }
  ~PipeSourceUnderTest() override {
    source_.reset();
    EXPECT_EQ(::close(reading_end_), 0) << "the Source closed a descriptor of the caller's";
    feeder_.join();
  }
  Source& source() override { return *source_; }

 private:
  const std::string bytes_;
  int reading_end_ = -1;
  std::thread feeder_;
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Source> source_;
};

class FifoSourceUnderTest : public SourceUnderTest {
 public:
  FifoSourceUnderTest(const std::string& bytes, Faults faults) : bytes_(bytes) {
    faults(calls_);
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    feeder_ = std::thread([this] { feed(::open(path_.c_str(), O_WRONLY | O_CLOEXEC), bytes_); });
    const Status status = open_file_source(path_, {}, source_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  ~FifoSourceUnderTest() override {
    source_.reset();
    feeder_.join();
  }
  Source& source() override { return *source_; }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("fifo");
  const std::string bytes_;
  std::thread feeder_;
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Source> source_;
};

class DescriptorSourceUnderTest : public SourceUnderTest {
 public:
  explicit DescriptorSourceUnderTest(const std::string& bytes) {
    make_file(path_, "before" + bytes);
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(::lseek(descriptor_, 6, SEEK_SET), 6);
    EXPECT_TRUE(open_descriptor_source(descriptor_, "a descriptor", source_).ok());
  }
  ~DescriptorSourceUnderTest() override {
    source_.reset();
    EXPECT_EQ(::close(descriptor_), 0) << "the Source closed a descriptor of the caller's";
  }
  Source& source() override { return *source_; }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("source");
  int descriptor_ = -1;
  std::unique_ptr<Source> source_;
};

class MemorySourceUnderTest : public SourceUnderTest {
 public:
  explicit MemorySourceUnderTest(const std::string& bytes) : bytes_(bytes) {}
  Source& source() override { return *source_; }

 private:
  const std::string bytes_;
  std::unique_ptr<Source> source_ = make_memory_source(std::as_bytes(std::span(bytes_)));
};

class ScriptedSourceUnderTest : public SourceUnderTest {
 public:
  ScriptedSourceUnderTest(const std::string& bytes, std::size_t max_bytes, std::uint64_t fail_at) {
    script_->bytes = bytes;
    script_->max_bytes_per_read = max_bytes;
    script_->fail_at = fail_at;
    script_->has_positions = max_bytes != SIZE_MAX;
    if (script_->has_positions) script_->size = bytes.size();
  }
  Source& source() override { return *source_; }

 private:
  std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
  std::unique_ptr<Source> source_ = std::make_unique<FaultySource>(script_);
};

enum class Wrap { counting, limiting, checksumming };

// A Source over memory or a script, inside a wrapping Source.
class WrappedSourceUnderTest : public SourceUnderTest {
 public:
  WrappedSourceUnderTest(const std::string& bytes, Wrap wrap, std::uint64_t fail_at,
                         bool has_positions)
      : bytes_(bytes) {
    script_->bytes = bytes;
    script_->fail_at = fail_at;
    script_->has_positions = has_positions;
    if (has_positions) script_->size = bytes.size();
    auto scripted = std::make_unique<FaultySource>(script_);
    switch (wrap) {
      case Wrap::counting: source_ = make_counting_source(std::move(scripted), counted_); break;
      case Wrap::limiting: cut(); break;
      case Wrap::checksumming:
        source_ = make_checksumming_source(std::move(scripted), checksum_);
        break;
    }
  }
  Source& source() override { return *source_; }

 private:
  // The Source has more bytes than the limit allows.
  void cut() {
    script_->bytes += "beyond the limit";
    if (script_->has_positions) script_->size = script_->bytes.size();
    source_ = make_limiting_source(std::make_unique<FaultySource>(script_), bytes_.size());
  }

  const std::string bytes_;
  std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
  std::uint64_t counted_ = 0;
  Crc32c checksum_;
  std::unique_ptr<Source> source_;
};

// A stream that has read some bytes before the Source gets it.
class IStreamSourceUnderTest : public SourceUnderTest {
 public:
  explicit IStreamSourceUnderTest(const std::string& bytes) : stream_("before" + bytes) {
    stream_.ignore(6);
    source_ = make_istream_source(stream_);
  }
  Source& source() override { return *source_; }

 private:
  std::istringstream stream_;
  std::unique_ptr<Source> source_;
};

// A stream buffer without positions, whose reads fail from byte `fail_at` on.
class FailingBuffer : public std::streambuf {
 public:
  FailingBuffer(std::string bytes, std::size_t fail_at)
      : bytes_(std::move(bytes)), fail_at_(fail_at) {}

 private:
  int underflow() override {
    if (at_ == fail_at_) throw std::runtime_error("read error");
    if (at_ == bytes_.size()) return traits_type::eof();
    const std::size_t count = std::min({bytes_.size() - at_, fail_at_ - at_, std::size_t{700}});
    setg(&bytes_[at_], &bytes_[at_], &bytes_[at_] + count);
    at_ += count;
    return traits_type::to_int_type(*gptr());
  }

  std::string bytes_;
  std::size_t fail_at_;
  std::size_t at_ = 0;
};

class IStreamWithoutPositionsUnderTest : public SourceUnderTest {
 public:
  IStreamWithoutPositionsUnderTest(const std::string& bytes, std::size_t fail_at, bool throws)
      : buffer_(bytes, fail_at) {
    source_ = make_istream_source(stream_);
    stream_.clear();
    if (throws) stream_.exceptions(std::ios_base::badbit | std::ios_base::eofbit);
  }
  Source& source() override { return *source_; }

 private:
  FailingBuffer buffer_;
  std::istream stream_{&buffer_};
  std::unique_ptr<Source> source_;
};

constexpr ReadAhead automatic = ReadAhead::automatic;
constexpr ReaderOptions directly{.direct = Direct::if_possible};
constexpr ReaderOptions dropping{.cache = Cache::drop};
constexpr std::uint64_t never = UINT64_MAX;

INSTANTIATE_TEST_SUITE_P(
    EverySource, SourceContract,
    ::testing::Values(
        source_case<FileSourceUnderTest>("File", automatic, no_faults),
        source_case<FileSourceUnderTest>("FileWithoutReadAhead", ReadAhead::off, no_faults),
        source_case<FileSourceUnderTest>("FileShort", automatic, at_most_seven_bytes),
        source_case<FileSourceUnderTest>("FileHalfAtATime", ReadAhead::off, half_at_a_time),
        source_case<FileSourceUnderTest>("FileInterrupted", automatic, always_interrupted),
        source_case<FileSourceUnderTest>("FileWithAdviceRefused", automatic, advice_refused),
        source_case<FileSourceUnderTest>("FileDirect", directly, no_faults),
        source_case<FileSourceUnderTest>("FileDirectPageAtATime", directly, page_at_a_time),
        source_case<FileSourceUnderTest>("FileDirectInterrupted", directly, always_interrupted),
        source_case<FileSourceUnderTest>("FileDropped", dropping, half_at_a_time),
        source_case<IStreamSourceUnderTest>("IStream"),
        source_case<IStreamWithoutPositionsUnderTest>("IStreamWithoutPositions", SIZE_MAX, false)
            .without_positions()
            .without_size(),
        source_case<IStreamWithoutPositionsUnderTest>("IStreamThatThrows", SIZE_MAX, true)
            .without_positions()
            .without_size(),
        source_case<PipeSourceUnderTest>("Pipe", 0, no_faults).without_positions().without_size(),
        source_case<PipeSourceUnderTest>("PipeShort", 0, at_most_seven_bytes)
            .without_positions()
            .without_size(),
        source_case<PipeSourceUnderTest>("PipeNotBlocking", O_NONBLOCK, no_faults)
            .without_positions()
            .without_size(),
        source_case<PipeSourceUnderTest>("PipeInterrupted", O_NONBLOCK, always_interrupted)
            .without_positions()
            .without_size(),
        source_case<FifoSourceUnderTest>("Fifo", no_faults).without_positions().without_size(),
        source_case<FifoSourceUnderTest>("FifoInterrupted", always_interrupted)
            .without_positions()
            .without_size(),
        source_case<DescriptorSourceUnderTest>("Descriptor"),
        source_case<MemorySourceUnderTest>("Memory"),
        source_case<WrappedSourceUnderTest>("Counting", Wrap::counting, never, true),
        source_case<WrappedSourceUnderTest>("CountingPipe", Wrap::counting, never, false)
            .without_positions()
            .without_size(),
        source_case<WrappedSourceUnderTest>("Limiting", Wrap::limiting, never, true),
        source_case<WrappedSourceUnderTest>("LimitingPipe", Wrap::limiting, never, false)
            .without_positions()
            .without_size(),
        source_case<WrappedSourceUnderTest>("Checksumming", Wrap::checksumming, never, true)
            .without_positions(),
        source_case<ScriptedSourceUnderTest>("Scripted", SIZE_MAX, never)
            .without_positions()
            .without_size(),
        source_case<ScriptedSourceUnderTest>("ScriptedShort", std::size_t{3}, never)),
    name_of_source_case);

INSTANTIATE_TEST_SUITE_P(
    EverySource, FailingSourceContract,
    ::testing::Values(
        source_case<FileSourceUnderTest>("File", automatic, failing_in_the_middle),
        source_case<FileSourceUnderTest>("FileDirect", directly, failing_in_the_middle),
        source_case<IStreamWithoutPositionsUnderTest>("IStream", std::size_t{12'345}, false),
        source_case<IStreamWithoutPositionsUnderTest>("IStreamThatThrows", std::size_t{12'345},
                                                      true),
        source_case<PipeSourceUnderTest>("Pipe", 0, failing_in_the_middle),
        source_case<WrappedSourceUnderTest>("Counting", Wrap::counting, 12'345, true),
        source_case<WrappedSourceUnderTest>("Limiting", Wrap::limiting, 12'345, true),
        source_case<WrappedSourceUnderTest>("Checksumming", Wrap::checksumming, 12'345, false),
        source_case<ScriptedSourceUnderTest>("Scripted", SIZE_MAX, 12'345)),
    name_of_source_case);

}  // namespace
}  // namespace sluice::testing
