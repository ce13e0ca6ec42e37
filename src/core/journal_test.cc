// The promises of a Journal without failures: order, records in one piece, one owner, bounded
// memory.
#include "sluice/journal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/gate.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

using Ticket = Journal::Ticket;

constexpr JournalOptions raw{.framing = Framing::raw};

class JournalTest : public ::testing::Test {
 protected:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
};

TEST_F(JournalTest, AppendsBehindTheExistingRecords) {
  make_file(path_, "before,");
  Recovered recovered;
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw, &recovered).ok()) << journal.status().message();
  EXPECT_EQ(recovered.whole_bytes, 7u);
  EXPECT_EQ(recovered.torn_bytes, 0u);
  Ticket first = 0;
  Ticket second = 0;
  EXPECT_TRUE(journal.append("one,", first).ok());
  EXPECT_TRUE(journal.append("two", second).ok());
  EXPECT_EQ(first, 11u);
  EXPECT_EQ(second, 14u);
  EXPECT_TRUE(journal.commit(first).ok());
  EXPECT_EQ(contents_of(path_), "before,one,two") << "a round takes all appended records";
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(contents_of(path_), "before,one,two");
}

TEST_F(JournalTest, KeepsRecordsThatWereAppendedUntilItHadTheLock) {
  class LastWordOfAnother final : public os::SystemCalls {
   public:
    explicit LastWordOfAnother(std::string path) : path_(std::move(path)) {}
    os::CallResult lock(int descriptor) override {
      make_file(path_, "before, and meanwhile,");
      return SystemCalls::lock(descriptor);
    }

   private:
    const std::string path_;
  };
  make_file(path_, "before,");
  LastWordOfAnother calls(path_);
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  Ticket ticket = 0;
  EXPECT_TRUE(journal.append("one", ticket).ok());
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(contents_of(path_), "before, and meanwhile,one");
}

TEST_F(JournalTest, ClosesWithEverythingAppended) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  Ticket ticket = 0;
  EXPECT_TRUE(journal.append("never committed", ticket).ok());
  EXPECT_TRUE(journal.append("", ticket).ok()) << "a record without bytes";
  EXPECT_EQ(ticket, 15u);
  EXPECT_TRUE(journal.is_open());
  EXPECT_TRUE(journal.close().ok());
  EXPECT_TRUE(journal.close().ok());
  EXPECT_FALSE(journal.is_open());
  EXPECT_EQ(contents_of(path_), "never committed");
}

TEST_F(JournalTest, RefusesCallsWhenItIsNotOpenAndASecondOpen) {
  Journal journal;
  Ticket ticket = 7;
  EXPECT_EQ(journal.append("x", ticket).code().value(), EBADF);
  EXPECT_EQ(journal.commit(0).code().value(), EBADF);
  EXPECT_EQ(journal.status().message(), "write (nothing): the Journal is not open");
  EXPECT_EQ(journal.durable_up_to(ticket).code().value(), EBADF);
  EXPECT_EQ(journal.close().code().value(), EBADF);
  ASSERT_TRUE(journal.open(path_, raw).ok());
  EXPECT_EQ(journal.open(path_, raw).code().value(), EBUSY);
  EXPECT_TRUE(journal.status().ok()) << "and goes on";
  EXPECT_TRUE(journal.close().ok());
  EXPECT_TRUE(journal.status().ok()) << "nothing has failed";
  EXPECT_EQ(journal.append("x", ticket).message(), "write " + path_ + ": the Journal is closed");
  EXPECT_EQ(journal.commit(0).code().value(), EBADF);
  EXPECT_TRUE(journal.close().ok()) << "a second close() returns the first result";
  ASSERT_TRUE(journal.open(path_, raw).ok()) << "it may be opened again";
  EXPECT_TRUE(journal.append("x", ticket).ok());
}

