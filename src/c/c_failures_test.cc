// Failures of the system, through the C interface: every field of the error, lost errors, memory
// that runs out, forks and threads.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "sluice/c.h"
#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/memory_sweep.h"
#include "testing/scarce_memory.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

class CFailures : public ::testing::Test {
 protected:
  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  sluice_error error_{};
};

TEST_F(CFailures, AFullDiskIsAnErrorWithEveryField) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  const std::string block(1 << 20, 'x');
  EXPECT_TRUE(sluice_write(writer, block.data(), block.size()));
  calls.fail(Call::pwritev, 1, ENOSPC, Repeat::for_ever);
  EXPECT_FALSE(sluice_write(writer, block.data(), block.size()));
  EXPECT_FALSE(sluice_put(writer, 'x'));
  EXPECT_FALSE(sluice_writer_close(writer, &error_));
  EXPECT_EQ(error_.code, ENOSPC);
  EXPECT_EQ(error_.operation, SLUICE_WRITE);
  EXPECT_TRUE(error_.has_offset);
  EXPECT_EQ(error_.offset, block.size());
  EXPECT_EQ(error_.path, path_);
  EXPECT_EQ(error_.message, "write " + path_ + " at byte 1048576: No space left on device");
  EXPECT_EQ(sluice_writer_position(writer), block.size());
  sluice_writer_free(writer);
}

TEST_F(CFailures, AFailedReadIsAnErrorWithEveryField) {
  make_file(path_, "bytes");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  sluice_reader* const reader = sluice_reader_open(path_.c_str(), nullptr, &error_);
  calls.fail(Call::pread, 1, EIO, Repeat::for_ever);
  EXPECT_EQ(sluice_get(reader), SLUICE_END);
  EXPECT_FALSE(sluice_reader_status(reader, &error_));
  EXPECT_EQ(error_.code, EIO);
  EXPECT_EQ(error_.operation, SLUICE_READ);
  EXPECT_EQ(error_.offset, 0u);
  EXPECT_FALSE(sluice_reader_close(reader, nullptr));
  sluice_reader_free(reader);
}

TEST_F(CFailures, AFailedSyncFailsTheCommitAndEveryLaterCall) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  sluice_journal_options options = SLUICE_JOURNAL_OPTIONS_INIT;
  options.framing = SLUICE_RAW;
  sluice_journal* const journal = sluice_journal_open(path_.c_str(), &options, nullptr, &error_);
  std::uint64_t ticket = 0;
  EXPECT_TRUE(sluice_journal_append(journal, "record", 6, &ticket, &error_));
  calls.fail(Call::fdatasync, 1, EIO);
  EXPECT_FALSE(sluice_journal_commit(journal, ticket, &error_));
  EXPECT_EQ(error_.code, EIO);
  EXPECT_EQ(error_.operation, SLUICE_SYNC);
  EXPECT_FALSE(sluice_journal_append(journal, "record", 6, &ticket, &error_));
  EXPECT_FALSE(sluice_journal_status(journal, &error_));
  EXPECT_FALSE(sluice_journal_close(journal, &error_));
  EXPECT_EQ(error_.code, EIO);
  sluice_journal_free(journal);
}

TEST_F(CFailures, ACallThatSucceedsLeavesTheError) {
  EXPECT_EQ(sluice_reader_open(path_.c_str(), nullptr, &error_), nullptr);
  const std::string message = error_.message;
  EXPECT_TRUE(sluice_write_file(path_.c_str(), "x", 1, nullptr, &error_));
  EXPECT_EQ(error_.code, ENOENT);
  EXPECT_EQ(error_.message, message);
}

TEST_F(CFailures, ALongPathIsCutInTheErrorAndNowhereElse) {
  const std::string path(sizeof error_.path + 100, 'p');
  EXPECT_EQ(sluice_reader_open(path.c_str(), nullptr, &error_), nullptr);
  EXPECT_EQ(error_.code, ENAMETOOLONG);
  EXPECT_EQ(error_.path, path.substr(0, sizeof error_.path - 4) + "...");
  const std::string long_path(sizeof error_.message, 'p');
  EXPECT_EQ(sluice_reader_open(long_path.c_str(), nullptr, &error_), nullptr);
  EXPECT_EQ(std::strlen(error_.message), sizeof error_.message - 1);
  EXPECT_TRUE(std::string(error_.message).ends_with("..."));
}

