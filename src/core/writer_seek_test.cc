// A Writer that seeks and patches written bytes, on every kind of target, compared with a string
// (W12).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// A Writer's target, its bytes before the Writer began, and its bytes at the end.
class Target {
 public:
  virtual ~Target() = default;
  virtual Status open(Writer& writer, WriterOptions options) = 0;
  virtual std::string contents() = 0;

  std::string before;
};

class FileTarget : public Target {
 public:
  explicit FileTarget(CreateMode create) : create_(create) {
    if (create == CreateMode::existing) before = "what is there before the first byte is written";
    if (create == CreateMode::existing) make_file(path_, before);
  }
  Status open(Writer& writer, WriterOptions options) override {
    options.create = create_;
    return writer.open(path_, options);
  }
  std::string contents() override { return contents_of(path_); }

 private:
  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  const CreateMode create_;
};

class DescriptorTarget : public Target {
 public:
  DescriptorTarget() {
    make_file(path_, before = "before");
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_EQ(::lseek(descriptor_, 0, SEEK_END), 6);
  }
  ~DescriptorTarget() override { ::close(descriptor_); }
  Status open(Writer& writer, WriterOptions options) override {
    return writer.attach(descriptor_, "descriptor", options);
  }
  std::string contents() override { return contents_of(path_); }

 private:
  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  int descriptor_;
};

template <typename Memory>
class MemoryTarget : public Target {
 public:
  Status open(Writer& writer, WriterOptions options) override {
    return writer.open(make_memory_sink(memory_), options);
  }
  std::string contents() override {
    return {reinterpret_cast<const char*>(memory_.data()), memory_.size()};
  }

 private:
  Memory memory_;
};

class RecordingTarget : public Target {
 public:
  explicit RecordingTarget(std::uint64_t fail_at = UINT64_MAX) {
    recording_->has_positions = true;
    recording_->fail_at = fail_at;
  }
  ~RecordingTarget() override { EXPECT_FALSE(recording_->out_of_turn()); }
  Status open(Writer& writer, WriterOptions options) override {
    return writer.open(std::make_unique<RecordingSink>(recording_), options);
  }
  std::string contents() override { return recording_->bytes(); }

 private:
  const std::shared_ptr<Recording> recording_ = std::make_shared<Recording>();
};

struct TargetCase {
  const char* name;
  std::function<std::unique_ptr<Target>()> make;
};

template <typename T, typename... Args>
TargetCase target_case(const char* name, Args... args) {
  return {name, [args...] { return std::make_unique<T>(args...); }};
}

const TargetCase targets[] = {
    target_case<FileTarget>("File", CreateMode::truncate),
    target_case<FileTarget>("ExistingFile", CreateMode::existing),
    target_case<FileTarget>("ReplacedFile", CreateMode::replace_atomically),
    target_case<DescriptorTarget>("Descriptor"),
    target_case<MemoryTarget<std::string>>("String"),
    target_case<MemoryTarget<std::vector<std::byte>>>("Vector"),
    target_case<MemoryTarget<Bytes>>("Bytes"),
    target_case<RecordingTarget>("Recording"),
};

// A Writer, and a string that has every byte at the position that the test asked for.
class WriterAndModel {
 public:
  WriterAndModel(Target& target, unsigned seed) : target_(target), random_(seed) {
    const WriteBehind ways[] = {WriteBehind::off, WriteBehind::on, WriteBehind::automatic};
    const Durability durabilities[] = {Durability::none, Durability::none, Durability::every_write};
    const std::size_t block_bytes = 1 + any(300);
    const Status status = target.open(writer_, {.durability = durabilities[any(2)],
                                                .write_behind = ways[any(2)],
                                                .block_bytes = block_bytes});
    EXPECT_TRUE(status.ok()) << status.message();
    expected_ = target.before;
    at_ = writer_.position();
  }