TEST_F(JournalTest, RefusesATicketThatWasNeverGiven) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  EXPECT_TRUE(journal.commit(0).ok());
  EXPECT_EQ(journal.commit(1).code().value(), EINVAL);
  Ticket ticket = 0;
  EXPECT_TRUE(journal.append("x", ticket).ok()) << "and goes on";
  EXPECT_TRUE(journal.commit(ticket).ok());
}

TEST_F(JournalTest, RefusesImpossibleOptions) {
  const auto refusal = [this](const JournalOptions& options) {
    Journal journal;
    const Status status = journal.open(path_, options);
    EXPECT_EQ(status.code().value(), EINVAL);
    EXPECT_FALSE(file_exists(path_));
    return status.message();
  };
  EXPECT_NE(refusal({.framing = Framing::raw, .buffer_bytes = 0}).find("buffer_bytes"),
            std::string::npos);
  EXPECT_NE(refusal({.framing = Framing::raw, .buffer_bytes = SIZE_MAX}).find("buffer_bytes"),
            std::string::npos);
  EXPECT_NE(refusal({.framing = static_cast<Framing>(2)}).find("framing"), std::string::npos);
  EXPECT_NE(refusal({.framing = Framing::raw, .permissions = 010000}).find("permissions"),
            std::string::npos);
}

TEST_F(JournalTest, CreatesAFileWithTheGivenPermissions) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.framing = Framing::raw, .permissions = 0600}).ok());
  struct stat facts {};
  ASSERT_EQ(::stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777u, 0600u);
}

TEST_F(JournalTest, RefusesAFileThatIsNotRegular) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  for (const std::string& path : {path_, std::string("/dev/null"), std::string("/dev/full")}) {
    Journal journal;
    EXPECT_EQ(journal.open(path, raw).message(),
              "open " + path + ": a Journal needs a regular file");
    EXPECT_EQ(journal.status().code().value(), EINVAL);
  }
  Journal journal;
  EXPECT_EQ(journal.open(directory_.path(), raw).code().value(), EISDIR);
}

// ---- one owner ----

TEST_F(JournalTest, IsOpenedOnceAtATime) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  Ticket ticket = 0;
  EXPECT_TRUE(journal.append("bytes", ticket).ok());
  EXPECT_TRUE(journal.commit(ticket).ok());
  const std::string expected =
      "open " + path_ + ": another Journal has the file open, in this process or another one";
  Journal second;
  EXPECT_EQ(second.open(path_, raw).message(), expected);
  EXPECT_EQ(second.status().code().value(), EBUSY);
  const int code = exit_code_of_child([&] {
    Journal other;
    ::_exit(other.open(path_, raw).message() == expected ? 0 : 1);
  });
  EXPECT_EQ(code, 0) << "in another process";
  EXPECT_EQ(contents_of(path_), "bytes");
  EXPECT_TRUE(journal.close().ok());
  EXPECT_TRUE(second.open(path_, raw).ok()) << second.status().message();
}

// Renames the file away before it is locked, `times` times.
class Rotating final : public os::SystemCalls {
 public:
  Rotating(std::string path, int times) : path_(std::move(path)), times_(times) {}
  os::CallResult lock(int descriptor) override {
    if (times_-- > 0) std::filesystem::rename(path_, path_ + ".old");
    return SystemCalls::lock(descriptor);
  }

 private:
  const std::string path_;
  int times_;
};

TEST_F(JournalTest, LocksTheFileThatHasTheNameNow) {
  Rotating calls(path_, 2);
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok()) << journal.status().message();
  Ticket ticket = 0;
  EXPECT_TRUE(journal.append("here", ticket).ok());
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(contents_of(path_), "here");
}

TEST_F(JournalTest, GivesUpIfTheNameNeverStandsForTheLockedFile) {
  Rotating calls(path_, 1'000'000);
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  EXPECT_EQ(journal.open(path_, raw).code().value(), ESTALE);
}

