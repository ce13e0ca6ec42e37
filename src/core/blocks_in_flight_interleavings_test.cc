// BlocksInFlight and Engine in every schedule with few deviations: each block is written once, in
// order, every failure is reported, and no thread waits for ever.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "core/block.h"
#include "core/blocks_in_flight.h"
#include "core/engine.h"
#include "os/never_destroyed.h"
#include "sluice/sink.h"
#include "testing/explore.h"
#include "testing/interleaved_calls.h"

namespace sluice::testing {
namespace {

constexpr std::size_t block_bytes = 2;

// Three things make the schedule fail: two calls at once, a hole, and a call after a failed call.
class InterleavedSink final : public Sink {
 public:
  InterleavedSink(Interleaving& threads, bool compresses)
      : threads_(threads), compresses_(compresses) {}

  std::size_t fail_at = SIZE_MAX;                // this write fails, counted from 0
  std::function<void()> before_a_write = [] {};  // runs in the writing thread

  const std::string& bytes() const { return bytes_; }
  bool has_failed() const { return has_failed_; }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    threads_.require(!is_busy_, "two writes at once");
    threads_.require(!has_failed_, "a write after one that has failed");
    threads_.require(position == bytes_.size(), "a hole, or bytes written twice");
    is_busy_ = true;
    before_a_write();
    threads_.sleep("is writing", std::chrono::milliseconds(1));
    is_busy_ = false;
    written = 0;
    has_failed_ = writes_++ == fail_at;
    if (has_failed_) return Status::failure(Operation::write, path_, ENOSPC, position);
    for (const BytesView piece : pieces) {
      bytes_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      written += piece.size();
    }
    return {};
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  bool is_compute_bound() override { return compresses_; }
  const std::string& path() const override { return path_; }

 private:
  Interleaving& threads_;
  const bool compresses_;
  const std::string path_ = "sink";
  std::string bytes_;
  std::size_t writes_ = 0;
  bool has_failed_ = false;
  bool is_busy_ = false;
};

// The work of a Writer with its blocks, and the checks of its expectations.
class Blocks {
 public:
  Blocks(Interleaving& threads, std::size_t max_blocks, bool compresses = false)
      : sink(threads, compresses), threads_(threads) {
    threads.unbury(&in_flight);
    in_flight.emplace(sink, max_blocks);
  }

  void put() {
    const char value = static_cast<char>('a' + accepted_.size() / block_bytes);
    std::fill(block_.data(), block_.end(), static_cast<std::byte>(value));
    const bool ok = tell_of(in_flight->exchange(block_, block_bytes, accepted_.size()));
    if (ok) accepted_.append(block_bytes, value);
  }

  void drain() {
    if (!tell_of(in_flight->drain())) return;
    threads_.require(sink.bytes() == accepted_,
                     "drain() returned ok before everything was written");
  }

  void destroy() {
    in_flight.reset();
    threads_.bury(&in_flight, sizeof in_flight);
    threads_.require(accepted_.starts_with(sink.bytes()),
                     "the target has bytes that were not accepted");
    threads_.require(sink.has_failed() || sink.bytes() == accepted_, "not everything is written");
  }

  InterleavedSink sink;
  std::optional<BlocksInFlight> in_flight;

 private:
  bool tell_of(const Status& status) {
    threads_.require(status.ok() || sink.has_failed(),
                     "a failure was reported, but no write has failed");
    threads_.require(!status.ok() || !has_told_failure_, "a success after a failure");
    has_told_failure_ = !status.ok();
    return status.ok();
  }

