// Every system call of reading fails in turn. The bytes that were read before are right, and a
// failure is never taken for the end of the file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

#include "sluice/copy.h"
#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/failed_in_turn.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

enum class Way { get, read, lines, peek, skip, seek, until, values, rest, numbers, copy };

struct Setup {
  Way way;
  ReadAhead read_ahead;
  Transfers transfers;
};

std::string name_of(const Setup& setup) {
  const char* ways[] = {"Get",   "Read",   "Lines", "Peek",    "Skip", "Seek",
                        "Until", "Values", "Rest",  "Numbers", "Copy"};
  return std::string(ways[static_cast<std::size_t>(setup.way)]) +
         (setup.read_ahead == ReadAhead::off ? "WithoutReadAhead" : "") + name_of(setup.transfers);
}

void PrintTo(const Setup& setup, std::ostream* out) { *out << name_of(setup); }

std::string name_of_param(const ::testing::TestParamInfo<Setup>& info) {
  return name_of(info.param);
}

std::vector<Setup> every_setup() {
  std::vector<Setup> setups;
  for (const Way way : {Way::get, Way::read, Way::lines, Way::peek, Way::skip, Way::seek,
                        Way::until, Way::values, Way::rest, Way::numbers, Way::copy}) {
    for (const ReadAhead read_ahead : {ReadAhead::automatic, ReadAhead::off}) {
      for (const Transfers transfers :
           {Transfers::whole, Transfers::seven_bytes, Transfers::halved, Transfers::interrupted}) {
        setups.push_back({way, read_ahead, transfers});
      }
    }
  }
  return setups;
}

class ReaderFailures : public ::testing::TestWithParam<Setup> {
 protected:
  struct Outcome {
    Status status;
    std::string read;
  };