  void run(int calls) {
    for (int i = 0; i < calls && writer_.status().ok(); ++i) {
      step();
      if (writer_.status().ok()) {
        ASSERT_EQ(writer_.position(), at_);
      }
    }
    const Status closed = writer_.close();
    std::string found = target_.contents();
    if (closed.ok()) {
      ASSERT_EQ(found, expected_);
      return;
    }
    if (!closed.offset()) return;  // the failure of a sync names no byte
    const std::uint64_t offset = *closed.offset();
    ASSERT_LE(offset, expected_.size());
    // Bytes that were never written before this offset may be zeros, or be missing.
    found.resize(std::max<std::size_t>(found.size(), offset));
    // A refused write_at() may have written a part of its bytes.
    if (found.substr(0, offset) == without_refused_.substr(0, offset)) return;
    ASSERT_EQ(found.substr(0, offset), expected_.substr(0, offset)) << closed.message();
  }

 private:
  std::size_t any(std::size_t most) { return random_() % (most + 1); }

  void step() {
    switch (any(6)) {
      case 0:
      case 1: return write(any(3) == 0 ? any(1'000) : any(50));
      case 2: return put();
      case 3: return build(any(20));
      case 4: return write_at(any(expected_.size() + 20), any(any(1) == 0 ? 10 : 500));
      case 5: return seek(any(2) == 0 ? any(expected_.size() + 20) : at_);
      case 6: static_cast<void>(writer_.flush());
    }
  }

  std::string next(std::size_t bytes) {
    made_ += bytes;
    return pattern(made_ - bytes, bytes);
  }

  void expect(std::uint64_t position, const std::string& bytes) {
    if (bytes.empty()) return;
    if (expected_.size() < position + bytes.size()) expected_.resize(position + bytes.size());
    expected_.replace(position, bytes.size(), bytes);
  }

  void write(std::size_t count) {
    const std::string bytes = next(count);
    expect(at_, bytes);
    at_ += count;
    writer_.write(bytes);
  }

  void put() {
    const std::string byte = next(1);
    expect(at_++, byte);
    writer_.put(byte[0]);
  }

  void build(std::size_t count) {
    const MutableBytesView room = writer_.reserve(count);
    if (count == 0 || room.size() < count) return;
    const std::string bytes = next(count);
    expect(at_, bytes);
    at_ += count;
    std::memcpy(room.data(), bytes.data(), count);
    writer_.commit(count);
  }

  void write_at(std::uint64_t position, std::size_t count) {
    const std::string before = expected_;
    const std::string bytes = next(count);
    expect(position, bytes);
    const Status status = writer_.write_at(position, bytes);
    EXPECT_EQ(status.message(), writer_.status().message());
    if (!status.ok()) without_refused_ = before;
  }

  void seek(std::uint64_t position) {
    if (writer_.seek(position).ok()) at_ = position;
  }

  Target& target_;
  std::mt19937_64 random_;
  Writer writer_;
  std::string expected_;
  std::string without_refused_;
  std::uint64_t at_ = 0;
  std::uint64_t made_ = 0;
};

class WriterPositions : public ::testing::TestWithParam<TargetCase> {};

TEST_P(WriterPositions, HoldEveryByteThatWasAccepted) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<Target> target = GetParam().make();
    // Memory is not durable, so every_write fails there. This failure is checked like any other.
    WriterAndModel(*target, seed).run(60);
    if (::testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, WriterPositions, ::testing::ValuesIn(targets),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(WriterPositionsWithFailures, HoldEveryByteBeforeTheNamedOffset) {
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    SCOPED_TRACE(seed);
    RecordingTarget target(seed % 700);
    WriterAndModel(target, seed).run(60);
    if (::testing::Test::HasFailure()) return;
  }
}

// ---- single promises ----

class WriterAt : public ::testing::Test {
 protected:
  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
};

TEST_F(WriterAt, PatchesTheBlockWithoutACall) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  ASSERT_TRUE(writer.write("count: ????\n"));
  const std::size_t calls = calls_.total();
  EXPECT_TRUE(writer.write_at(7, "1234").ok());
  EXPECT_EQ(calls_.total(), calls) << calls_.log();
  EXPECT_EQ(writer.position(), 12u);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), "count: 1234\n");
}

