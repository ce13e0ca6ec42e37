// Write-behind: order, back-pressure, and the limits of the engine's thread.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/writing_threads.h"
#include "os/process.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/gate.h"
#include "testing/process_facts.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"
#include "testing/stopped_clock.h"
#include "testing/writer_model.h"

namespace sluice::testing {
namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t blocks_in_flight = 3;

Status open_behind(Writer& writer, const std::shared_ptr<Recording>& recording) {
  return writer.open(std::make_unique<RecordingSink>(recording),
                     {.write_behind = WriteBehind::on,
                      .block_bytes = block_bytes,
                      .blocks_in_flight = blocks_in_flight});
}

void put_bytes(Writer& writer, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) writer.put('x');
}

std::set<pid_t> writing_threads(const Recording& recording) {
  std::set<pid_t> found;
  for (const SinkCall& call : recording.writes()) found.insert(call.thread);
  return found;
}

// The engine's thread, which writes for all Writers.
pid_t engine_thread() {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  EXPECT_TRUE(open_behind(writer, recording).ok());
  put_bytes(writer, 2 * block_bytes);
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_NE(recording->writes().at(0).thread, this_thread());
  return recording->writes().at(0).thread;
}

TEST(WriteBehind, WritesFullBlocksInAnotherThreadInOrder) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(open_behind(writer, recording).ok());
  WriterModel model(writer);
  model.put_many(100 * block_bytes);
  const Status closed = writer.close();
  model.expect_honest(closed, recording->bytes());
  EXPECT_FALSE(recording->out_of_turn());
  EXPECT_NE(recording->writes().at(0).thread, this_thread());
}

TEST(WriteBehind, UsesAnIdleThreadAgainForAnotherWriter) {
  std::set<pid_t> seen;
  for (int i = 0; i < 10; ++i) seen.insert(engine_thread());
  EXPECT_EQ(seen.size(), 1u);
}

TEST(WriteBehind, StaysInTheWritersThreadIfTheSinkOrTheUserForbidsIt) {
  for (const bool user_forbids : {true, false}) {
    const auto recording = std::make_shared<Recording>();
    recording->allows_write_behind = user_forbids;
    Writer writer;
    ASSERT_TRUE(writer
                    .open(std::make_unique<RecordingSink>(recording),
                          {.write_behind = user_forbids ? WriteBehind::off : WriteBehind::on,
                           .block_bytes = block_bytes})
                    .ok());
    put_bytes(writer, 100 * block_bytes);
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(writing_threads(*recording), std::set<pid_t>{this_thread()});
  }
}

// A person at a terminal sees each line before the program goes on.
TEST(WriteBehind, IsNotForSinksThatWantLines) {
  const auto recording = std::make_shared<Recording>();
  recording->wants_lines = true;
  Writer writer;
  ASSERT_TRUE(open_behind(writer, recording).ok());
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(writer.write("a line\nthe beginning of another"));
    const MutableBytesView room = writer.reserve(block_bytes);
    ASSERT_EQ(room.size(), block_bytes);
    std::fill(room.begin(), room.end(), std::byte{'b'});
    writer.commit(block_bytes);
  }
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(writing_threads(*recording), std::set<pid_t>{this_thread()});
  EXPECT_FALSE(recording->out_of_turn());
}

