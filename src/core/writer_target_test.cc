// W9 and W10: pipes, terminals, devices, appended files, and pieces too large for one call.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>
#include <utility>

#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/pipe.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"
#include "testing/writer_model.h"

namespace sluice::testing {
namespace {

// Runs in a child, so that a missing timeout does not hang the test program.
TEST(WriterTarget, FailsAfterTheTimeoutOfASocket) {
  const int code = exit_code_of_child([] {
    std::array<int, 2> ends{};
    const timeval soon{0, 1000};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) ::_exit(2);
    if (::setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon) != 0) ::_exit(3);
    Writer writer;
    if (!writer.attach(ends[1], "socket").ok()) ::_exit(4);
    std::uint64_t accepted = 0;
    while (writer.put('x')) ++accepted;  // no process reads
    if (writer.status().code().value() != EAGAIN || accepted < writer.position()) ::_exit(5);
    const std::string message = "write socket at byte " + std::to_string(writer.position()) +
                                ": no reader made room within the descriptor's timeout (for a "
                                "socket, SO_SNDTIMEO)";
    if (writer.close().message() != message) ::_exit(6);
  });
  EXPECT_EQ(code, 0);
}

TEST(WriterTarget, TreatsEAGAINOfABlockingDescriptorAsAFailure) {
  for (const int flags : {0, O_NONBLOCK}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    Pipe pipe;
    ASSERT_EQ(::fcntl(pipe.writing(), F_SETFL, flags), 0);
    calls.fail(Call::writev, 1, EAGAIN);
    Writer writer;
    ASSERT_TRUE(writer.attach(pipe.writing(), "pipe").ok());
    writer.write("bytes");
    EXPECT_EQ(writer.close().ok(), flags != 0) << writer.status().message();
    EXPECT_EQ(calls.count(Call::poll), flags != 0 ? 1u : 0u) << calls.log();
  }
}

TEST(WriterTarget, FillsAPipeInStepWithItsReader) {
  for (const int flags : {0, O_NONBLOCK}) {
    Pipe pipe;
    ASSERT_EQ(::fcntl(pipe.writing(), F_SETFL, flags), 0);
    std::string read;
    std::thread reader([&] { read = read_to_end(pipe.reading()); });
    Writer writer;
    EXPECT_TRUE(writer.attach(pipe.writing(), "pipe", {.write_behind = WriteBehind::on}).ok());
    WriterModel model(writer);
    model.write(2'000'000);
    for (int i = 0; i < 200'000; ++i) model.put();
    model.write(100'000);
    const Status closed = writer.close();
    EXPECT_TRUE(closed.ok()) << closed.message();
    pipe.close_writing();
    reader.join();
    model.expect_honest(closed, read);
  }
}

TEST(WriterTarget, LeavesABorrowedDescriptorOpen) {
  Pipe pipe;
  {
    Writer writer;
    ASSERT_TRUE(writer.attach(pipe.writing(), "pipe").ok());
    EXPECT_TRUE(writer.write("bytes"));
    EXPECT_TRUE(writer.close().ok());
  }
  EXPECT_GE(::fcntl(pipe.writing(), F_GETFD), 0);
  pipe.close_writing();
  EXPECT_EQ(read_to_end(pipe.reading()), "bytes");
}

TEST(WriterTarget, ReportsAPipeThatNobodyReads) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGPIPE, &ignore, &before), 0);
  Pipe pipe;
  pipe.close_reading();
  Writer writer;
  ASSERT_TRUE(writer.attach(pipe.writing(), "the pipe").ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.close().message(), "write the pipe at byte 0: Broken pipe");
  ASSERT_EQ(::sigaction(SIGPIPE, &before, nullptr), 0);
}