  void SetUp() override {
    const bool has_numbers = GetParam().way == Way::numbers;
    for (std::size_t i = 0; i < 60; ++i) {
      text_ += (has_numbers ? std::to_string(i * i * i * 997'331) : std::string(i, 'x')) + "\n";
    }
    make_file(path_, text_);
  }

  std::string read_all(Reader& reader) {
    switch (GetParam().way) {
      case Way::get: return get_all(reader);
      case Way::read: return read_pieces(reader);
      case Way::lines: return read_lines(reader);
      case Way::peek: return peek_all(reader);
      case Way::skip: return skip_all(reader);
      case Way::seek: return read_back_and_forth(reader);
      case Way::until: return read_parts(reader);
      case Way::values: return read_ten_at_a_time(reader);
      case Way::numbers: return read_numbers(reader);
      case Way::copy: return copy_all(reader);
      case Way::rest: break;
    }
    std::string bytes;
    static_cast<void>(reader.read_rest(bytes));
    return bytes;
  }

  static std::string get_all(Reader& reader) {
    std::string bytes;
    for (int byte = reader.get(); byte != Reader::end; byte = reader.get()) {
      bytes += static_cast<char>(byte);
    }
    return bytes;
  }

  static std::string read_pieces(Reader& reader) {
    std::string bytes;
    std::string piece(50, '\0');
    for (std::size_t got = piece.size(); got == piece.size();) {
      got = reader.read(piece.data(), piece.size());
      bytes.append(piece, 0, got);
    }
    return bytes;
  }

  static std::string read_lines(Reader& reader) {
    std::string bytes;
    for (const std::string_view line : reader.lines()) bytes += std::string(line) + "\n";
    return bytes;
  }

  static std::string peek_all(Reader& reader) {
    std::string bytes;
    for (BytesView next = reader.peek(40); !next.empty(); next = reader.peek(40)) {
      bytes.append(reinterpret_cast<const char*>(next.data()), next.size());
      reader.skip(next.size());
    }
    return bytes;
  }

  // Skips by reading and by seeking. Skipped bytes count as read.
  std::string skip_all(Reader& reader) const {
    std::uint64_t passed = 0;
    for (bool goes_on = true; goes_on;) {
      if (reader.get() == Reader::end) break;
      ++passed;
      for (const std::uint64_t bytes : {30u, 300u}) {
        const std::uint64_t skipped = reader.skip(bytes);
        passed += skipped;
        goes_on = goes_on && skipped == bytes;
      }
    }
    return text_.substr(0, passed);
  }

  // A seek that is refused is not a failure of the Reader.
  std::string read_back_and_forth(Reader& reader) {
    std::string bytes;
    std::string piece(50, '\0');
    while (bytes.size() < text_.size() && reader.status().ok()) {
      if (reader.seek(bytes.size() + 700).ok()) static_cast<void>(reader.get());
      if (!reader.seek(bytes.size()).ok()) {
        seek_was_refused_ = reader.status().ok();
        return bytes;
      }
      const std::size_t got = reader.read(piece.data(), piece.size());
      bytes.append(piece, 0, got);
    }
    return bytes;
  }

  static std::string read_parts(Reader& reader) {
    std::string bytes;
    for (std::string_view part; reader.read_until('\n', part);) bytes += std::string(part) + "\n";
    return bytes;
  }

  static std::string read_ten_at_a_time(Reader& reader) {
    std::string bytes;
    for (std::array<char, 10> value; reader.read_value(value);) {
      bytes.append(value.data(), value.size());
    }
    return bytes;
  }

  static std::string read_numbers(Reader& reader) {
    std::string bytes;
    for (std::uint64_t number; reader.next_number(number);) bytes += std::to_string(number) + "\n";
    return bytes;
  }

  static std::string copy_all(Reader& reader) {
    std::string bytes;
    Writer writer;
    EXPECT_TRUE(writer.open(make_memory_sink(bytes)).ok());
    const Status copied = copy(reader, writer);
    EXPECT_EQ(copied.message(), reader.status().message());
    EXPECT_TRUE(writer.close().ok());
    return bytes;
  }

  void ask_for_the_size(Reader& reader, FaultySystemCalls& calls) const {
    const std::size_t failures = calls.injected().size();
    std::uint64_t bytes = 0;
    const Status status = reader.size(bytes);
    EXPECT_EQ(status.ok(), calls.injected().size() == failures) << status.message();
    if (status.ok()) {
      EXPECT_EQ(bytes, text_.size());
    }
    EXPECT_TRUE(reader.status().ok()) << "a size that is not known is no failure of the Reader";
  }

  Outcome run(FaultySystemCalls& calls) {
    seek_was_refused_ = false;
    set_transfers(calls, GetParam().transfers);
    const os::ScopedSystemCalls in_place(calls);
    Reader reader;
    Outcome outcome;
    if (reader.open(path_, {.read_ahead = GetParam().read_ahead, .block_bytes = 128}).ok()) {
      ask_for_the_size(reader, calls);
      outcome.read = read_all(reader);
    }
    outcome.status = reader.close();
    EXPECT_EQ(reader.status().message(), outcome.status.message());
    EXPECT_EQ(calls.count(Call::open) > 0 && calls.records(Call::open).back().result >= 0,
              calls.count(Call::close) == 1);
    return outcome;
  }

  void expect_honest(const Outcome& outcome) const {
    EXPECT_TRUE(text_.starts_with(outcome.read)) << "bytes that are not in the file";
    if (outcome.status.ok()) {
      EXPECT_TRUE(seek_was_refused_ || outcome.read.size() == text_.size())
          << "a failure was taken for the end";
      return;
    }
    EXPECT_EQ(outcome.status.path(), path_);
    if (outcome.status.operation() != Operation::read) return;
    ASSERT_TRUE(outcome.status.offset().has_value());
    constexpr Way in_pieces[] = {Way::get, Way::read, Way::peek, Way::rest, Way::copy};
    if (std::count(std::begin(in_pieces), std::end(in_pieces), GetParam().way) != 0) {
      EXPECT_EQ(*outcome.status.offset(), outcome.read.size()) << outcome.status.message();
    } else {  // no part of the failed line, value or number is given
      EXPECT_GE(*outcome.status.offset(), outcome.read.size());
    }
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("in");
  std::string text_;
  bool seek_was_refused_ = false;
};

TEST_P(ReaderFailures, EveryCallFailedInTurnIsSurvivedOrReported) {
  FaultySystemCalls no_faults;
  const Outcome without = run(no_faults);
  ASSERT_TRUE(without.status.ok()) << without.status.message();
  expect_honest(without);
  const std::size_t calls_to_fail = no_faults.count_that_can_fail();
  ASSERT_GE(calls_to_fail, 4u);
  for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
    for (const int error : {EIO, ENOMEM, EAGAIN}) {
      // A regular file whose EAGAIN never ends fails, because it cannot be waited for.
      if (error == EAGAIN && repeat == Repeat::for_ever) continue;
      fail_in_turn(calls_to_fail, error, repeat,
                   [&](FaultySystemCalls& calls) { expect_honest(run(calls)); });
    }
  }
}

TEST_P(ReaderFailures, AReadThatFailsForEverIsReportedWithItsOffset) {
  const bool reads_at_once = GetParam().way == Way::rest;
  for (std::size_t nth = 1; nth <= (reads_at_once ? 1 : 5); ++nth) {
    FaultySystemCalls calls;
    calls.fail(Call::pread, nth, EIO, Repeat::for_ever);
    const Outcome outcome = run(calls);
    expect_honest(outcome);
    ASSERT_FALSE(calls.injected().empty());
    EXPECT_EQ(outcome.status.code().value(), EIO);
  }
}

INSTANTIATE_TEST_SUITE_P(Reader, ReaderFailures, ::testing::ValuesIn(every_setup()), name_of_param);

// ---- read-ahead ----

std::size_t advice_given(std::size_t file_bytes, const ReaderOptions& options, int error = 0) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), pattern(0, file_bytes));
  FaultySystemCalls calls;
  if (error != 0) calls.fail(Call::will_read_in_sequence, 1, error, Repeat::for_ever);
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  EXPECT_TRUE(reader.open(directory.file("in"), options).ok());
  std::string into;
  for (int byte = reader.get(); byte != Reader::end; byte = reader.get()) {
    into += static_cast<char>(byte);
  }
  EXPECT_TRUE(into == pattern(0, file_bytes));
  EXPECT_TRUE(reader.close().ok());
  return calls.count(Call::will_read_in_sequence);
}

