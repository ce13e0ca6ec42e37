// Standard output, error and input: lines, blocks, broken pipes, and closed descriptors.
#include "sluice/standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/pipe.h"
#include "testing/process_facts.h"
#include "testing/scarce_memory.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

bool is_readable(int descriptor) {
  pollfd request{descriptor, POLLIN, 0};
  return ::poll(&request, 1, 0) == 1;
}

bool broken_pipe_waits() {
  sigset_t waiting;
  ::sigpending(&waiting);
  return ::sigismember(&waiting, SIGPIPE) == 1;
}

bool broken_pipe_is_blocked() {
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return ::sigismember(&blocked, SIGPIPE) == 1;
}

TEST(StandardOutput, LeavesInBlocksForAPipeAndAtTheEnd) {
  Pipe pipe;
  {
    const Redirected one(1, pipe.writing());
    Writer out = standard_output();
    EXPECT_TRUE(out.status().ok());
    EXPECT_TRUE(out.write("line\n"));
    EXPECT_FALSE(is_readable(pipe.reading()));
  }
  pipe.close_writing();
  EXPECT_EQ(read_to_end(pipe.reading()), "line\n");
}

TEST(StandardOutput, LeavesLineByLineForATerminal) {
  int master = -1;
  int slave = -1;
  ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  {
    const Redirected one(1, slave);
    Writer out = standard_output();
    EXPECT_TRUE(out.write("line\n"));
    EXPECT_TRUE(is_readable(master));
    EXPECT_TRUE(out.close().ok());
  }
  ::close(slave);
  ::close(master);
}

TEST(StandardError, LeavesLineByLineEverywhere) {
  Pipe pipe;
  const Redirected two(2, pipe.writing());
  Writer error = standard_error();
  EXPECT_TRUE(error.write("line\n"));
  EXPECT_TRUE(is_readable(pipe.reading()));
  EXPECT_TRUE(error.close().ok());
}

// Without the library's help the SIGPIPE would end the program.
TEST(StandardOutput, ReportsAPipeThatNobodyReadsAndGoesOnLiving) {
  for (const bool blocked_before : {false, true}) {
    const int code = exit_code_of_child([blocked_before] {
      Pipe pipe;
      pipe.close_reading();
      if (::signal(SIGPIPE, SIG_DFL) == SIG_ERR) ::_exit(2);
      sigset_t one;
      ::sigemptyset(&one);
      ::sigaddset(&one, SIGPIPE);
      ::pthread_sigmask(blocked_before ? SIG_BLOCK : SIG_UNBLOCK, &one, nullptr);
      const Redirected output(1, pipe.writing());
      Writer out = standard_output();
      out.write(std::string(1'000'000, 'x'));
      if (out.write("y")) ::_exit(3);
      if (out.status().code().value() != EPIPE) ::_exit(4);
      if (out.close().message() != "write standard output at byte 0: Broken pipe") ::_exit(5);
      if (broken_pipe_is_blocked() != blocked_before) ::_exit(6);
      if (broken_pipe_waits()) ::_exit(7);
      struct sigaction present {};
      ::sigaction(SIGPIPE, nullptr, &present);
      if (present.sa_handler != SIG_DFL) ::_exit(8);
    });
    EXPECT_EQ(code, 0) << blocked_before;
  }
}

TEST(StandardOutput, TakesItsBrokenPipeSignalInSpiteOfOtherSignals) {
  const int code = exit_code_of_child([] {
    Pipe pipe;
    pipe.close_reading();
    FaultySystemCalls calls;
    calls.interrupt_every_call();
    const os::ScopedSystemCalls in_place(calls);
    const Redirected output(1, pipe.writing());
    Writer out = standard_output();
    out.write("bytes");
    if (out.close().code().value() != EPIPE) ::_exit(2);
    if (broken_pipe_waits()) ::_exit(3);
  });
  EXPECT_EQ(code, 0);
}

TEST(StandardOutput, LeavesABrokenPipeOfTheProgramsToTheProgram) {
  const int code = exit_code_of_child([] {
    Pipe pipe;
    pipe.close_reading();
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
    ::raise(SIGPIPE);
    const Redirected output(1, pipe.writing());
    Writer out = standard_output();
    out.write("bytes");
    if (out.close().code().value() != EPIPE) ::_exit(2);
    if (!broken_pipe_waits()) ::_exit(3);
  });
  EXPECT_EQ(code, 0);
}

TEST(StandardOutput, ReportsNoLostErrorForAPipeThatNobodyReads) {
  Pipe pipe;
  pipe.close_reading();
  LostErrors told;
  {
    const Redirected one(1, pipe.writing());
    Writer out = standard_output();
    out.write("bytes");
  }
  EXPECT_EQ(told.take_messages(), std::vector<std::string>());
}

TEST(StandardOutput, ReportsEveryOtherFailure) {
  LostErrors told;
  {
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    const Redirected one(1, full);
    Writer out = standard_output();
    out.write("bytes");
    ::close(full);
  }
  EXPECT_EQ(told.take_messages(),
            std::vector<std::string>{"write standard output at byte 0: No space left on device"});
}