TEST_F(WriterAt, PatchesNothingInAForkedChild) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  ASSERT_TRUE(writer.write("parent's"));
  const int code = exit_code_of_child(
      [&] { ::_exit(writer.write_at(0, "child's").code().value() == ECANCELED ? 0 : 1); });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), "parent's");
}

TEST_F(WriterAt, PatchesAValue) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  ASSERT_TRUE(writer.write_value(std::uint32_t{0}) && writer.write("tail"));
  EXPECT_TRUE(writer.write_value_at(0, std::uint32_t{0x64636261}).ok());
  char tag[2] = {'T', 0};
  EXPECT_TRUE(writer.write_value_at(4, tag).ok()) << "the bytes of an array, whatever they hold";
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), std::string("abcdT\0il", 8));
}

TEST_F(WriterAt, KeepsTheReservedBytesWhileItPatchesTheBlock) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  ASSERT_TRUE(writer.write("????"));
  const MutableBytesView room = writer.reserve(4);
  EXPECT_TRUE(writer.write_at(0, "head").ok());
  std::memcpy(room.data(), "tail", 4);
  writer.commit(4);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), "headtail");
}

// This holds even for a position that is too large for bytes, and for a target without positions.
TEST_F(WriterAt, AnEmptyPatchChangesNothing) {
  for (const bool has_positions : {true, false}) {
    const auto recording = std::make_shared<Recording>();
    recording->has_positions = has_positions;
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
    ASSERT_TRUE(writer.write("head"));
    const MutableBytesView room = writer.reserve(4);
    for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{1'000}, UINT64_MAX}) {
      EXPECT_TRUE(writer.write_at(position, "").ok());
    }
    EXPECT_TRUE(recording->writes().empty());
    std::memcpy(room.data(), "tail", 4);
    writer.commit(4);
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(recording->bytes(), "headtail");
    EXPECT_EQ(writer.write_at(0, "").code().value(), EBADF);
  }
}

TEST_F(WriterAt, AnEmptyPatchReturnsTheFailure) {
  Writer writer;
  EXPECT_EQ(writer.write_at(0, "").code().value(), EBADF);
  ASSERT_TRUE(writer.open("/dev/full").ok());
  ASSERT_TRUE(writer.write("x"));
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_EQ(writer.write_at(0, "").code().value(), ENOSPC);
  EXPECT_FALSE(writer.close().ok());
}

// A patch before the block is written without the bytes in the block.
TEST_F(WriterAt, KeepsTheReservedBytesWhileItPatchesBytesBeforeTheBlock) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  ASSERT_TRUE(writer.write("???? ") && writer.flush().ok() && writer.write("middle "));
  const MutableBytesView room = writer.reserve(4);
  EXPECT_TRUE(writer.write_at(0, "head").ok());
  EXPECT_EQ(contents_of(path_), "head ");
  std::memcpy(room.data(), "tail", 4);
  writer.commit(4);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), "head middle tail");
}

