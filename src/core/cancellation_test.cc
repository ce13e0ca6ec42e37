// Threads that are cancelled while they wait in the library. Each call finishes, and every byte is
// written once, at its position.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "os/system_calls.h"
#include "sluice/journal.h"
#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/gate.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// A thread that is cancelled while it runs `body`, or at the end of `body`. The thread must finish
// `body`.
class CancelledThread {
 public:
  explicit CancelledThread(std::function<void()> body) : body_(std::move(body)) {
    EXPECT_EQ(::pthread_create(&thread_, nullptr, run, this), 0);
  }
  ~CancelledThread() { EXPECT_TRUE(finished_) << "the thread was cancelled inside of the library"; }
  CancelledThread(const CancelledThread&) = delete;
  CancelledThread& operator=(const CancelledThread&) = delete;

  void cancel_asleep() {
    started_.wait_for_arrivals(1);
    EXPECT_TRUE(wait_until_asleep(id_));
    cancel();
  }
  void cancel() { ::pthread_cancel(thread_); }

  void join() {
    void* result = nullptr;
    ::pthread_join(thread_, &result);
    EXPECT_EQ(result, PTHREAD_CANCELED);
  }

 private:
  static void* run(void* thread) {
    auto& self = *static_cast<CancelledThread*>(thread);
    self.id_ = this_thread();
    self.started_.pass();
    self.body_();
    self.finished_ = true;
    for (;;) ::pthread_testcancel();
  }

  std::function<void()> body_;
  Gate started_;
  pid_t id_ = 0;
  std::atomic<bool> finished_{false};
  pthread_t thread_{};
};

// Writes and syncs pass a gate. Waiting at the gate is a cancellation point, as the real calls are.
struct GatedCalls final : os::SystemCalls {
  os::CallResult fdatasync(int descriptor) override {
    syncs.pass();
    return SystemCalls::fdatasync(descriptor);
  }
  os::CallResult pwritev(int descriptor, const iovec* pieces, int count,
                         std::uint64_t position) override {
    writes.pass();
    return SystemCalls::pwritev(descriptor, pieces, count, position);
  }

  Gate syncs;
  Gate writes;
};

class Cancellation : public ::testing::Test {
 protected:
  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  GatedCalls calls_;
  const os::ScopedSystemCalls in_place_{calls_};
};

std::string text_of(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += std::to_string(text.size()) + "\n";
  return text;
}

// Reads `bytes` bytes, or all bytes up to the end.
std::string read_from(int descriptor, std::size_t bytes) {
  std::string text(bytes, ' ');
  std::size_t done = 0;
  for (ssize_t got = 1; got > 0 && done < bytes; done += static_cast<std::size_t>(got)) {
    got = ::read(descriptor, text.data() + done, bytes - done);
    if (got < 0) break;
  }
  text.resize(done);
  return text;
}

TEST_F(Cancellation, WaitsForAWriteToAFullPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const std::string text = text_of(300'000);
  Writer writer;
  ASSERT_TRUE(writer.attach(ends[1], "a pipe", {.block_bytes = 16'384}).ok());
  bool accepted = true;
  CancelledThread thread([&] {
    for (std::size_t at = 0; at < text.size(); at += 1'000) {
      accepted &= writer.write(std::string_view(text).substr(at, 1'000));
    }
    accepted &= writer.flush().ok();
  });
  thread.cancel_asleep();
  EXPECT_TRUE(read_from(ends[0], text.size()) == text);
  thread.join();
  EXPECT_TRUE(accepted);
  EXPECT_TRUE(writer.close().ok());
  ::close(ends[1]);
  EXPECT_EQ(read_from(ends[0], 1), "") << "bytes were sent twice";
  ::close(ends[0]);
}

TEST_F(Cancellation, WaitsForAReadFromAnEmptyPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Reader reader;
  ASSERT_TRUE(reader.attach(ends[0], "a pipe").ok());
  std::string first;
  CancelledThread thread([&] {
    std::string_view line;
    if (reader.next_line(line)) first = line;
  });
  thread.cancel_asleep();
  ASSERT_EQ(::write(ends[1], "one\ntwo\n", 8), 8);
  thread.join();
  ::close(ends[1]);
  EXPECT_EQ(first, "one");
  std::string_view line;
  EXPECT_TRUE(reader.next_line(line));
  EXPECT_EQ(line, "two");
  EXPECT_TRUE(reader.close().ok());
  ::close(ends[0]);
}

TEST_F(Cancellation, WaitsForASync) {
  for (const bool is_destroyed : {false, true}) {
    calls_.syncs.close();
    std::optional<Writer> writer(std::in_place);
    ASSERT_TRUE(writer->open(path_, {.durability = Durability::on_close}).ok());
    writer->write("bytes");
    Status closed;
    CancelledThread thread([&] {
      if (!is_destroyed) closed = writer->close();
      writer.reset();
    });
    thread.cancel_asleep();
    calls_.syncs.open();
    thread.join();
    EXPECT_TRUE(closed.ok()) << closed.message();
    EXPECT_EQ(contents_of(path_), "bytes");
  }
}

TEST_F(Cancellation, WaitsForBlocksInFlight) {
  calls_.writes.close();
  const std::string text = text_of(300'000);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.write_behind = WriteBehind::on, .block_bytes = 65'536}).ok());
  bool accepted = true;
  CancelledThread thread([&] {
    for (const char byte : text) accepted &= writer.put(byte);
    accepted &= writer.flush().ok();
  });
  calls_.writes.wait_for_arrivals(1);
  thread.cancel_asleep();
  calls_.writes.open();
  thread.join();
  EXPECT_TRUE(accepted);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(contents_of(path_) == text);
}

// One thread leads the round, another waits for the round, and a third waits for room.
TEST_F(Cancellation, WaitsForARoundOfCommits) {
  Journal journal;
  ASSERT_TRUE(journal.open(path_, {.framing = Framing::raw, .buffer_bytes = 4'096}).ok());
  Journal::Ticket first = 0;
  Journal::Ticket second = 0;
  Journal::Ticket third = 0;
  ASSERT_TRUE(journal.append(std::string(3'000, 'a'), first).ok());
  ASSERT_TRUE(journal.append(std::string(1'000, 'b'), second).ok());
  Status led, waited, appended;
  calls_.syncs.close();
  const std::string large(9'000, 'c');
  {
    CancelledThread leader([&] { led = journal.commit(first); });
    calls_.syncs.wait_for_arrivals(2);  // open() has synced as well
    CancelledThread follower([&] { waited = journal.commit(second); });
    CancelledThread appender([&] { appended = journal.append(large, third); });
    for (CancelledThread* thread : {&leader, &follower, &appender}) thread->cancel_asleep();
    calls_.syncs.open();
    for (CancelledThread* thread : {&leader, &follower, &appender}) thread->join();
  }
  EXPECT_TRUE(led.ok() && waited.ok() && appended.ok());
  EXPECT_TRUE(journal.commit(third).ok()) << "the Journal goes on";
  EXPECT_TRUE(journal.close().ok());
  EXPECT_EQ(contents_of(path_), std::string(3'000, 'a') + std::string(1'000, 'b') + large);
}

}  // namespace
}  // namespace sluice::testing
