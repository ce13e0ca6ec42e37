// The lock of a stream, and the calls that take it (SLUICE_STDIO_LOCKED).
#include "sluice/stdio_locked.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <thread>

#include "stdio/stream.h"

namespace {

constexpr auto patience = std::chrono::seconds(20);

bool another_thread_gets(sluice_FILE* file) {
  bool is_free = false;
  std::thread([&] {
    is_free = sluice_stdio_ftrylockfile(file) == 0;
    if (is_free) sluice_stdio_funlockfile(file);
  }).join();
  return is_free;
}

#ifdef __GLIBC__
// Another thread may lock the C library's FILE in fflush(NULL) as soon as there is one.
TEST(StdioLocked, APrintOfTheCLibraryLeavesItsLockUsable) {
  sluice_FILE* const file = sluice_stdio_tmpfile();
  sluice_stdio_fprintf(file, "%Le", 1.5L);
  const FILE* const printer = sluice::stdio::stream_of(file).printer;
  ASSERT_NE(printer, nullptr);
  constexpr int needs_no_lock = 0x8000;
  EXPECT_EQ(printer->_flags & needs_no_lock, 0);
  sluice_stdio_fclose(file);
}
#endif

// No test before this one starts a thread: after the first thread the process may count as one with
// threads.
TEST(StdioLocked, ALockThatWasTakenBeforeTheFirstThreadHolds) {
  sluice_FILE* const file = sluice_stdio_tmpfile();
  sluice_stdio_flockfile(file);
  sluice_stdio_flockfile(file);
  EXPECT_FALSE(another_thread_gets(file));
  sluice_stdio_funlockfile(file);
  EXPECT_FALSE(another_thread_gets(file));
  sluice_stdio_funlockfile(file);
  EXPECT_TRUE(another_thread_gets(file));
  sluice_stdio_fclose(file);
}

TEST(StdioLocked, ThreadsLoseNoByte) {
  sluice_FILE* const file = sluice_stdio_tmpfile();
  constexpr int count = 300'000;
  sluice_stdio_locked_fputc('x', file);  // while there is one thread
  const auto put = [file] {
    for (int i = 0; i < count; ++i) sluice_stdio_locked_fputc('x', file);
  };
  std::thread first(put);
  std::thread second(put);
  first.join();
  second.join();
  EXPECT_EQ(sluice_stdio_ftello(file), 2 * count + 1);
  sluice_stdio_fclose(file);
}

TEST(StdioLocked, ACallWaitsForTheLockOfAnotherThread) {
  sluice_FILE* const file = sluice_stdio_tmpfile();
  sluice_stdio_locked_fputc('x', file);  // while there is one thread
  sluice_stdio_flockfile(file);
  auto putting = std::async(std::launch::async, [file] { sluice_stdio_locked_fputc('x', file); });
  EXPECT_EQ(putting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  sluice_stdio_funlockfile(file);
  putting.wait();
  EXPECT_EQ(sluice_stdio_ftello(file), 2);
  sluice_stdio_fclose(file);
}

TEST(StdioLocked, AThreadThatWaitsGetsTheLock) {
  sluice_FILE* const file = sluice_stdio_tmpfile();
  sluice_stdio_flockfile(file);
  std::promise<void> begins;
  auto waiting = std::async(std::launch::async, [&] {
    begins.set_value();
    sluice_stdio_flockfile(file);
    sluice_stdio_funlockfile(file);
  });
  begins.get_future().wait();
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  sluice_stdio_funlockfile(file);
  if (waiting.wait_for(patience) != std::future_status::ready) {
    ADD_FAILURE() << "the thread still waits";
    std::_Exit(EXIT_FAILURE);  // nothing else would end the thread
  }
  sluice_stdio_fclose(file);
}

TEST(StdioLocked, ThreadsTakeTurns) {
  sluice_FILE* const file = sluice_stdio_tmpfile();
  constexpr int count = 20'000;
  int inside = 0;
  int total = 0;
  const auto enter = [&] {
    for (int i = 0; i < count; ++i) {
      sluice_stdio_flockfile(file);
      EXPECT_EQ(++inside, 1);
      ++total;
      --inside;
      sluice_stdio_funlockfile(file);
    }
  };
  std::thread first(enter);
  std::thread second(enter);
  std::thread third(enter);
  first.join();
  second.join();
  third.join();
  EXPECT_EQ(total, 3 * count);
  sluice_stdio_fclose(file);
}

}  // namespace