TEST_F(WriterAt, PatchesBlocksInFlight) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.write_behind = WriteBehind::on, .block_bytes = 4096}).ok());
  const std::string bytes = pattern(0, 100'000);
  for (const char byte : bytes) ASSERT_TRUE(writer.put(byte));
  EXPECT_TRUE(writer.write_at(0, "head").ok());
  EXPECT_TRUE(writer.write_at(50'000, "middle").ok());
  EXPECT_TRUE(writer.close().ok());
  std::string expected = bytes;
  expected.replace(0, 4, "head").replace(50'000, 6, "middle");
  EXPECT_EQ(contents_of(path_), expected);
}

TEST_F(WriterAt, KeepsTheOffsetOfADescriptor) {
  make_file(path_, "");
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  Writer writer;
  ASSERT_TRUE(writer.attach(descriptor, "out").ok());
  ASSERT_TRUE(writer.write("????tail"));
  ASSERT_TRUE(writer.flush().ok());
  EXPECT_TRUE(writer.write_at(0, "head").ok());
  EXPECT_EQ(::lseek(descriptor, 0, SEEK_CUR), 8);
  EXPECT_TRUE(writer.seek(2).ok());
  EXPECT_TRUE(writer.write("xx"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(::lseek(descriptor, 0, SEEK_CUR), 4);
  EXPECT_EQ(contents_of(path_), "hexxtail");
  ::close(descriptor);
}

// A target without positions reports this with its name, and the Writer goes on.
void expect_no_positions(Writer& writer, const std::string& name, std::uint64_t start) {
  ASSERT_TRUE(writer.write("one "));
  const Status patched = writer.write_at(start + 100, "no");
  EXPECT_EQ(
      patched.message(),
      "write " + name + " at byte " + std::to_string(start + 100) +
          ": it has no positions, like a pipe, a terminal, a socket or a file that is appended to");
  EXPECT_EQ(
      writer.seek(start).message(),
      "seek " + name + " at byte " + std::to_string(start) +
          ": it has no positions, like a pipe, a terminal, a socket or a file that is appended to");
  EXPECT_TRUE(writer.status().ok());
  EXPECT_TRUE(writer.write("two"));
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(WriterAt, RefusesATargetThatIsAppendedTo) {
  make_file(path_, "old ");
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.create = CreateMode::append}).ok());
  expect_no_positions(writer, path_, 4);
  EXPECT_EQ(contents_of(path_), "old one two");

  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  Writer attached;
  ASSERT_TRUE(attached.attach(descriptor, "descriptor").ok());
  expect_no_positions(attached, "descriptor", 11);
  EXPECT_EQ(contents_of(path_), "old one twoone two");
  ::close(descriptor);
}

TEST_F(WriterAt, RefusesPipesAndSinksWithoutPositions) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  Writer to_pipe;
  ASSERT_TRUE(to_pipe.attach(ends[1], "pipe").ok());
  expect_no_positions(to_pipe, "pipe", 0);
  ::close(ends[0]);
  ::close(ends[1]);

  Writer to_sink;
  const auto recording = std::make_shared<Recording>();
  ASSERT_TRUE(to_sink.open(std::make_unique<RecordingSink>(recording)).ok());
  expect_no_positions(to_sink, "(recording)", 0);
  EXPECT_EQ(recording->bytes(), "one two");
}

// The program may go on building in the room, and the bytes in the block stay there.
TEST(WriterOfASink, KeepsTheReservedBytesWhenItRefusesToGoElsewhere) {
  for (const bool has_positions : {true, false}) {
    const auto recording = std::make_shared<Recording>();
    recording->has_positions = has_positions;
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
    ASSERT_TRUE(writer.write("head"));
    const MutableBytesView room = writer.reserve(4);
    const std::uint64_t refused = has_positions ? std::uint64_t{1} << 63 : 100;
    const int error = has_positions ? EFBIG : ESPIPE;
    EXPECT_EQ(writer.write_at(refused, "no").code().value(), error);
    EXPECT_EQ(writer.seek(refused).code().value(), error);
    EXPECT_EQ(writer.seek(refused).offset(), refused);
    EXPECT_TRUE(recording->writes().empty());
    std::memcpy(room.data(), "tail", 4);
    writer.commit(4);
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(recording->bytes(), "headtail");
  }
}

// The Writer has written nothing yet, so it cannot know that the file is a FIFO.
TEST_F(WriterAt, RefusesToSeekInAFifoBeforeItsFirstByte) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const int reading_end = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  EXPECT_EQ(writer.seek(10).code().value(), ESPIPE);
  EXPECT_EQ(writer.position(), 0u);
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.close().ok());
  ::close(reading_end);
}

TEST_F(WriterAt, RefusesPositionsThatAreTooLarge) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  ASSERT_TRUE(writer.write("bytes"));
  for (const std::uint64_t position : {UINT64_MAX, UINT64_MAX - 3, std::uint64_t{1} << 63}) {
    EXPECT_EQ(writer.write_at(position, "abcd").code().value(), EFBIG);
    EXPECT_EQ(writer.seek(position).code().value(), EFBIG);
  }
  EXPECT_EQ(writer.write_at((std::uint64_t{1} << 63) - 2, "abcd").code().value(), EFBIG);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), "bytes");
}