TEST(WriterTarget, FillsASocket) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  std::string read;
  std::thread reader([&] { read = read_to_end(ends[0]); });
  Writer writer;
  EXPECT_TRUE(writer.attach(ends[1], "socket", {.write_behind = WriteBehind::on}).ok());
  WriterModel model(writer);
  model.write(1'000'000);
  model.put_many(300'000);
  const Status closed = writer.close();
  EXPECT_TRUE(closed.ok()) << closed.message();
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  model.expect_honest(closed, read);
}

TEST(WriterTarget, AppendsToADescriptorThatAppends) {
  const ScratchDirectory directory;
  const std::string path = directory.file("log");
  make_file(path, "before ");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  Writer writer;
  ASSERT_TRUE(writer.attach(descriptor, path, {.block_bytes = 64}).ok());
  EXPECT_EQ(writer.position(), 7u);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(writer.write("x"));
  EXPECT_TRUE(writer.flush().ok());
  make_file(path, contents_of(path) + " between ");  // another program writes
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(writer.write("y"));
  EXPECT_TRUE(writer.close().ok());
  ::close(descriptor);
  EXPECT_EQ(contents_of(path),
            "before " + std::string(100, 'x') + " between " + std::string(100, 'y'));
}

TEST(WriterTarget, ReportsARealFullDiskWithTheBytesThatFit) {
  // The child has its own small disk, which disappears with the child.
  constexpr int no_such_disk = 77;
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    const ScratchDirectory directory;
    const int code = exit_code_of_child([&] {
      if (::unshare(CLONE_NEWNS) != 0) ::_exit(no_such_disk);
      if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) ::_exit(no_such_disk);
      if (::mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
        ::_exit(no_such_disk);
      }
      Writer writer;
      const WriterOptions options{.write_behind = write_behind, .block_bytes = 100'000};
      if (!writer.open(directory.file("out"), options).ok()) ::_exit(2);
      for (std::size_t i = 0; i < 20'000; ++i) writer.write(pattern(100 * i, 100));
      const Status closed = writer.close();
      if (closed.code().value() != ENOSPC) ::_exit(3);
      const std::string contents = contents_of(directory.file("out"));
      if (closed.offset() != contents.size()) ::_exit(4);
      if (contents != pattern(0, contents.size())) ::_exit(5);
      if (contents.size() != 1 << 20) ::_exit(6);  // all bytes that fit
    });
    if (code == no_such_disk) GTEST_SKIP() << "this user may not mount a tmpfs of one mebibyte";
    EXPECT_EQ(code, 0);
  }
}

TEST(WriterTarget, NamesAFileThatItIsNotAllowedToOpen) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  make_file(path, "precious");
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
  const int code = exit_code_of_child([&] {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::seteuid(nobody) != 0) ::_exit(2);
    Writer writer;
    const Status status = writer.open(path);
    if (status.message() != "open " + path + ": Permission denied") ::_exit(3);
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(contents_of(path), "precious");
}

// The library never opens a file under the number of a closed standard stream. Otherwise text that
// the program prints would go into this file.
TEST(WriterTarget, IsNeverOpenedInThePlaceOfAStandardStream) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    const int code = exit_code_of_child([&] {
      for (const int stream : {0, 1, 2}) ::close(stream);
      Writer writer;
      if (!writer.open(path, {.create = create}).ok() || !writer.write("bytes")) ::_exit(2);
      for (const int stream : {0, 1, 2}) {
        if (::fcntl(stream, F_GETFD) != -1) ::_exit(3);
      }
      if (!writer.close().ok()) ::_exit(4);
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(contents_of(path), "bytes");
  }
}

TEST(WriterTarget, MovesTheOffsetOfADescriptorAsWriteDoes) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(::write(descriptor, "before ", 7), 7);
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    Writer writer;
    ASSERT_TRUE(
        writer.attach(descriptor, path, {.write_behind = write_behind, .block_bytes = 4}).ok());
    EXPECT_TRUE(writer.write("0123456789 "));
    EXPECT_TRUE(writer.close().ok());
    ASSERT_EQ(::write(descriptor, "between ", 8), 8);
  }
  ::close(descriptor);
  EXPECT_EQ(contents_of(path), "before 0123456789 between 0123456789 between ");
}