TEST(ReadAhead, IsAskedForOnceInAFileOfSeveralBlocks) {
  EXPECT_EQ(advice_given(1'000'000, {.block_bytes = 4'096}), 1u);
  EXPECT_EQ(advice_given(1'000'000, {.block_bytes = 4'096}, EINVAL), 1u) << "advice may be refused";
}

TEST(ReadAhead, IsNotAskedForInASmallFile) {
  EXPECT_EQ(advice_given(50'000, {.block_bytes = 4'096}), 0u);
}

TEST(ReadAhead, IsNotAskedForWhenItIsOff) {
  const ReaderOptions off{.read_ahead = ReadAhead::off, .block_bytes = 4'096};
  EXPECT_EQ(advice_given(1'000'000, off), 0u);
}

TEST(ReadAhead, ReadsAFileThatIsNotCached) {
  const ScratchDirectory directory(ScratchDirectory::on_disk);
  const std::string path = directory.file("in");
  make_file(path, pattern(0, 3'000'000));
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::fdatasync(descriptor), 0);  // bytes that are not on the disk would stay in the cache
  ASSERT_EQ(::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED), 0);
  ::close(descriptor);
  Reader reader;
  ASSERT_TRUE(reader.open(path).ok());
  std::string into(3'000'001, '\0');
  EXPECT_EQ(reader.read(into.data(), into.size()), 3'000'000u);
  into.pop_back();
  EXPECT_TRUE(into == pattern(0, 3'000'000));
  EXPECT_TRUE(reader.close().ok());
}

TEST(Reader, RefusesADirectory) {
  const ScratchDirectory directory;
  const int descriptor = ::open(directory.path().c_str(), O_RDONLY | O_CLOEXEC);
  for (const bool attached : {false, true}) {
    Reader reader;
    const Status status =
        attached ? reader.attach(descriptor, "folder") : reader.open(directory.path());
    EXPECT_EQ(status.operation(), Operation::open) << status.message();
    EXPECT_EQ(status.code().value(), EISDIR) << status.message();
    EXPECT_FALSE(reader.is_open());
  }
  ::close(descriptor);
}

TEST(Reader, RefusesADescriptorThatIsNotOpenForReading) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, "bytes");
  for (const int flags : {O_WRONLY, O_PATH, -1}) {
    const int descriptor = flags < 0 ? -1 : ::open(path.c_str(), flags | O_CLOEXEC);
    Reader reader;
    const Status status = reader.attach(descriptor, "file");
    EXPECT_EQ(status.operation(), Operation::open) << status.message();
    EXPECT_EQ(status.code().value(), EBADF) << status.message();
    EXPECT_FALSE(reader.is_open());
    EXPECT_EQ(reader.get(), Reader::end);
    EXPECT_EQ(reader.close().code().value(), EBADF);
    if (descriptor >= 0) ::close(descriptor);
  }
}

// Runs in a child, so that a missing timeout does not hang the test program.
TEST(Reader, FailsAfterTheTimeoutOfASocket) {
  const int code = exit_code_of_child([] {
    std::array<int, 2> ends{};
    const timeval soon{0, 1000};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) ::_exit(2);
    if (::setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) != 0) ::_exit(3);
    if (::write(ends[1], "ab", 2) != 2) ::_exit(4);
    Reader reader;
    if (!reader.attach(ends[0], "socket").ok()) ::_exit(5);
    std::array<std::byte, 10> bytes{};
    if (reader.read(bytes) != 2) ::_exit(6);
    if (reader.status().code().value() != EAGAIN) ::_exit(7);
    if (reader.close().message() !=
        "read socket at byte 2: no data came within the descriptor's timeout (for a socket, "
        "SO_RCVTIMEO)") {
      ::_exit(8);
    }
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace sluice::testing