TEST_F(JournalTest, ReleasesItsLockThoughAChildLives) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    for (;;) ::pause();
  }
  EXPECT_TRUE(journal.close().ok());
  EXPECT_TRUE(journal.open(path_, raw).ok()) << journal.status().message();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(JournalTest, BelongsToTheProcessThatOpenedIt) {
  auto journal = std::make_unique<Journal>();
  ASSERT_TRUE(journal->open(path_, raw).ok());
  Ticket ticket = 0;
  EXPECT_TRUE(journal->append("parent,", ticket).ok());
  const int code = exit_code_of_child([&] {
    LostErrors lost;
    Ticket own = 0;
    if (journal->append("child", own).code().value() != ECANCELED) ::_exit(1);
    if (journal->commit(ticket).code().value() != ECANCELED) ::_exit(2);
    if (journal->durable_up_to(own).code().value() != ECANCELED) ::_exit(3);
    if (journal->status().code().value() != ECANCELED) ::_exit(4);
    if (journal->close().code().value() != ECANCELED) ::_exit(5);
    journal.reset();
    if (!lost.take().empty()) ::_exit(6);
    if (!contents_of(path_).empty()) ::_exit(7);
    Journal second;
    if (second.open(path_, raw).code().value() != EBUSY) ::_exit(8);
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(journal->append("parent", ticket).ok());
  EXPECT_TRUE(journal->commit(ticket).ok());
  EXPECT_EQ(contents_of(path_), "parent,parent");
}

// Threads that wait in the parent do not exist in the child. The child must not wait for them.
TEST_F(JournalTest, LetsAChildGoWhileThreadsOfTheParentWait) {
  class HeldSync final : public os::SystemCalls {
   public:
    os::CallResult fdatasync(int descriptor) override {
      gate.pass();
      return SystemCalls::fdatasync(descriptor);
    }
    Gate gate;
  };
  HeldSync calls;
  const os::ScopedSystemCalls in_place(calls);
  auto journal = std::make_unique<Journal>();
  ASSERT_TRUE(journal->open(path_, raw).ok());
  calls.gate.close();
  std::array<std::atomic<pid_t>, 3> waiting{};
  std::vector<std::thread> threads;
  const auto commit_one = [&](std::atomic<pid_t>& thread) {
    thread = this_thread();
    Ticket ticket = 0;
    EXPECT_TRUE(journal->append("x", ticket).ok());
    EXPECT_TRUE(journal->commit(ticket).ok());
  };
  for (std::atomic<pid_t>& thread :
       waiting) {  // in a sync, as the next leader, and for the next sync
    threads.emplace_back(commit_one, std::ref(thread));
    while (thread == 0) std::this_thread::yield();
    EXPECT_TRUE(wait_until_asleep(thread));
  }
  const int code = exit_code_of_child([&] { journal.reset(); });
  EXPECT_EQ(code, 0);
  calls.gate.open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(journal->close().ok());
  EXPECT_EQ(contents_of(path_), "xxx");
}

TEST_F(JournalTest, ClosesItselfWhenDestroyed) {
  LostErrors lost;
  Ticket ticket = 0;
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path_, raw).ok());
    EXPECT_TRUE(journal.append("bytes", ticket).ok());
  }
  EXPECT_EQ(contents_of(path_), "bytes");
  EXPECT_EQ(lost.take_messages(), std::vector<std::string>());
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path_, raw).ok());
    EXPECT_TRUE(journal.append("more", ticket).ok());
    calls.fail(Call::fdatasync, 1, EIO);
  }
  EXPECT_EQ(lost.take_messages(),
            std::vector<std::string>{"sync " + path_ + " at byte 5: Input/output error"});
}

// ---- many threads ----

constexpr std::size_t thread_count = 64;

// The record `number` of `thread`. No other record has its length and bytes.
std::string record_of(std::size_t thread, std::size_t number) {
  const std::size_t id = thread * 1000 + number;
  return std::to_string(id) + ":" + pattern(id * 1000, id * 7919 % 300) + ";";
}

struct Appended {
  Ticket ticket;
  std::string record;
};