void keep(const sluice_error* error, void* kept) {
  static_cast<std::vector<std::string>*>(kept)->push_back(error->message);
}

TEST_F(CFailures, AFailureOfAnOpenHandleThatIsFreedReachesTheHandler) {
  std::vector<std::string> lost;
  EXPECT_TRUE(sluice_set_lost_error_handler(keep, &lost));
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_write(writer, "lost", 4));
  calls.fail(Call::pwritev, 1, ENOSPC);
  sluice_writer_free(writer);
  EXPECT_EQ(lost,
            std::vector<std::string>{"write " + path_ + " at byte 0: No space left on device"});
  EXPECT_TRUE(sluice_set_lost_error_handler(nullptr, nullptr));
}

TEST_F(CFailures, StandardOutputThatIsNotClosedIsWrittenAtExit) {
  static sluice_writer* writer;  // the leak sanitizer finds it here
  const auto run = [] {
    ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
    writer = sluice_standard_output(nullptr, nullptr);
    std::exit(sluice_put(writer, 'x') ? 0 : 1);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "lost error: write standard output at byte 0");
}

// A handle that would not be closed when the program ends could lose bytes in silence.
TEST_F(CFailures, NoMoreHandlesOfStandardStreamsAreOpenedThanAreClosedAtExit) {
  std::vector<sluice_writer*> open;
  for (int i = 0; i < 16; ++i) {
    open.push_back(i % 2 == 0 ? sluice_standard_output(nullptr, &error_)
                              : sluice_standard_error(nullptr, &error_));
    ASSERT_NE(open.back(), nullptr) << error_.message;
  }
  EXPECT_EQ(sluice_standard_output(nullptr, &error_), nullptr);
  EXPECT_EQ(error_.code, EMFILE);
  EXPECT_STREQ(error_.message,
               "open standard output: 16 handles of standard output and standard error are open "
               "already: close and free one of them");
  sluice_writer_free(open.back());
  open.back() = sluice_standard_output(nullptr, &error_);
  EXPECT_NE(open.back(), nullptr) << error_.message;
  for (sluice_writer* const writer : open) sluice_writer_free(writer);
}

TEST_F(CFailures, EachContextHasItsOwnHandler) {
  std::vector<std::string> first;
  std::vector<std::string> second;
  const auto lose_an_error = [&] {
    sluice_writer* const writer = sluice_writer_open("/dev/full", nullptr, &error_);
    EXPECT_TRUE(sluice_put(writer, 'x'));
    sluice_writer_free(writer);
  };
  EXPECT_TRUE(sluice_set_lost_error_handler(keep, &first));
  EXPECT_TRUE(sluice_set_lost_error_handler(keep, &second));
  lose_an_error();
  EXPECT_TRUE(sluice_set_lost_error_handler(keep, &first));
  lose_an_error();
  EXPECT_TRUE(sluice_set_lost_error_handler(nullptr, nullptr));
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(second.size(), 1u);
}

TEST_F(CFailures, AHandlerThatWasSetBeforeNeedsNoMemory) {
  int one = 0;
  int two = 0;
  ScarceMemory memory(1, ScarceMemory::Lasting::for_ever);
  const auto set = [](void* context) {
    return sluice_set_lost_error_handler([](const sluice_error*, void*) {}, context);
  };
  EXPECT_TRUE(set(&one));
  EXPECT_FALSE(memory.in([&] { return set(&two); }));
  EXPECT_TRUE(memory.in([&] { return set(&one); }));
  EXPECT_TRUE(sluice_set_lost_error_handler(nullptr, nullptr));
}

// Returns the failure of a C call as a Status, because sweep() looks at those.
template <typename Call>
Status status_of(Call call) {
  sluice_error error{};
  if (call(&error)) return {};
  EXPECT_NE(error.code, 0);
  EXPECT_NE(error.message[0], '\0');
  return Status::failure(Operation::open, "", error.code);
}