TEST(WriteBehind, IsNeverStartedForASmallFile) {
  const ScratchDirectory directory;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  for (int i = 0; i < 100; ++i) {
    Writer writer;
    ASSERT_TRUE(writer.open(directory.file("out")).ok());
    put_bytes(writer, 100'000);
    EXPECT_TRUE(writer.close().ok());
  }
  EXPECT_EQ(calls.count(Call::start_thread), 0u);
  for (const CallRecord& record : calls.records()) EXPECT_EQ(record.thread, this_thread());
}

// ---- write-behind by itself ----

// A Sink whose writes cost time only in the Writer's thread. In other threads they are hidden.
class HiddenWhenBehind final : public Sink {
 public:
  HiddenWhenBehind(StoppedClock& clock, std::vector<pid_t>& writes)
      : clock_(clock), writes_(writes) {}
  Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
    written = 0;
    for (const BytesView piece : pieces) written += piece.size();
    if (this_thread() == writer_) clock_.advance(std::chrono::microseconds(100));
    writes_.push_back(this_thread());
    return {};
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  bool allows_write_behind() override { return true; }
  const std::string& path() const override { return path_; }

 private:
  StoppedClock& clock_;
  std::vector<pid_t>& writes_;
  const pid_t writer_ = this_thread();
  const std::string path_ = "(hidden when behind)";
};

// The threads that wrote `blocks` blocks. Each block takes as long to fill as to write.
std::vector<pid_t> threads_of_blocks(StoppedClock& clock, int blocks) {
  std::vector<pid_t> writes;
  Writer writer;
  const WriterOptions options{.block_bytes = 64 * 1024};
  EXPECT_TRUE(writer.open(std::make_unique<HiddenWhenBehind>(clock, writes), options).ok());
  for (int i = 0; i < blocks; ++i) {
    put_bytes(writer, options.block_bytes);
    clock.advance(std::chrono::microseconds(100));
  }
  EXPECT_TRUE(writer.close().ok());
  return writes;
}

TEST(WriteBehind, StartsByItselfIfItIsFaster) {
  if (os::processors() < 2) GTEST_SKIP() << "this machine has one processor";
  StoppedClock clock;
  const os::ScopedSystemCalls in_place(clock);
  const std::vector<pid_t> writes = threads_of_blocks(clock, 200);
  EXPECT_EQ(writes.at(0), this_thread());
  EXPECT_EQ(writes.size(), 200u);
  EXPECT_GE(std::count_if(writes.begin(), writes.end(),
                          [](pid_t thread) { return thread != this_thread(); }),
            140);
}

// A block that is compressed costs more than its way to another processor.
TEST(WriteBehind, BeginsWithTheFirstBlockOfASinkThatIsComputeBound) {
  if (os::processors() < 2) GTEST_SKIP() << "this machine has one processor";
  for (const bool is_compute_bound : {true, false}) {
    StoppedClock clock;
    const os::ScopedSystemCalls in_place(clock);
    const auto recording = std::make_shared<Recording>();
    recording->is_compute_bound = is_compute_bound;
    Writer writer;
    const WriterOptions options{.block_bytes = 64 * 1024};
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording), options).ok());
    put_bytes(writer, 2 * options.block_bytes);
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(recording->writes().at(0).thread != this_thread(), is_compute_bound);
  }
}

TEST(WriteBehind, IsLeftAloneWhileOtherThreadsKeepTheProcessorsBusy) {
  StoppedClock clock;
  const os::ScopedSystemCalls in_place(clock);
  for (std::size_t i = 0; i < os::processors(); ++i) {
    std::thread([&clock] { note_full_block(clock.now()); }).join();
  }
  // These 60 blocks take 12 ms. The threads count as busy in this time.
  const std::vector<pid_t> writes = threads_of_blocks(clock, 60);
  EXPECT_EQ(std::set<pid_t>(writes.begin(), writes.end()), std::set<pid_t>{this_thread()});
}

// ---- back-pressure ----

TEST(WriteBehind, LetsTheProgramGoOnUntilAllBlocksAreInFlight) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ClosedGate gate(recording->gate);
  ASSERT_TRUE(open_behind(writer, recording).ok());
  // All these bytes are accepted though the Sink takes none. A Writer that waited would hang here.
  put_bytes(writer, block_bytes * (blocks_in_flight + 1));
  EXPECT_EQ(writer.position(), block_bytes * (blocks_in_flight + 1));
  recording->gate.wait_for_arrivals(1);
  EXPECT_EQ(recording->byte_count(), 0u);
  gate.open();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(recording->byte_count(), block_bytes * (blocks_in_flight + 1));
}

TEST(WriteBehind, MakesTheProgramWaitOnceAllBlocksAreInFlight) {
  const auto recording = std::make_shared<Recording>();
  recording->gate.close();
  std::atomic<pid_t> program{0};
  std::atomic<std::size_t> accepted{0};
  constexpr std::size_t all = block_bytes * 1'000;
  std::thread writing([&] {
    program = this_thread();
    Writer writer;
    EXPECT_TRUE(open_behind(writer, recording).ok());
    for (std::size_t i = 0; i < all; ++i, ++accepted) EXPECT_TRUE(writer.put('x'));
    EXPECT_TRUE(writer.close().ok());
  });
  recording->gate.wait_for_arrivals(1);
  // The engine waits at the gate. Once the program sleeps too, nothing moves until the gate opens.
  EXPECT_TRUE(wait_until_asleep(program));
  EXPECT_LE(accepted, block_bytes * (blocks_in_flight + 1));
  EXPECT_GE(accepted, block_bytes * blocks_in_flight);
  recording->gate.open();
  writing.join();
  EXPECT_EQ(recording->byte_count(), all);
}

TEST(WriteBehind, WaitsForTheBlocksInFlightAtFlushAndClose) {
  for (const bool by_close : {true, false}) {
    const auto recording = std::make_shared<Recording>();
    recording->gate.close();
    std::atomic<pid_t> program{0};
    std::atomic<bool> returned{false};
    std::thread writing([&] {
      program = this_thread();
      Writer writer;
      EXPECT_TRUE(open_behind(writer, recording).ok());
      put_bytes(writer, block_bytes * 2 + 1);
      EXPECT_TRUE((by_close ? writer.close() : writer.flush()).ok());
      returned = true;
      EXPECT_EQ(recording->byte_count(), block_bytes * 2 + 1);
    });
    recording->gate.wait_for_arrivals(1);
    EXPECT_TRUE(wait_until_asleep(program));
    EXPECT_FALSE(returned);
    recording->gate.open();
    writing.join();
  }
}