  Interleaving& threads_;
  Block block_ = Block::allocate(block_bytes);
  std::string accepted_;
  bool has_told_failure_ = false;
};

void stop_engines() {
  Engine::shared().stop();
  Engine::for_compressed_blocks().stop();
}

// Gives the process new Engines. The threads of the old ones have ended, or belong to a schedule
// that is over.
void begin_anew() {
  ::new (&Engine::shared()) os::NeverDestroyed<Engine>;
  ::new (&Engine::for_compressed_blocks()) os::NeverDestroyed<Engine>;
}

// The process of a schedule. It has threads, and Engines that it stops at the end.
void run_process(Interleaving& threads, const std::function<void(InterleavedCalls&)>& body) {
  InterleavedCalls calls(threads);
  const os::ScopedSystemCalls in_place(calls);
  begin_anew();
  body(calls);
  stop_engines();
}

void expect_right(const std::function<void(Interleaving&, InterleavedCalls&)>& body,
                  std::size_t max_deviations = 2, std::size_t costs = 1) {
  stop_engines();  // those of the earlier tests
  const Exploration exploration = explore(
      [&](Interleaving& threads) {
        run_process(threads, [&](InterleavedCalls& calls) { body(threads, calls); });
      },
      max_deviations, costs);
  begin_anew();
  EXPECT_TRUE(exploration.failure.empty()) << exploration.failure;
  ::testing::Test::RecordProperty("schedules", static_cast<int>(exploration.schedules));
}

// Runs `writers` Writers at once. Each of them writes `count` blocks. The first `compressing` of
// them compress.
void write_blocks(Interleaving& threads, std::size_t writers, std::size_t count,
                  std::size_t max_blocks, std::size_t fail_at = SIZE_MAX,
                  std::size_t compressing = 0) {
  threads.run_together(writers, [&](std::size_t writer) {
    Blocks blocks(threads, max_blocks, writer < compressing);
    if (writer == 0) blocks.sink.fail_at = fail_at;
    for (std::size_t i = 0; i < count; ++i) blocks.put();
    if (writer == 0) blocks.drain();
    if (writer == 0) blocks.put();
    blocks.destroy();
  });
}

TEST(BlocksInFlightInterleavings, OneWriterHandsOverMoreThanMayBeInFlight) {
  expect_right([](Interleaving& threads, InterleavedCalls& calls) {
    calls.can_start_threads = threads.any(2) == 0;
    write_blocks(threads, 1, 4, 1 + threads.any(2));
  });
}

TEST(BlocksInFlightInterleavings, AnyWriteOfASinkFails) {
  expect_right([](Interleaving& threads, InterleavedCalls&) {
    write_blocks(threads, 1, 4, 1 + threads.any(2), threads.any(5));
  });
}

TEST(BlocksInFlightInterleavings, TwoWritersHaveAThreadEach) {
  expect_right([](Interleaving& threads, InterleavedCalls&) { write_blocks(threads, 2, 3, 2, 1); });
}

TEST(BlocksInFlightInterleavings, ThreeWritersShareTwoThreads) {
  expect_right([](Interleaving& threads, InterleavedCalls&) { write_blocks(threads, 3, 2, 2); });
}

// All schedules of these with two deviations take ten times as long as all other tests here.
constexpr std::size_t one_deviation = 1;

void two_compressing_writers(Interleaving& threads, InterleavedCalls&) {
  write_blocks(threads, 2, 3, 2, threads.any(5), 2);
}

void two_compressing_writers_and_another(Interleaving& threads, InterleavedCalls&) {
  write_blocks(threads, 3, 2, 2, threads.any(4), 2);
}

TEST(BlocksInFlightInterleavings, CompressingWritersWriteBehind) {
  expect_right(two_compressing_writers, one_deviation);
}

TEST(BlocksInFlightInterleavings, CompressingWritersAndAnotherOneWriteBehind) {
  expect_right(two_compressing_writers_and_another, one_deviation);
}

// A Sink that is compute-bound may use a Writer too.
TEST(BlocksInFlightInterleavings, ACompressingSinkWritesThroughAWriterOfItsOwn) {
  expect_right([](Interleaving& threads, InterleavedCalls&) {
    Blocks outer(threads, 2, true);
    outer.sink.before_a_write = [&threads] {
      Blocks inner(threads, 1);
      inner.put();
      inner.put();
      inner.destroy();
    };
    outer.put();
    outer.put();
    outer.destroy();
  });
}

TEST(BlocksInFlightInterleavings, TheProcessEndsWhileCompressedBlocksAreInFlight) {
  expect_right([](Interleaving& threads, InterleavedCalls&) {
    const std::size_t exits = threads.start([] { Engine::for_compressed_blocks().stop(); });
    write_blocks(threads, 2, 2, 2, SIZE_MAX, 2);
    threads.join(exits);
  });
}

TEST(BlocksInFlightInterleavings, ASinkWritesThroughAWriterOfItsOwn) {
  expect_right([](Interleaving& threads, InterleavedCalls&) {
    Blocks outer(threads, 2);
    outer.sink.before_a_write = [&threads] {
      Blocks inner(threads, 1);
      inner.put();
      inner.put();
      inner.destroy();
    };
    outer.put();
    outer.put();
    outer.destroy();
  });
}

TEST(BlocksInFlightInterleavings, TheProcessEndsWhileBlocksAreInFlight) {
  expect_right([](Interleaving& threads, InterleavedCalls&) {
    const std::size_t exits = threads.start([] { Engine::shared().stop(); });
    write_blocks(threads, 2, 2, 2);
    threads.join(exits);
  });
}

// A task that belongs to no Writer and waits for nothing.
TEST(BlocksInFlightInterleavings, AfterTheWaitATaskHasRunOrNeverWill) {
  struct Task final : Engine::Task {
    explicit Task(Interleaving& interleaving) : threads(interleaving) {}
    void run() noexcept override {
      threads.require(!was_waited_for, "a task runs after wait_for()");
      threads.step("runs");
      ++runs;
    }
    Interleaving& threads;
    std::size_t runs = 0;
    bool was_waited_for = false;
  };
  expect_right([](Interleaving& threads, InterleavedCalls&) {
    Task task(threads);
    Blocks blocks(threads, 1);
    blocks.put();
    const bool once = Engine::shared().submit(task);
    const bool twice = Engine::shared().submit(task);
    Engine::shared().wait_for(task);
    threads.require(once && twice, "no thread for a task");
    threads.require(task.runs == 1 || task.runs == 2, "a task was accepted, but did not run");
    task.was_waited_for = true;
    blocks.destroy();
  });
}

// A Sink for the child, where no schedule runs.
class PlainSink final : public Sink {
 public:
  Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
    written = 0;
    for (const BytesView piece : pieces) written += piece.size();
    bytes += written;
    return {};
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

  std::size_t bytes = 0;

 private:
  const std::string path_ = "plain";
};

void write_in_child() {
  PlainSink sink;
  {
    Block block = Block::allocate(block_bytes);
    BlocksInFlight blocks(sink, 1);
    for (std::size_t i = 0; i < 3; ++i) {
      if (!blocks.exchange(block, block_bytes, i * block_bytes).ok()) std::abort();
    }
  }
  if (sink.bytes != 3 * block_bytes) std::abort();
  Engine::shared().stop();
}

TEST(BlocksInFlightInterleavings, AForkedChildDestroysAndWritesItsOwnAtAnyStep) {
  expect_right(
      [](Interleaving& threads, InterleavedCalls&) {
        Blocks blocks(threads, 2);
        const std::size_t forks = threads.start([&] {
          threads.run_in_forked_child([&] {
            blocks.in_flight.reset();
            write_in_child();
          });
        });
        blocks.put();
        blocks.put();
        blocks.put();
        threads.join(forks);
        blocks.destroy();
      },
      1, 100);
}

}  // namespace
}  // namespace sluice::testing