TEST(StandardOutput, LeavesSignalsAloneIfNoPipeCanBreak) {
  ScratchDirectory directory;
  const int file = ::open(directory.file("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  FaultySystemCalls calls;
  {
    const os::ScopedSystemCalls in_place(calls);
    const Redirected one(1, file);
    Writer out = standard_output();
    out.write("bytes");
    EXPECT_TRUE(out.close().ok());
  }
  ::close(file);
  EXPECT_EQ(calls.count(Call::block_signal), 0u) << calls.log();
}

TEST(StandardOutput, ThatIsClosedIsOneClearStatus) {
  LostErrors told;
  {
    const Redirected one(1, -1);
    Writer out = standard_output();
    EXPECT_EQ(out.status().message(), "open standard output: Bad file descriptor");
    EXPECT_EQ(out.status().code().value(), EBADF);
    EXPECT_FALSE(out.write("bytes"));
    EXPECT_EQ(out.close().message(), "open standard output: Bad file descriptor");
    Writer error;
    {
      const Redirected two(2, -1);
      error = standard_error();
    }
    EXPECT_EQ(error.close().message(), "open standard error: Bad file descriptor");
  }
  EXPECT_EQ(told.take_messages(), std::vector<std::string>())
      << "the program has asked for this failure";
  {
    const Redirected one(1, -1);
    standard_output().write("bytes");
  }
  EXPECT_EQ(told.take_messages(),
            std::vector<std::string>{"open standard output: Bad file descriptor"});
}

TEST(StandardOutput, RefusesImpossibleOptions) {
  Writer out = standard_output({.block_bytes = 0});
  EXPECT_EQ(out.status().code().value(), EINVAL);
  EXPECT_EQ(out.close().message(),
            "open standard output: option block_bytes is 0, must be 1 to 1073741824");
  Reader in = standard_input({.block_bytes = 0});
  EXPECT_EQ(in.close().code().value(), EINVAL);
}

TEST(StandardOutput, OfTwoWritersLosesNoByte) {
  ScratchDirectory directory;
  const std::string path = directory.file("out");
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  {
    const Redirected one(1, file);
    Writer first = standard_output();
    Writer second = standard_output();
    first.write("first ");
    second.write("second ");
    EXPECT_TRUE(second.flush().ok());
    EXPECT_TRUE(first.close().ok());
    second.write("third");
  }
  ::close(file);
  EXPECT_EQ(contents_of(path), "second first third");
}

TEST(StandardInput, IsReadToItsEnd) {
  Pipe pipe;
  std::thread writing([&] {
    static_cast<void>(::write(pipe.writing(), "one\ntwo", 7) == 7);
    pipe.close_writing();
  });
  std::vector<std::string> lines;
  {
    const Redirected zero(0, pipe.reading());
    Reader in = standard_input();
    for (const std::string_view line : in.lines()) lines.emplace_back(line);
    EXPECT_TRUE(in.close().ok());
  }
  writing.join();
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
}

TEST(StandardInput, ThatIsClosedDiffersFromEmptyInput) {
  LostErrors told;
  {
    const Redirected zero(0, -1);
    Reader in = standard_input();
    EXPECT_EQ(in.status().code().value(), EBADF);
    EXPECT_EQ(in.status().message(), "open standard input: Bad file descriptor");
    std::uint64_t bytes = 0;
    EXPECT_EQ(in.size(bytes).code().value(), EBADF);
    EXPECT_EQ(in.seek(0).code().value(), EBADF);
    EXPECT_EQ(in.close().code().value(), EBADF);
  }
  EXPECT_EQ(told.take().size(), 0u) << "the program has asked for this failure";
  {
    const Redirected zero(0, -1);
    Reader in = standard_input();
    for (const std::string_view line : in.lines()) EXPECT_EQ(line, "no line");
  }
  EXPECT_EQ(told.take().size(), 1u);
}

// Every allocation fails in turn. The result is a success with the right bytes, or ENOMEM.
TEST(StandardStreams, WithoutMemory) {
  for (const auto lasting : {ScarceMemory::Lasting::once, ScarceMemory::Lasting::for_ever}) {
    bool ran_out = true;
    for (std::size_t nth = 1; ran_out; ++nth) {
      ASSERT_LT(nth, 100u);
      Pipe to;
      Status status;
      {
        const Redirected one(1, to.writing());
        ScarceMemory memory(nth, lasting);
        status = memory.in([] {
          Writer out = standard_output();
          out.write("bytes");
          return out.close();
        });
        ran_out = memory.ran_out();
      }
      to.close_writing();
      const int code = status.code().value();  // EBADF: there was no memory for the failure either
      EXPECT_TRUE(status.ok() || (ran_out && (code == ENOMEM || code == EBADF)))
          << status.message();
      if (status.ok()) {
        EXPECT_EQ(read_to_end(to.reading()), "bytes");
      }
    }
  }
}

}  // namespace
}  // namespace sluice::testing