// The kernel says EINVAL for a position that the file system cannot have.
TEST_F(WriterAt, RefusesAPositionThatIsTooLargeForTheFileSystemOfADescriptor) {
  make_file(path_, "");
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  Writer writer;
  ASSERT_TRUE(writer.attach(descriptor, "out").ok());
  ASSERT_TRUE(writer.write("one "));
  ASSERT_TRUE(writer.seek(4).ok());
  calls_.fail(Call::seek_to, 1, EINVAL);
  EXPECT_EQ(writer.seek(1'000'000).message(), "seek out at byte 1000000: File too large");
  EXPECT_TRUE(writer.status().ok());
  EXPECT_EQ(writer.position(), 4u);
  EXPECT_TRUE(writer.write("two"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), "one two");
  ::close(descriptor);
}

TEST_F(WriterAt, FailsForGoodIfAPatchFails) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  ASSERT_TRUE(writer.write("0123456789"));
  ASSERT_TRUE(writer.flush().ok());
  calls_.fail(Call::pwritev, 1, EIO);
  EXPECT_EQ(writer.write_at(4, "no").message(),
            "write " + path_ + " at byte 4: Input/output error");
  EXPECT_FALSE(writer.write("more"));
  EXPECT_EQ(writer.status().offset(), 4u);
  EXPECT_EQ(writer.write_at(0, "no").offset(), 4u);
  EXPECT_EQ(writer.seek(0).offset(), 4u);
  EXPECT_EQ(writer.close().offset(), 4u);
}

// Otherwise a program that does not look at the result would write to a wrong place.
TEST(WriterOfASink, FailsForGoodIfTheSinkCannotSeek) {
  const auto recording = std::make_shared<Recording>();
  recording->has_positions = true;
  recording->seek_error = EIO;
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
  ASSERT_TRUE(writer.write("abc"));
  EXPECT_EQ(writer.seek(10).code().value(), EIO);
  EXPECT_FALSE(writer.write("def"));
  EXPECT_EQ(writer.status().operation(), Operation::seek);
  EXPECT_EQ(writer.close().code().value(), EIO);
  EXPECT_EQ(recording->bytes(), "abc");
}

TEST_F(WriterAt, SyncsAPatchIfEveryWriteIsDurable) {
  make_file(path_, "0123456789");
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  Writer writer;
  ASSERT_TRUE(writer.attach(descriptor, "out", {.durability = Durability::every_write}).ok());
  EXPECT_TRUE(writer.write_at(4, "xx").ok());
  EXPECT_EQ(calls_.count(Call::fdatasync), 1u);
  EXPECT_TRUE(writer.close().ok());
  ::close(descriptor);
}

TEST_F(WriterAt, RefusesAMissingFileWithModeExisting) {
  Writer writer;
  const Status status = writer.open(path_, {.create = CreateMode::existing});
  EXPECT_EQ(status.message(), "open " + path_ + ": No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(WriterAt, KeepsBytesThatItDoesNotOverwrite) {
  for (const Durability durability :
       {Durability::none, Durability::on_close, Durability::every_flush, Durability::every_write}) {
    make_file(path_, "0123456789");
    EXPECT_TRUE(
        write_file(path_, "ab", {.create = CreateMode::existing, .durability = durability}).ok());
    EXPECT_EQ(contents_of(path_), "ab23456789");
  }
}

TEST(AWriterThatIsNotOpen, GoesNowhere) {
  Writer writer;
  EXPECT_EQ(writer.write_at(0, "x").code().value(), EBADF);
  EXPECT_EQ(writer.seek(0).code().value(), EBADF);
  std::string target;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(writer.seek(0).code().value(), EBADF);
}

}  // namespace
}  // namespace sluice::testing