void append_and_commit(Journal& journal, std::size_t thread, std::size_t count,
                       std::vector<Appended>& appended) {
  for (std::size_t number = 0; number < count; ++number) {
    Appended one{0, record_of(thread, number)};
    ASSERT_TRUE(journal.append(one.record, one.ticket).ok());
    if (!appended.empty()) {
      EXPECT_GT(one.ticket, appended.back().ticket);
    }
    if (number % 3 == 0) {
      EXPECT_TRUE(journal.commit(one.ticket).ok());
    }
    if (number % 5 == 0) {
      Ticket durable = 0;
      EXPECT_TRUE(journal.durable_up_to(durable).ok());
      if (number % 15 == 0) {
        EXPECT_GE(durable, one.ticket) << "it was committed";
      }
    }
    appended.push_back(std::move(one));
  }
}

TEST_F(JournalTest, KeepsEachRecordOfManyThreadsInOnePieceWhereItsTicketSays) {
  for (const std::size_t buffer_bytes :
       {7u, 1000u, 1u << 20}) {  // some records are longer than the buffer
    SCOPED_TRACE(buffer_bytes);
    const std::size_t count = buffer_bytes < 100 ? 10 : 60;
    std::filesystem::remove(path_);
    Journal journal;
    ASSERT_TRUE(journal.open(path_, {.framing = Framing::raw, .buffer_bytes = buffer_bytes}).ok());
    std::vector<std::vector<Appended>> appended(thread_count);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) {
      threads.emplace_back([&, i] { append_and_commit(journal, i, count, appended[i]); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(journal.close().ok());
    const std::string contents = contents_of(path_);
    std::size_t bytes = 0;
    for (const std::vector<Appended>& of_thread : appended) {
      for (const Appended& one : of_thread) {
        bytes += one.record.size();
        ASSERT_GE(one.ticket, one.record.size());
        EXPECT_EQ(contents.substr(one.ticket - one.record.size(), one.record.size()), one.record);
      }
    }
    EXPECT_EQ(contents.size(), bytes) << "nothing but the records";
  }
}

// ---- asking instead of waiting ----

TEST_F(JournalTest, BecomesDurableWithoutACommitAfterARequest) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  Ticket ticket = 0;
  Ticket durable = 1;
  EXPECT_TRUE(journal.durable_up_to(durable).ok());
  EXPECT_EQ(durable, 0u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(journal.append("bytes", ticket).ok());
    do {
      ASSERT_TRUE(journal.durable_up_to(durable).ok());
    } while (durable < ticket);
    EXPECT_EQ(durable, ticket);
    EXPECT_EQ(contents_of(path_).size(), ticket);
  }
}

TEST_F(JournalTest, StartsAThreadOnlyForARequestWithWork) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  Ticket ticket = 0;
  Ticket durable = 0;
  EXPECT_TRUE(journal.append("bytes", ticket).ok());
  EXPECT_TRUE(journal.commit(ticket).ok());
  EXPECT_TRUE(journal.durable_up_to(durable).ok());
  EXPECT_EQ(durable, ticket);
  EXPECT_EQ(calls.count(Call::start_thread), 0u) << "nothing was left to do";
  EXPECT_TRUE(journal.append("bytes", ticket).ok());
  EXPECT_TRUE(journal.durable_up_to(durable).ok());
  EXPECT_EQ(calls.count(Call::start_thread), 1u);
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(calls.count(Call::join_thread), 1u);
}

TEST_F(JournalTest, DoesTheWorkItselfIfNoThreadCanBeStarted) {
  FaultySystemCalls calls;
  calls.fail(Call::start_thread, 1, EAGAIN, Repeat::for_ever);
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  Ticket ticket = 0;
  Ticket durable = 0;
  EXPECT_TRUE(journal.append("bytes", ticket).ok());
  EXPECT_TRUE(journal.durable_up_to(durable).ok());
  EXPECT_EQ(durable, ticket);
}

// ---- limits ----