TEST(WriterTarget, ReportsAFullDevice) {
  for (const std::size_t block_bytes : {std::size_t{16}, std::size_t{4096}}) {
    Writer writer;
    ASSERT_TRUE(writer.open("/dev/full", {.block_bytes = block_bytes}).ok());
    bool accepted = true;
    for (int i = 0; i < 100 && accepted; ++i) accepted = writer.write("0123456789");
    EXPECT_EQ(accepted, block_bytes == 4096) << "what fits the block is accepted";
    EXPECT_EQ(writer.close().message(), "write /dev/full at byte 0: No space left on device");
    EXPECT_EQ(writer.close().code().value(), ENOSPC);
  }
}

TEST(WriterTarget, ReportsAFileSizeLimitWithTheBytesThatFit) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    const int code = exit_code_of_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{10'000, 10'000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      Writer writer;
      const WriterOptions options{.write_behind = write_behind, .block_bytes = 4096};
      if (!writer.open(path, options).ok()) ::_exit(2);
      for (std::size_t i = 0; i < 300; ++i) writer.write(pattern(100 * i, 100));
      const Status closed = writer.close();
      if (closed.code().value() != EFBIG) ::_exit(3);
      if (closed.offset() != 10'000u) ::_exit(4);
    });
    EXPECT_EQ(code, 0);
    EXPECT_TRUE(contents_of(path) == pattern(0, 10'000));
  }
}