TEST(WriteBehind, DropsBlocksInFlightAfterAFailure) {
  const auto recording = std::make_shared<Recording>();
  recording->fail_at = block_bytes / 2;
  recording->fail_writes = 1;  // the Sink would take a later block, but must not get one
  Writer writer;
  ClosedGate gate(recording->gate);
  ASSERT_TRUE(open_behind(writer, recording).ok());
  put_bytes(writer, block_bytes * (blocks_in_flight + 1));
  EXPECT_TRUE(writer.status().ok()) << "no failure is known yet";
  gate.open();
  EXPECT_EQ(writer.close().offset(), block_bytes / 2);
  EXPECT_EQ(recording->byte_count(), block_bytes / 2);
  EXPECT_EQ(recording->writes().size(), 1u);
  EXPECT_EQ(recording->closes(), 1u);
}

TEST(WriteBehind, KeepsADestroyedWritersSinkUntilItsBlocksAreWritten) {
  const auto recording = std::make_shared<Recording>();
  recording->keep_bytes = false;
  for (int i = 0; i < 1'000; ++i) {
    Writer writer;
    ASSERT_TRUE(open_behind(writer, recording).ok());
    put_bytes(writer, 3 * block_bytes + 1);
  }
  EXPECT_EQ(recording->byte_count(), 1'000u * (3 * block_bytes + 1));
}

// ---- the engine's thread ----

TEST(WriteBehind, ServesWritersOfManyThreads) {
  constexpr int thread_count = 8;
  const ScratchDirectory directory;
  std::vector<std::thread> writing;
  for (int i = 0; i < thread_count; ++i) {
    writing.emplace_back([&directory, i] {
      const std::string path = directory.file(std::to_string(i));
      for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937_64 random(seed * 100 + static_cast<unsigned>(i));
        Writer writer;
        const WriterOptions options{.write_behind = WriteBehind::on,
                                    .block_bytes = 1 + random() % 300,
                                    .blocks_in_flight = 1 + random() % 4};
        ASSERT_TRUE(writer.open(path, options).ok());
        WriterModel model(writer);
        for (int j = 0; j < 30; ++j) model.random_operation(random, options.block_bytes);
        const Status closed = writer.close();
        EXPECT_TRUE(closed.ok()) << closed.message();
        model.expect_honest(closed, contents_of(path));
      }
    });
  }
  for (std::thread& thread : writing) thread.join();
}

TEST(WriteBehind, HasASecondThreadForAnotherWriterWhileTheFirstOneWaits) {
  const auto stalled = std::make_shared<Recording>();
  Writer first;
  ClosedGate gate(stalled->gate);
  ASSERT_TRUE(open_behind(first, stalled).ok());
  put_bytes(first, 2 * block_bytes);
  stalled->gate.wait_for_arrivals(1);
  const pid_t second_thread = engine_thread();
  gate.open();
  EXPECT_TRUE(first.close().ok());
  EXPECT_NE(stalled->writes().at(0).thread, second_thread);
}

// A block that is compressed keeps its thread for long.
TEST(WriteBehind, HasAThreadForAPlainFileWhileTwoCompressedOnesAreWritten) {
  const auto slow = std::make_shared<Recording>();
  slow->is_compute_bound = true;
  Writer writers[2];
  ClosedGate gate(slow->gate);
  for (Writer& writer : writers) {
    ASSERT_TRUE(open_behind(writer, slow).ok());
    put_bytes(writer, 2 * block_bytes);
  }
  slow->gate.wait_for_arrivals(2);
  const pid_t thread_for_others = engine_thread();
  gate.open();
  for (Writer& writer : writers) EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(writing_threads(*slow).count(thread_for_others), 0u);
}

TEST(WriteBehind, LetsAWriterWanderBetweenThreads) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(open_behind(writer, recording).ok());
  WriterModel model(writer);
  for (int i = 0; i < 20; ++i) {
    std::thread([&] { model.put_many(5 * block_bytes + 3); }).join();
    model.put_many(3 * block_bytes);
  }
  const Status closed = writer.close();
  model.expect_honest(closed, recording->bytes());
  EXPECT_TRUE(closed.ok());
}

