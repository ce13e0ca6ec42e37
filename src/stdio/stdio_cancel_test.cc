// A thread that is cancelled in a call gives back the lock of the call, and keeps the locks that
// the program has taken.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <thread>

#include "sluice/stdio_locked.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// Otherwise every later call on this stream would wait for ever.
TEST(StdioCancel, AThreadThatIsCancelledInACallGivesItsLockBack) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  sluice_FILE* const input = sluice_stdio_fdopen(ends[0], "r");
  pthread_t reader;
  const auto read = [](void* file) -> void* {
    sluice_stdio_locked_fgetc(static_cast<sluice_FILE*>(file));
    return nullptr;
  };
  ASSERT_EQ(::pthread_create(&reader, nullptr, read, input), 0);
  ::usleep(50'000);  // a thread that is not yet in the call is cancelled in it too
  ::pthread_cancel(reader);
  void* result = nullptr;
  ASSERT_EQ(::pthread_join(reader, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  ASSERT_EQ(sluice_stdio_ftrylockfile(input), 0);
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_EQ(sluice_stdio_fgetc(input), 'x');
  sluice_stdio_funlockfile(input);
  EXPECT_EQ(sluice_stdio_fclose(input), 0);
  ::close(ends[1]);
}

TEST(StdioCancel, AThreadThatIsCancelledInAWriteGivesItsLockBack) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  sluice_FILE* const output = sluice_stdio_fdopen(ends[1], "w");
  sluice_stdio_setvbuf(output, nullptr, _IONBF, 0);
  pthread_t writer;
  const auto fill = [](void* file) -> void* {
    const std::string bytes(1 << 20, 'x');  // more than the pipe holds
    sluice_stdio_locked_fwrite(bytes.data(), 1, bytes.size(), static_cast<sluice_FILE*>(file));
    return nullptr;
  };
  ASSERT_EQ(::pthread_create(&writer, nullptr, fill, output), 0);
  ::usleep(50'000);
  ::pthread_cancel(writer);
  void* result = nullptr;
  ASSERT_EQ(::pthread_join(writer, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  ASSERT_EQ(sluice_stdio_ftrylockfile(output), 0);
  sluice_stdio_funlockfile(output);
  ::close(ends[0]);
  sluice_stdio_fclose(output);
}

// A stream that a thread was cancelled in is not locked any more, whatever the call was.
template <typename Call>
void expect_lock_given_back(Call call) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  sluice_FILE* const output = sluice_stdio_fdopen(ends[1], "w");
  const std::string bytes(static_cast<std::size_t>(::fcntl(ends[1], F_GETPIPE_SZ)), 'x');
  ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ASSERT_EQ(sluice_stdio_fputc('y', output), 'y');
  struct Work {
    Call call;
    sluice_FILE* output;
  } work{call, output};
  const auto run = [](void* argument) -> void* {
    auto* const given = static_cast<Work*>(argument);
    given->call(given->output);
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(::pthread_create(&thread, nullptr, run, &work), 0);
  ::usleep(50'000);
  ::pthread_cancel(thread);
  void* result = nullptr;
  ASSERT_EQ(::pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  ASSERT_EQ(sluice_stdio_ftrylockfile(output), 0);
  sluice_stdio_funlockfile(output);
  std::string drained(bytes.size(), ' ');
  EXPECT_EQ(::read(ends[0], drained.data(), drained.size()), static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(sluice_stdio_fclose(output), 0);
  ::close(ends[0]);
}

TEST(StdioCancel, AThreadThatIsCancelledInAFlushOfAllGivesItsLockBack) {
  expect_lock_given_back([](sluice_FILE*) { sluice_stdio_fflush(nullptr); });
}

TEST(StdioCancel, AThreadThatIsCancelledInACloseGivesItsLockBack) {
  expect_lock_given_back([](sluice_FILE* file) { sluice_stdio_fclose(file); });
}

// Makes the call in a thread whose cancellation is asked for before.
template <typename Call>
void expect_lock_given_back_at_once(sluice_FILE* file, Call call) {
  std::thread([=] {
    ::pthread_cancel(::pthread_self());
    call(file);
  }).join();
  ASSERT_EQ(sluice_stdio_ftrylockfile(file), 0);
  sluice_stdio_funlockfile(file);
}

TEST(StdioCancel, ACloseOfAnEmptyStreamGivesItsLockBack) {
  const ScratchDirectory directory;
  sluice_FILE* const file = sluice_stdio_fopen(directory.file("file").c_str(), "w");
  const int descriptor = sluice_stdio_fileno(file);
  expect_lock_given_back_at_once(file, [](sluice_FILE* given) { sluice_stdio_fclose(given); });
  EXPECT_EQ(::fcntl(descriptor, F_GETFD), -1);
}

TEST(StdioCancel, AReopeningGivesItsLockBack) {
  const ScratchDirectory directory;
  sluice_FILE* const file = sluice_stdio_fopen(directory.file("file").c_str(), "w");
  expect_lock_given_back_at_once(
      file, [](sluice_FILE* given) { sluice_stdio_freopen("/dev/null", "w", given); });
  EXPECT_EQ(sluice_stdio_fputc('x', file), EOF);
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
}

// A handler of the program gives back what the program has taken, as with the C library.
TEST(StdioCancel, AHandlerStillHasTheLockOfTheProgram) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  sluice_FILE* const input = sluice_stdio_fdopen(ends[0], "r");
  pthread_t reader;
  const auto read = [](void* argument) -> void* {
    auto* const file = static_cast<sluice_FILE*>(argument);
    sluice_stdio_flockfile(file);
    pthread_cleanup_push(
        [](void* given) {
          auto* const same = static_cast<sluice_FILE*>(given);
          int others = 0;
          std::thread([&] { others = sluice_stdio_ftrylockfile(same); }).join();
          EXPECT_EQ(others, EBUSY);
          sluice_stdio_funlockfile(same);
        },
        file);
    sluice_stdio_locked_fgetc(file);
    pthread_cleanup_pop(1);
    return nullptr;
  };
  ASSERT_EQ(::pthread_create(&reader, nullptr, read, input), 0);
  ::usleep(50'000);
  ::pthread_cancel(reader);
  ASSERT_EQ(::pthread_join(reader, nullptr), 0);
  ASSERT_EQ(sluice_stdio_ftrylockfile(input), 0);
  sluice_stdio_funlockfile(input);
  EXPECT_EQ(sluice_stdio_fclose(input), 0);
  ::close(ends[1]);
}

}  // namespace
}  // namespace sluice::testing