TEST(WriterTarget, WritesToAFifo) {
  const ScratchDirectory directory;
  const std::string path = directory.file("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const CreateMode create : {CreateMode::truncate, CreateMode::append}) {
    std::string read;
    std::thread reader([&] {
      const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
      read = read_to_end(descriptor);
      ::close(descriptor);
    });
    Writer writer;
    EXPECT_TRUE(writer.open(path, {.create = create, .write_behind = WriteBehind::on}).ok());
    EXPECT_EQ(writer.position(), 0u);
    WriterModel model(writer);
    model.write(300'000);
    model.put();
    const Status closed = writer.close();
    EXPECT_TRUE(closed.ok()) << closed.message();
    reader.join();
    model.expect_honest(closed, read);
  }
}

TEST(WriterTarget, LetsTwoWritersAppendToOneFile) {
  const ScratchDirectory directory;
  const std::string path = directory.file("log");
  make_file(path, "begin\n");
  Writer first;
  Writer second;
  const WriterOptions options{.create = CreateMode::append, .block_bytes = 64};
  ASSERT_TRUE(first.open(path, options).ok());
  ASSERT_TRUE(second.open(path, options).ok());
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_TRUE(first.write("first "));
    EXPECT_TRUE(i % 3 != 0 || second.write("SECOND"));
    EXPECT_TRUE(i % 10 != 0 || first.flush().ok());
  }
  EXPECT_TRUE(first.close().ok());
  EXPECT_TRUE(second.close().ok());
  const std::string contents = contents_of(path);
  EXPECT_TRUE(contents.starts_with("begin\n"));
  std::string of_first;
  std::string of_second;
  for (const char byte : contents.substr(6)) {
    (std::isupper(static_cast<unsigned char>(byte)) ? of_second : of_first) += byte;
  }
  std::string expected_first;
  std::string expected_second;
  for (int i = 0; i < 1'000; ++i) expected_first += "first ";
  for (int i = 0; i < 334; ++i) expected_second += "SECOND";
  EXPECT_TRUE(of_first == expected_first) << "one Writer has overwritten bytes of the other";
  EXPECT_TRUE(of_second == expected_second);
}

// ---- terminals ----

struct Terminal {
  Terminal() {
    EXPECT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    termios settings{};
    EXPECT_EQ(::tcgetattr(slave, &settings), 0);
    ::cfmakeraw(&settings);
    EXPECT_EQ(::tcsetattr(slave, TCSANOW, &settings), 0);
  }
  ~Terminal() {
    ::close(slave);
    ::close(master);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // The text that the person sees now.
  std::string shown() const {
    std::string bytes;
    for (;;) {
      pollfd request{master, POLLIN, 0};
      if (::poll(&request, 1, 0) <= 0 || (request.revents & POLLIN) == 0) return bytes;
      std::array<char, 4096> block;
      const ssize_t got = ::read(master, block.data(), block.size());
      if (got <= 0) return bytes;
      bytes.append(block.data(), static_cast<std::size_t>(got));
    }
  }

  // Waits for `bytes` more bytes on the terminal, and returns them.
  std::string wait_for(std::size_t bytes) const {
    std::string seen;
    while (seen.size() < bytes) {
      pollfd request{master, POLLIN, 0};
      if (::poll(&request, 1, 10'000) <= 0) return seen;
      seen += shown();
    }
    return seen;
  }

  int master = -1;
  int slave = -1;
};

TEST(WriterTarget, ShowsEveryLineOnATerminalWhenItIsComplete) {
  const Terminal terminal;
  Writer writer;
  ASSERT_TRUE(writer.attach(terminal.slave, "terminal").ok());
  EXPECT_TRUE(writer.write("one\n"));
  EXPECT_EQ(terminal.wait_for(4), "one\n");
  for (const char byte : std::string("two\n")) EXPECT_TRUE(writer.put(byte));
  EXPECT_EQ(terminal.wait_for(4), "two\n");
  EXPECT_TRUE(writer.write("three\nfour\nbegin"));
  EXPECT_EQ(terminal.wait_for(11).substr(0, 11), "three\nfour\n");
  EXPECT_TRUE(writer.write("ning\n"));
  EXPECT_EQ(terminal.wait_for(10), "beginning\n") << "the beginning of a line waits for its end";
  const MutableBytesView room = writer.reserve(5);
  ASSERT_EQ(room.size(), 5u);
  std::memcpy(room.data(), "five\n", 5);
  writer.commit(5);
  EXPECT_EQ(terminal.wait_for(5), "five\n");
  EXPECT_TRUE(writer.write("prompt: "));
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_EQ(terminal.wait_for(8), "prompt: ");
  EXPECT_EQ(writer.position(), 42u);
  EXPECT_TRUE(writer.write("end"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(terminal.wait_for(3), "end");
}

TEST(WriterTarget, ShowsLinesOnATerminalThatIsOpenedByPath) {
  const Terminal terminal;
  std::array<char, 128> name;
  ASSERT_EQ(::ttyname_r(terminal.slave, name.data(), name.size()), 0);
  Writer writer;
  ASSERT_TRUE(writer.open(name.data()).ok());
  EXPECT_TRUE(writer.write("line\n"));
  EXPECT_EQ(terminal.wait_for(5), "line\n");
  EXPECT_TRUE(writer.close().ok());
}

TEST(WriterTarget, WritesWholeBlocksToAPipeNotLines) {
  Pipe pipe;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.attach(pipe.writing(), "pipe").ok());
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(writer.write("line\n"));
  EXPECT_EQ(calls.count(Call::writev), 0u);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(calls.count(Call::writev), 1u);
}

// ---- W9 ----

// Pages of zeros. They need no memory as long as they are only read.
class ZeroPages {
 public:
  explicit ZeroPages(std::size_t bytes)
      : bytes_(bytes),
        memory_(::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                       0)) {}
  ~ZeroPages() { ::munmap(memory_, bytes_); }
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;

  BytesView bytes() const { return {static_cast<const std::byte*>(memory_), bytes_}; }

 private:
  std::size_t bytes_;
  void* memory_;
};

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

void expect_within_the_limits_of_one_call(const FaultySystemCalls& calls) {
  for (const CallRecord& record : calls.records()) {
    if (!is_transfer(record.call)) continue;
    EXPECT_LE(record.bytes, gibibyte);
    EXPECT_LE(record.pieces, 1024);
  }
}

TEST(WriterTarget, WritesThreeGibibytesInOneCallOfItsOwn) {
  const ZeroPages zeros(3 * gibibyte);
  FaultySystemCalls calls;
#ifdef __SANITIZE_THREAD__
  calls.pretend_to_write();  // a sanitizer needs 9 GiB to note the bytes that the kernel reads
#endif
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open("/dev/null").ok());
  EXPECT_TRUE(writer.put('x'));
  EXPECT_TRUE(writer.write(zeros.bytes()));
  EXPECT_TRUE(writer.put('y'));
  EXPECT_EQ(writer.position(), 3 * gibibyte + 2);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(writer.position(), 3 * gibibyte + 2);
  expect_within_the_limits_of_one_call(calls);
}

TEST(WriterTarget, WritesBeyondFourGibibytesAtTheRightPositions) {
  const ScratchDirectory directory;
  const ZeroPages zeros(3 * gibibyte);
  FaultySystemCalls calls;
  calls.pretend_to_write();
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("out"), {.write_behind = WriteBehind::off}).ok());
  EXPECT_TRUE(writer.write(zeros.bytes()));
  EXPECT_TRUE(writer.write("small"));
  EXPECT_TRUE(writer.write(zeros.bytes()));
  EXPECT_EQ(writer.position(), 6 * gibibyte + 5);
  EXPECT_TRUE(writer.close().ok());
  expect_within_the_limits_of_one_call(calls);
  std::uint64_t position = 0;
  for (const CallRecord& record : calls.records(Call::pwritev)) {
    EXPECT_EQ(record.position, position);
    position += static_cast<std::uint64_t>(record.result);
  }
  EXPECT_EQ(position, 6 * gibibyte + 5);
}

TEST(WriterTarget, SaysTheOffsetOfAFailureBeyondFourGibibytes) {
  const ScratchDirectory directory;
  const ZeroPages zeros(3 * gibibyte);
  FaultySystemCalls calls;
  calls.pretend_to_write();
  calls.fail(Call::pwritev, 6, ENOSPC);
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("out")).ok());
  EXPECT_TRUE(writer.write(zeros.bytes()));
  EXPECT_FALSE(writer.write(zeros.bytes()));
  EXPECT_EQ(writer.status().offset(), 5 * gibibyte);
  EXPECT_EQ(writer.close().offset(), 5 * gibibyte);
}