TEST_F(CFailures, WithoutMemoryEveryCallIsAnError) {
  const LostErrors lost;
  sweep([](Attempt& attempt) {
    sluice_writer* writer = nullptr;
    attempt.succeeds([&] {
      return status_of([&](sluice_error* error) {
        writer = sluice_writer_open(attempt.path.c_str(), nullptr, error);
        return writer != nullptr;
      });
    });
    if (writer == nullptr) return;
    const std::string text = text_of(700);
    attempt.memory.in([&] { return sluice_printf(writer, "%s", text.c_str()); });
    const bool is_safe = attempt.succeeds([&] {
      return status_of([&](sluice_error* error) { return sluice_writer_close(writer, error); });
    });
    sluice_writer_free(writer);
    if (is_safe) {
      EXPECT_EQ(contents_of(attempt.path), text);
    }
  });
}

TEST_F(CFailures, WithoutMemoryReadingIsAnError) {
  sweep([](Attempt& attempt) {
    const std::string text = text_of(100'000);
    make_file(attempt.path, text);
    sluice_bytes* const bytes = sluice_bytes_new();
    sluice_reader* reader = nullptr;
    attempt.succeeds([&] {
      return status_of([&](sluice_error* error) {
        return sluice_read_file(attempt.path.c_str(), bytes, error);
      });
    });
    attempt.succeeds([&] {
      return status_of([&](sluice_error* error) {
        reader = sluice_reader_open(attempt.path.c_str(), nullptr, error);
        return reader != nullptr;
      });
    });
    if (reader != nullptr) {
      std::size_t lines = 0;
      std::size_t length = 0;
      attempt.memory.in([&] {
        while (sluice_next_line(reader, &length) != nullptr) ++lines;
        return true;
      });
      const bool is_ok = attempt.succeeds([&] {
        return status_of([&](sluice_error* error) { return sluice_reader_close(reader, error); });
      });
      if (is_ok) {
        EXPECT_GT(lines, 1000u);
      }
    }
    sluice_reader_free(reader);
    sluice_bytes_free(bytes);
  });
}

TEST_F(CFailures, WithoutMemoryTheMessageHasTheNumberOfTheCode) {
  ScarceMemory memory(1, ScarceMemory::Lasting::for_ever);
  const std::string path = directory_.file(std::string(200, 'x'));
  sluice_reader* reader = nullptr;
  memory.in([&] {
    reader = sluice_reader_open(path.c_str(), nullptr, &error_);
    return true;
  });
  EXPECT_EQ(reader, nullptr);
  EXPECT_EQ(error_.code, ENOMEM);
  EXPECT_TRUE(std::string(error_.message).ends_with(": error 12")) << error_.message;
}

TEST_F(CFailures, AForkedChildWritesNothing) {
  sluice_writer* const writer = sluice_writer_open(path_.c_str(), nullptr, &error_);
  EXPECT_TRUE(sluice_write(writer, "parent", 6));
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_refused = !sluice_writer_close(writer, &error_) && error_.code == ECANCELED;
    sluice_writer_free(writer);
    ::_exit(is_refused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(sluice_writer_close(writer, &error_));
  sluice_writer_free(writer);
  EXPECT_EQ(contents_of(path_), "parent");
}

TEST_F(CFailures, ThreadsWriteThroughHandlesOfTheirOwn) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([this, number] {
      sluice_error error{};
      const std::string path = directory_.file("thread " + std::to_string(number));
      sluice_writer* const writer = sluice_writer_open(path.c_str(), nullptr, &error);
      for (int i = 0; i < 100'000; ++i) sluice_write(writer, "ten bytes.", 10);
      EXPECT_TRUE(sluice_writer_close(writer, &error)) << error.message;
      sluice_writer_free(writer);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int number = 0; number < 4; ++number) {
    EXPECT_EQ(contents_of(directory_.file("thread " + std::to_string(number))).size(), 1'000'000u);
  }
}

TEST_F(CFailures, ThreadsAppendToOneJournal) {
  sluice_journal_options options = SLUICE_JOURNAL_OPTIONS_INIT;
  options.framing = SLUICE_RAW;
  sluice_journal* const journal = sluice_journal_open(path_.c_str(), &options, nullptr, &error_);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([journal] {
      sluice_error error{};
      for (int i = 0; i < 50; ++i) {
        std::uint64_t ticket = 0;
        EXPECT_TRUE(sluice_journal_append(journal, "0123456789", 10, &ticket, &error) &&
                    sluice_journal_commit(journal, ticket, &error));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(sluice_journal_close(journal, &error_));
  sluice_journal_free(journal);
  EXPECT_EQ(contents_of(path_).size(), 2000u);
}

}  // namespace
}  // namespace sluice::testing
