// Whole files in one call.
#include "sluice/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <type_traits>

#include "os/process.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

std::string as_string(const std::string& bytes) { return bytes; }
std::string as_string(const Bytes& bytes) { return std::string(bytes.text()); }

// Tests that hold for std::string and for Bytes.
template <typename Memory>
class ReadFile : public ::testing::Test {
 protected:
  void expect_read(const std::string& path, const std::string& expected) {
    const Status status = read_file(path, out_);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(as_string(out_) == expected)
        << out_.size() << " bytes instead of " << expected.size();
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("in");
  Memory out_;
};

using Memories = ::testing::Types<std::string, Bytes>;
TYPED_TEST_SUITE(ReadFile, Memories);

TYPED_TEST(ReadFile, ReadsFilesOfEverySizeAroundTheUsualBounds) {
  for (const std::size_t unit : std::initializer_list<std::size_t>{1, 4096, 65'536, 1 << 21}) {
    for (const std::size_t bytes : {unit - 1, unit, unit + 1, 2 * unit, 3 * unit - 1}) {
      make_file(this->path_, pattern(0, bytes));
      this->expect_read(this->path_, pattern(0, bytes));
    }
  }
}

// A file that has grown since its size was asked for, on two processors. Reading begins once
// populating has begun. Populating goes on until the reading thread waits.
class CallsOfAFileThatGrows : public FaultySystemCalls {
 public:
  static constexpr std::size_t bytes_at_first = 20 << 20;

  os::CallResult fstat(int descriptor, struct stat& result) override {
    const long code = FaultySystemCalls::fstat(descriptor, result);
    result.st_size = bytes_at_first;
    return code;
  }
  os::CallResult processors() override { return 2; }
  os::CallResult read(int descriptor, void* into, std::size_t bytes) override {
    // A thread that yields does not count as asleep.
    while (next_ == nullptr && !is_populating_) std::this_thread::yield();
    const long got = FaultySystemCalls::read(descriptor, into, bytes);
    expect_still(next_ == nullptr || into == next_);
    next_ = static_cast<std::byte*>(into) + got;
    return got;
  }
  os::CallResult remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                              void*& address) override {
    expect_still(false);
    return FaultySystemCalls::remap_memory(old, old_bytes, bytes, address);
  }
  os::CallResult populate(void* address, std::size_t bytes) override {
    is_populating_ = true;
    wait_until_asleep(reading_thread_);
    is_populating_ = false;
    return FaultySystemCalls::populate(address, bytes);
  }

 private:
  void expect_still(bool is_still) {
    if (is_populating_) {
      EXPECT_TRUE(is_still) << "the memory moved while it was being populated";
    }
  }

  const pid_t reading_thread_ = this_thread();
  std::atomic<bool> is_populating_{false};
  std::byte* next_ = nullptr;
};

TYPED_TEST(ReadFile, PopulatesNoMemoryThatHasMoved) {
  const std::string bytes = pattern(0, 3 * CallsOfAFileThatGrows::bytes_at_first);
  make_file(this->path_, bytes);
  CallsOfAFileThatGrows calls;
  const os::ScopedSystemCalls in_place(calls);
  if (os::processors() < 2) {
    GTEST_SKIP() << "an earlier test of this process has counted one processor, and one processor "
                    "populates no memory. In the release preset each test has its own process.";
  }
  this->expect_read(this->path_, bytes);
  EXPECT_GT(calls.count(Call::populate), 0u);
}

TYPED_TEST(ReadFile, ReadsAFileThatIsLargeEnoughForHelpWithItsMemory) {
  const std::string bytes = pattern(0, (32 << 20) + 12'345);
  make_file(this->path_, bytes);
  this->expect_read(this->path_, bytes);
}

TYPED_TEST(ReadFile, ReplacesTheEarlierContent) {
  make_file(this->path_, pattern(0, 100'000));
  this->expect_read(this->path_, pattern(0, 100'000));
  make_file(this->path_, "short");
  this->expect_read(this->path_, "short");
  make_file(this->path_, "");
  this->expect_read(this->path_, "");
}

TYPED_TEST(ReadFile, ReusesTheCapacity) {
  make_file(this->path_, pattern(0, 100'000));
  this->expect_read(this->path_, pattern(0, 100'000));
  const void* memory = this->out_.data();
  const std::size_t capacity = this->out_.capacity();
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  for (int i = 0; i < 3; ++i) this->expect_read(this->path_, pattern(0, 100'000));
  EXPECT_EQ(this->out_.data(), memory);
  EXPECT_EQ(this->out_.capacity(), capacity);
  EXPECT_EQ(calls.count(Call::map_memory) + calls.count(Call::remap_memory), 0u);
}

TYPED_TEST(ReadFile, ReadsAFileThatWronglySaysItIsEmpty) {
  EXPECT_TRUE(read_file("/proc/self/maps", this->out_).ok());
  EXPECT_NE(as_string(this->out_).find("[stack]"), std::string::npos);
  EXPECT_TRUE(read_file("/proc/self/cmdline", this->out_).ok());
  EXPECT_NE(as_string(this->out_).find('\0'), std::string::npos);
}

TYPED_TEST(ReadFile, ReadsADevice) { this->expect_read("/dev/null", ""); }

TYPED_TEST(ReadFile, ReadsAFifoToItsEnd) {
  ASSERT_EQ(::mkfifo(this->path_.c_str(), 0600), 0);
  const std::string bytes = pattern(0, 500'000);
  std::thread feeder([&] {
    const int descriptor = ::open(this->path_.c_str(), O_WRONLY | O_CLOEXEC);
    std::size_t written = 0;
    while (written < bytes.size()) {
      const ssize_t result = ::write(descriptor, bytes.data() + written, bytes.size() - written);
      if (result <= 0) break;
      written += static_cast<std::size_t>(result);
    }
    ::close(descriptor);
  });
  this->expect_read(this->path_, bytes);
  feeder.join();
}

TYPED_TEST(ReadFile, NamesAMissingFile) {
  EXPECT_EQ(read_file(this->path_, this->out_).message(),
            "open " + this->path_ + ": No such file or directory");
  EXPECT_TRUE(this->out_.empty());
}

TYPED_TEST(ReadFile, SeparatesAMissingFileFromAnEmptyOne) {
  make_file(this->path_, "");
  this->expect_read(this->path_, "");
  EXPECT_FALSE(read_file(this->path_ + ".missing", this->out_).ok());
}

TYPED_TEST(ReadFile, RefusesADirectory) {
  const Status status = read_file(this->directory_.path(), this->out_);
  EXPECT_EQ(status.code().value(), EISDIR) << status.message();
  EXPECT_EQ(status.path(), this->directory_.path());
}

TYPED_TEST(ReadFile, SurvivesShortAndInterruptedReads) {
  const std::string bytes = pattern(0, 30'000);
  make_file(this->path_, bytes);
  const std::function<void(FaultySystemCalls&)> faults[] = {
      [](FaultySystemCalls& calls) { calls.limit_transfers(1); },
      [](FaultySystemCalls& calls) { calls.halve_transfers(); },
      [](FaultySystemCalls& calls) { calls.interrupt_every_call(); },
  };
  for (const auto& set_fault : faults) {
    FaultySystemCalls calls;
    set_fault(calls);
    const os::ScopedSystemCalls in_place(calls);
    this->expect_read(this->path_, bytes);
    EXPECT_EQ(calls.count(Call::close), 1u);
  }
}

// A string's memory comes from the program's allocator, which may give it to other objects later.
TYPED_TEST(ReadFile, AsksForHugePagesOnlyInItsOwnMemory) {
  make_file(this->path_, pattern(0, 9'000'000));
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  TypeParam out;
  EXPECT_TRUE(read_file(this->path_, out).ok());
  constexpr bool is_its_own = std::is_same_v<TypeParam, Bytes>;
  EXPECT_EQ(calls.count(Call::advise_huge_pages) > 0, is_its_own);
}

TYPED_TEST(ReadFile, SurvivesOrReportsEveryCallThatFails) {
  const std::string bytes =
      pattern(0, 5'000'000);  // enough for huge pages, if the memory is a Bytes
  make_file(this->path_, bytes);
  const auto run = [&](FaultySystemCalls& calls) {
    calls.limit_transfers(500'000);
    const os::ScopedSystemCalls in_place(calls);
    TypeParam out;
    const Status status = read_file(this->path_, out);
    EXPECT_TRUE(status.ok() ? as_string(out) == bytes : bytes.starts_with(as_string(out)))
        << status.message();
    if (status.operation() == Operation::read) {
      EXPECT_EQ(status.offset(), out.size()) << "the bytes until then";
    }
    EXPECT_EQ(calls.count(Call::close) == 1, calls.records(Call::open).at(0).result >= 0);
    return status.ok();
  };
  FaultySystemCalls no_faults;
  ASSERT_TRUE(run(no_faults));
  for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
    for (std::size_t nth = 1; nth <= no_faults.count_that_can_fail(); ++nth) {
      FaultySystemCalls calls;
      calls.fail_any(nth, EIO, repeat);
      const bool ok = run(calls);
      for (const Call call : calls.injected()) {
        const bool vital = call == Call::open || call == Call::read || call == Call::pread;
        EXPECT_FALSE(ok && vital) << to_string(call) << " failed, but the call returned ok";
      }
    }
  }
}

// A file whose reported size is too small or too large.
class SizeThatLies final : public os::SystemCalls {
 public:
  explicit SizeThatLies(off_t bytes) : bytes_(bytes) {}
  os::CallResult fstat(int descriptor, struct stat& result) override {
    const long status = SystemCalls::fstat(descriptor, result);
    result.st_size = bytes_;
    return status;
  }

 private:
  off_t bytes_;
};

TYPED_TEST(ReadFile, TakesTheSizeForAHint) {
  const std::string bytes = pattern(0, 300'000);
  make_file(this->path_, bytes);
  for (const off_t size : {0, 1, 299'999, 300'000, 300'001, 50'000'000}) {
    SizeThatLies calls(size);
    const os::ScopedSystemCalls in_place(calls);
    TypeParam fresh;
    EXPECT_TRUE(read_file(this->path_, fresh).ok());
    EXPECT_TRUE(as_string(fresh) == bytes) << "with a size of " << size;
  }
}

// Such a size is wrong or too large for the memory. The file may be read or refused, but nothing
// may be thrown.
TYPED_TEST(ReadFile, SurvivesASizeBeyondAllMemory) {
  if (sanitized) GTEST_SKIP() << "a sanitizer ends the program that asks for so much";
  make_file(this->path_, "bytes");
  for (const int power : {46, 50, 62}) {
    SizeThatLies calls(off_t{1} << power);
    const os::ScopedSystemCalls in_place(calls);
    Status status;
    EXPECT_NO_THROW(status = read_file(this->path_, this->out_));
    EXPECT_TRUE(status.ok() ? as_string(this->out_) == "bytes" : status.code().value() == ENOMEM)
        << status.message();
  }
}

TEST(ReadFileIntoBytes, FillsNothingWithZeros) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), "in");
  Bytes out;
  ASSERT_TRUE(out.resize(1'000));
  std::fill(out.data(), out.data() + out.size(), std::byte{'x'});
  ASSERT_TRUE(read_file(directory.file("in"), out).ok());
  EXPECT_EQ(out.text(), "in");
  ASSERT_TRUE(out.resize(1'000));
  EXPECT_EQ(out.text().substr(3), std::string(997, 'x'))
      << "memory after the file's bytes was touched";
}

// ---- read_into ----

TEST(ReadInto, FillsTheCallersMemory) {
  const ScratchDirectory directory;
  const std::string path = directory.file("in");
  make_file(path, "0123456789");
  std::string into(12, '.');
  std::size_t got = 99;
  EXPECT_TRUE(read_into(path, std::as_writable_bytes(std::span(into)), got).ok());
  EXPECT_EQ(got, 10u);
  EXPECT_EQ(into, "0123456789..");
}

TEST(ReadInto, TakesAFileThatFitsExactly) {
  const ScratchDirectory directory;
  const std::string path = directory.file("in");
  make_file(path, "0123456789");
  std::string into(10, '.');
  std::size_t got = 99;
  EXPECT_TRUE(read_into(path, std::as_writable_bytes(std::span(into)), got).ok());
  EXPECT_EQ(got, 10u);
  make_file(path, "");
  EXPECT_TRUE(read_into(path, {}, got).ok());
  EXPECT_EQ(got, 0u);
}

TEST(ReadInto, RefusesAFileThatDoesNotFitAfterFillingTheMemory) {
  const ScratchDirectory directory;
  const std::string path = directory.file("in");
  make_file(path, "0123456789");
  for (std::size_t room = 0; room < 10; ++room) {
    std::string into(room, '.');
    std::size_t got = 99;
    const Status status = read_into(path, std::as_writable_bytes(std::span(into)), got);
    EXPECT_EQ(status.code().value(), EFBIG);
    EXPECT_EQ(got, room);
    EXPECT_EQ(into, std::string("0123456789").substr(0, room));
  }
}

TEST(ReadInto, ReportsFailuresWithTheBytesUntilThen) {
  const ScratchDirectory directory;
  const std::string path = directory.file("in");
  make_file(path, "0123456789");
  FaultySystemCalls calls;
  calls.limit_transfers(4);
  calls.fail(Call::read, 2, EIO);
  calls.fail(Call::pread, 2, EIO);
  const os::ScopedSystemCalls in_place(calls);
  std::string into(20, '.');
  std::size_t got = 99;
  const Status status = read_into(path, std::as_writable_bytes(std::span(into)), got);
  EXPECT_EQ(status.message(), "read " + path + " at byte 4: Input/output error");
  EXPECT_EQ(got, 4u);
  EXPECT_FALSE(read_into(path + ".missing", std::as_writable_bytes(std::span(into)), got).ok());
  EXPECT_EQ(got, 0u);
}

TEST(ReadInto, AsksForAGibibyteAtMostInOneCall) {
  class ThreeGibibytesOfNothing final : public os::SystemCalls {
   public:
    std::uint64_t max_asked = 0;

   private:
    std::uint64_t rest_ = std::uint64_t{3} << 30;
    os::CallResult read(int, void*, std::size_t bytes) override {
      max_asked = std::max<std::uint64_t>(max_asked, bytes);
      const std::uint64_t got = std::min<std::uint64_t>(bytes, rest_);
      rest_ -= got;
      return static_cast<long>(got);
    }
    os::CallResult pread(int file, void* into, std::size_t bytes, std::uint64_t) override {
      return read(file, into, bytes);
    }
  } calls;
  constexpr std::size_t bytes = std::size_t{3} << 30;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const os::ScopedSystemCalls in_place(calls);
  std::size_t got = 0;
  EXPECT_TRUE(read_into("/dev/null", {static_cast<std::byte*>(memory), bytes}, got).ok());
  EXPECT_EQ(got, bytes);
  EXPECT_LE(calls.max_asked, std::uint64_t{1} << 30);
  ::munmap(memory, bytes);
}

// ---- file_size ----

TEST(FileSize, ReturnsTheSizeAndKeepsThePosition) {
  const ScratchDirectory directory;
  const std::string path = directory.file("in");
  make_file(path, "0123456789");
  std::uint64_t bytes = 99;
  EXPECT_TRUE(file_size(path, bytes).ok());
  EXPECT_EQ(bytes, 10u);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::lseek(descriptor, 3, SEEK_SET), 3);
  bytes = 99;
  EXPECT_TRUE(file_size(descriptor, bytes).ok());
  EXPECT_EQ(bytes, 10u);
  EXPECT_EQ(::lseek(descriptor, 0, SEEK_CUR), 3);
  ASSERT_EQ(::ftruncate(descriptor, off_t{5} << 30), 0);
  EXPECT_TRUE(file_size(descriptor, bytes).ok());
  EXPECT_EQ(bytes, std::uint64_t{5} << 30);
  ::close(descriptor);
}

TEST(FileSize, RefusesAFileWithoutASize) {
  const ScratchDirectory directory;
  const std::string path = directory.file("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::uint64_t bytes = 99;
  EXPECT_EQ(file_size(path, bytes).code().value(), ESPIPE)
      << "file_size() must not wait for a writer of the FIFO";
  EXPECT_EQ(file_size("/dev/null", bytes).code().value(), ESPIPE);
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  EXPECT_EQ(file_size(ends[0], bytes).code().value(), ESPIPE);
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(file_size(ends[0], bytes).code().value(), EBADF);
  EXPECT_EQ(file_size(directory.file("missing"), bytes).message(),
            "stat " + directory.file("missing") + ": No such file or directory");
}

// ---- map_file ----

TEST(MapFile, ShowsTheBytesOfTheFile) {
  const ScratchDirectory directory;
  const std::string path = directory.file("in");
  const std::string bytes = pattern(0, 100'001);
  make_file(path, bytes);
  MappedFile map;
  ASSERT_TRUE(map_file(path, map).ok());
  ASSERT_EQ(map.bytes().size(), bytes.size());
  EXPECT_EQ(std::memcmp(map.bytes().data(), bytes.data(), bytes.size()), 0);
  MappedFile moved(std::move(map));
  EXPECT_TRUE(map.bytes().empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(moved.bytes().size(), bytes.size());
  make_file(path, "other");
  ASSERT_TRUE(map_file(path, moved).ok()) << "over a map that is there already";
  EXPECT_EQ(moved.bytes().size(), 5u);
}

TEST(MapFile, GivesAnEmptyMapOfAnEmptyFile) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), "");
  MappedFile map;
  EXPECT_TRUE(map_file(directory.file("in"), map).ok());
  EXPECT_TRUE(map.bytes().empty());
}

TEST(MapFile, ReportsAFileThatCannotBeMappedAndKeepsTheMap) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), "bytes");
  MappedFile map;
  ASSERT_TRUE(map_file(directory.file("in"), map).ok());
  EXPECT_EQ(map_file(directory.file("missing"), map).operation(), Operation::open);
  EXPECT_FALSE(map_file(directory.path(), map).ok());
  EXPECT_FALSE(map_file("/dev/null", map).ok());
  {
    FaultySystemCalls calls;
    calls.fail(Call::map_file, 1, ENODEV);
    const os::ScopedSystemCalls in_place(calls);
    const Status status = map_file(directory.file("in"), map);
    EXPECT_EQ(status.message(), "map " + directory.file("in") + ": No such device");
    EXPECT_EQ(calls.count(Call::close), 1u);
  }
  EXPECT_EQ(map.bytes().size(), 5u);
}

TEST(MapFile, RefusesAFileThatHasBytesButNoSize) {
  MappedFile mapped;
  EXPECT_EQ(map_file("/proc/self/status", mapped).code().value(), ENODEV);
}

TEST(Names, WithANulAreRefused) {
  const ScratchDirectory directory;
  const std::string name = directory.file("in") + '\0' + "side";
  std::uint64_t bytes = 0;
  std::string text;
  EXPECT_EQ(write_file(name, "x").code().value(), EINVAL);
  EXPECT_EQ(read_file(name, text).code().value(), EINVAL);
  EXPECT_EQ(file_size(name, bytes).code().value(), EINVAL);
  EXPECT_FALSE(file_exists(directory.file("in")))
      << "the part of the name before the NUL is another name";
}

TEST(MapFile, GivesEveryMapBack) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), "bytes");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  {
    MappedFile map;
    ASSERT_TRUE(map_file(directory.file("in"), map).ok());
    ASSERT_TRUE(map_file(directory.file("in"), map).ok());
    const MappedFile moved(std::move(map));
  }
  EXPECT_EQ(calls.count(Call::map_file), 2u);
  EXPECT_EQ(calls.count(Call::unmap), 2u);
}

// ---- write_file ----

TEST(WriteFile, WritesAFileByOneCall) {
  const ScratchDirectory directory;
  for (const std::size_t bytes : {100u, 20'000u, 300'001u}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    ASSERT_TRUE(write_file(directory.file("file"), std::string(bytes, 'x')).ok());
    EXPECT_EQ(calls.count(Call::pwritev), 1u) << bytes << calls.log();
  }
}

TEST(WriteFile, WritesAndReports) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  EXPECT_TRUE(write_file(path, "0123456789").ok());
  EXPECT_TRUE(write_file(path, "short").ok());
  EXPECT_EQ(contents_of(path), "short");
  EXPECT_TRUE(write_file(path, " more", {.create = CreateMode::append}).ok());
  EXPECT_EQ(contents_of(path), "short more");
  EXPECT_TRUE(write_file(path, "").ok());
  EXPECT_EQ(contents_of(path), "");
  EXPECT_EQ(write_file("/dev/full", "x").code().value(), ENOSPC);
  EXPECT_EQ(write_file(directory.file("missing/out"), "x").code().value(), ENOENT);
  EXPECT_EQ(write_file(path, "x", {.block_bytes = 0}).code().value(), EINVAL);
}

}  // namespace
}  // namespace sluice::testing