TEST(WriterTarget, SurvivesAStormOfSignals) {
  Pipe pipe;
  static volatile sig_atomic_t signals = 0;
  struct sigaction count {};
  struct sigaction before {};
  count.sa_handler = [](int) { signals = signals + 1; };  // without SA_RESTART
  ASSERT_EQ(::sigaction(SIGALRM, &count, &before), 0);
  std::string read;
  std::thread reader([&] {
    sigset_t alarm;
    ::sigemptyset(&alarm);
    ::sigaddset(&alarm, SIGALRM);
    ::pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
    read = read_to_end(pipe.reading());
  });
  const itimerval every_moment{{0, 200}, {0, 200}};
  const itimerval never{};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &every_moment, nullptr), 0);
  Writer writer;
  EXPECT_TRUE(writer.attach(pipe.writing(), "pipe").ok());
  WriterModel model(writer);
  for (int i = 0; i < 2'000 || (signals < 20 && i < 1'000'000); ++i) model.write(1'000);
  const Status closed = writer.close();
  ASSERT_EQ(::setitimer(ITIMER_REAL, &never, nullptr), 0);
  pipe.close_writing();
  reader.join();
  ASSERT_EQ(::sigaction(SIGALRM, &before, nullptr), 0);
  EXPECT_GE(signals, 20);
  EXPECT_TRUE(closed.ok()) << closed.message();
  model.expect_honest(closed, read);
}

}  // namespace
}  // namespace sluice::testing