TEST_F(JournalTest, HoldsNoMoreThanTwoBuffersInMemory) {
  class HeldWrite final : public os::SystemCalls {
   public:
    os::CallResult pwritev(int descriptor, const iovec* pieces, int count,
                           std::uint64_t position) override {
      gate.pass();
      return SystemCalls::pwritev(descriptor, pieces, count, position);
    }
    Gate gate;
  };
  HeldWrite calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.framing = Framing::raw, .buffer_bytes = 1000}).ok());
  calls.gate.close();
  std::atomic<std::size_t> accepted{0};
  std::array<std::atomic<pid_t>, 3> appending{};
  std::vector<std::thread> threads;
  for (std::atomic<pid_t>& thread : appending) {
    threads.emplace_back([&] {
      thread = this_thread();
      Ticket ticket = 0;
      for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(journal.append(std::string(100, 'x'), ticket).ok());
        accepted += 100;
      }
    });
  }
  for (const std::atomic<pid_t>& thread : appending) {
    while (thread == 0) std::this_thread::yield();
    EXPECT_TRUE(wait_until_asleep(thread));
  }
  EXPECT_EQ(accepted, 2000u) << "one buffer that is being written, and one that is full";
  calls.gate.open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(contents_of(path_), std::string(30'000, 'x'));
}

TEST_F(JournalTest, NeverSyncsAfterAppendsAlone) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.framing = Framing::raw, .buffer_bytes = 100}).ok());
  calls.forget_records();
  Ticket ticket = 0;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(journal.append("some bytes", ticket).ok());
  EXPECT_EQ(calls.count(Call::fdatasync), 0u);
  EXPECT_EQ(calls.count(Call::pwritev), 9u) << "full buffers";
  EXPECT_TRUE(journal.commit(ticket).ok());
  EXPECT_EQ(calls.count(Call::fdatasync), 1u);
}

TEST_F(JournalTest, AppendsBeyondFourGibibytes) {
  constexpr std::uint64_t far = (std::uint64_t{5} << 30) + 3;
  make_file(path_, "");
  std::filesystem::resize_file(path_, far);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, raw).ok());
  Ticket ticket = 0;
  EXPECT_TRUE(journal.append("bytes", ticket).ok());
  EXPECT_EQ(ticket, far + 5);
  EXPECT_TRUE(journal.commit(ticket).ok());
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(std::filesystem::file_size(path_), far + 5);
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(far));
  std::string bytes;
  file >> bytes;
  EXPECT_EQ(bytes, "bytes");
}

// ---- a reader in another process ----

// Reads the file while it grows. Exits with 0 when it has seen the whole pattern, and with 1 at the
// first wrong byte.
[[noreturn]] void follow(const std::string& path, std::size_t bytes) {
  ::alarm(60);
  const int file = ::open(path.c_str(), O_RDONLY);
  static std::array<char, 4096> room;
  for (std::size_t at = 0; at < bytes;) {
    const ssize_t got = ::read(file, room.data(), room.size());
    if (got < 0) ::_exit(2);
    for (ssize_t i = 0; i < got; ++i, ++at) {
      if (room[static_cast<std::size_t>(i)] != pattern_at(at)) ::_exit(1);
    }
  }
  ::_exit(0);
}

TEST_F(JournalTest, CanBeFollowedByAnotherProcess) {
  constexpr std::size_t bytes = 100'000;
  make_file(path_, "");
  const pid_t child = ::fork();
  if (child == 0) follow(path_, bytes);
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.framing = Framing::raw, .buffer_bytes = 500}).ok());
  Ticket ticket = 0;
  while (ticket < bytes) {
    const std::size_t length = std::min<std::size_t>(bytes - ticket, 1 + ticket % 700);
    ASSERT_TRUE(journal.append(pattern(ticket, length), ticket).ok());
    if (ticket % 11 == 0) {
      EXPECT_TRUE(journal.commit(ticket).ok());
    }
  }
  EXPECT_TRUE(journal.commit(ticket).ok());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the reader saw a wrong byte, or never saw the last byte";
}

}  // namespace
}  // namespace sluice::testing