TEST(WriteBehind, BlocksEverySignalInTheEngineButThoseOfItsOwnFaults) {
  const std::string mask = thread_status_field(engine_thread(), "SigBlk");
  const std::uint64_t blocked = std::stoull(mask, nullptr, 16);
  const std::set<int> faults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
  // glibc keeps 32 and 33 for itself; SIGKILL and SIGSTOP cannot be blocked.
  for (int number = 1; number <= 64; ++number) {
    if (number == SIGKILL || number == SIGSTOP || number == 32 || number == 33) continue;
    EXPECT_EQ((blocked >> (number - 1) & 1) != 0, !faults.contains(number))
        << "signal " << number << " of mask " << mask;
  }
}

// A Sink that passes all bytes on through its own Writer.
class PassingSink final : public Sink {
 public:
  explicit PassingSink(std::shared_ptr<Recording> recording) {
    EXPECT_TRUE(open_behind(inner_, recording).ok());
    put_bytes(inner_, 3 * block_bytes);  // some blocks may be in flight already
  }
  Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
    written = 0;
    for (const BytesView piece : pieces) {
      for (const std::byte byte : piece) inner_.put(byte);
      written += piece.size();
    }
    return inner_.flush();
  }
  Status sync() override { return inner_.flush(FlushTo::storage); }
  Status close() override { return inner_.close(); }
  bool allows_write_behind() override { return true; }
  const std::string& path() const override { return path_; }

 private:
  Writer inner_;
  std::string path_ = "(passing)";
};

// Notes where in memory its bytes lie. The test reads the notes when all writes have returned.
class NotingPlaces final : public Sink {
 public:
  explicit NotingPlaces(std::set<const std::byte*>& places) : places_(places) {}
  Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
    written = 0;
    for (const BytesView piece : pieces) {
      if (!piece.empty()) places_.insert(piece.data());
      written += piece.size();
    }
    return {};
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  bool allows_write_behind() override { return true; }
  const std::string& path() const override { return path_; }

 private:
  std::set<const std::byte*>& places_;
  const std::string path_ = "(places)";
};

TEST(WriteBehind, UsesTwoBlocksIfTheSinkKeepsPace) {
  std::set<const std::byte*> places;
  Writer writer;
  ASSERT_TRUE(writer
                  .open(std::make_unique<NotingPlaces>(places),
                        {.write_behind = WriteBehind::on, .block_bytes = 4096})
                  .ok());
  for (int i = 0; i < 20; ++i) {
    put_bytes(writer, 4096 + 1);  // one block is handed over, and the flush waits for it
    ASSERT_TRUE(writer.flush().ok());
  }
  EXPECT_EQ(places.size(), 2u);
  EXPECT_TRUE(writer.close().ok());
}

TEST(WriteBehind, ASinkMayWriteThroughAWriterOfItsOwn) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(writer
                  .open(std::make_unique<PassingSink>(recording),
                        {.write_behind = WriteBehind::on, .block_bytes = 16 * block_bytes})
                  .ok());
  put_bytes(writer, 1000 * block_bytes);
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
  EXPECT_EQ(recording->byte_count(), 1003 * block_bytes);
  EXPECT_FALSE(recording->out_of_turn());
}

TEST(WriteBehind, LeavesTheProgramsOwnSignalMaskAlone) {
  sigset_t before;
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &before), 0);
  engine_thread();
  sigset_t after;
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &after), 0);
  for (int number = 1; number < 65; ++number) {
    EXPECT_EQ(::sigismember(&before, number), ::sigismember(&after, number)) << number;
  }
}

volatile sig_atomic_t handling_thread = 0;

TEST(WriteBehind, LeavesSignalsToTheProgram) {
  const pid_t engine = engine_thread();
  struct sigaction note {};
  struct sigaction before {};
  note.sa_handler = [](int) { handling_thread = this_thread(); };
  ASSERT_EQ(::sigaction(SIGUSR1, &note, &before), 0);
  sigset_t user;
  ::sigemptyset(&user);
  ::sigaddset(&user, SIGUSR1);
  // This thread blocks the signal, so the kernel looks for another thread that does not block it.
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &user, nullptr), 0);
  ASSERT_EQ(::kill(::getpid(), SIGUSR1), 0);
  EXPECT_TRUE(wait_until_asleep(engine));
  EXPECT_EQ(handling_thread, 0);
  ASSERT_EQ(::pthread_sigmask(SIG_UNBLOCK, &user, nullptr), 0);
  EXPECT_EQ(handling_thread, this_thread());
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

TEST(WriteBehind, CostsNothingWhileIdle) {
  const pid_t engine = engine_thread();
  ASSERT_TRUE(wait_until_asleep(engine));
  const std::uint64_t switches = context_switches(engine);
  const std::uint64_t ticks = processor_ticks(engine);
  ::usleep(300'000);  // a thread that polls every 100 ms would be noticed
  EXPECT_EQ(context_switches(engine), switches);
  EXPECT_EQ(processor_ticks(engine), ticks);
}

}  // namespace
}  // namespace sluice::testing
