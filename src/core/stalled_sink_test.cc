// A Sink that accepts no bytes for a while holds up its own Writer, and no other Writer.
//
// Each test has Sinks whose gates are closed. It waits until their Writers can do nothing more. It
// opens the gates only after the other work has finished. The patience bounds the time that a
// failing test hangs. A passing test never waits for it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"
#include "testing/writer_model.h"

namespace sluice::testing {
namespace {

constexpr std::chrono::seconds patience{20};
constexpr std::size_t block_bytes = 4096;
constexpr WriterOptions behind = {.write_behind = WriteBehind::on, .block_bytes = block_bytes};
constexpr std::size_t stalled_bytes = 100 * block_bytes + 1;
constexpr std::size_t large_bytes = std::size_t{24} << 20;  // default options start write-behind

enum class Ending : std::uint8_t { close, flush, destructor };

// A Writer in its own thread. Its Sink accepts no bytes before open_gate().
class StalledWriter {
 public:
  explicit StalledWriter(std::size_t bytes = stalled_bytes, Ending ending = Ending::close)
      : bytes_(bytes), ending_(ending), thread_([this] { write(); }) {
    while (thread_number_ == 0) std::this_thread::yield();
  }
  ~StalledWriter() {
    open_gate();
    thread_.join();
    EXPECT_TRUE(recording_->bytes() == pattern(0, bytes_)) << "the wait must lose no bytes";
    EXPECT_FALSE(recording_->out_of_turn());
  }
  StalledWriter(const StalledWriter&) = delete;
  StalledWriter& operator=(const StalledWriter&) = delete;

  // Returns once the Writer can do nothing more until its gate opens.
  void wait_until_stalled() { EXPECT_TRUE(wait_until_asleep(thread_number_)); }
  void wait_until_at_the_gate() { recording_->gate.wait_for_arrivals(1); }
  bool has_ended() const { return has_ended_; }
  void open_gate() { recording_->gate.open(); }

 private:
  static std::shared_ptr<Recording> closed_recording() {
    auto recording = std::make_shared<Recording>();
    recording->gate.close();
    return recording;
  }

  static void expect_ok(const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); }

  void write() {
    thread_number_ = this_thread();
    {
      Writer writer;
      expect_ok(writer.open(std::make_unique<RecordingSink>(recording_), behind));
      for (std::size_t i = 0; i < bytes_; ++i) writer.put(pattern_at(i));
      if (ending_ == Ending::flush) expect_ok(writer.flush());
      if (ending_ != Ending::destructor) expect_ok(writer.close());
    }
    has_ended_ = true;
  }

  const std::shared_ptr<Recording> recording_ = closed_recording();
  const std::size_t bytes_;
  const Ending ending_;
  std::atomic<pid_t> thread_number_{0};
  std::atomic<bool> has_ended_{false};
  std::thread thread_;
};

// True if `work` ends while the gates are closed. Opens the gates at the end.
bool ends_before_the_gates_open(const std::function<void()>& work,
                                const std::vector<StalledWriter*>& stalled) {
  std::future<void> ended = std::async(std::launch::async, work);
  const bool by_itself = ended.wait_for(patience) == std::future_status::ready;
  for (StalledWriter* each : stalled) {
    EXPECT_FALSE(each->has_ended()) << "the Writer ended before its Sink took bytes";
    each->open_gate();
  }
  ended.get();
  return by_itself;
}

void write_pattern(const WriterOptions& options, std::size_t bytes) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  EXPECT_TRUE(writer.open(std::make_unique<RecordingSink>(recording), options).ok());
  for (std::size_t i = 0; i < bytes; ++i) writer.put(pattern_at(i));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(recording->bytes() == pattern(0, bytes));
  EXPECT_FALSE(recording->out_of_turn());
}

void write_in_small_blocks() { write_pattern(behind, 1000 * block_bytes + 7); }
void write_by_default_options() { write_pattern({}, large_bytes); }

TEST(StalledSink, DoesNotKeepAnotherWriterWaiting) {
  StalledWriter stalled;
  stalled.wait_until_at_the_gate();
  stalled.wait_until_stalled();
  EXPECT_TRUE(ends_before_the_gates_open(write_in_small_blocks, {&stalled}));
}

TEST(StalledSink, DoesNotKeepAWriterWithDefaultOptionsWaiting) {
  StalledWriter stalled;
  stalled.wait_until_at_the_gate();
  stalled.wait_until_stalled();
  EXPECT_TRUE(ends_before_the_gates_open(write_by_default_options, {&stalled}));
}

// The Writer's thread waits for a block in a call, or is in the destructor.
TEST(StalledSink, KeepsNoWriterWaitingWhileItsOwnIsFlushedClosedOrDestroyed) {
  for (const Ending ending : {Ending::close, Ending::flush, Ending::destructor}) {
    for (const std::size_t bytes : {block_bytes + 1, 2 * block_bytes}) {
      StalledWriter stalled(bytes, ending);
      stalled.wait_until_at_the_gate();
      stalled.wait_until_stalled();
      ASSERT_TRUE(ends_before_the_gates_open(write_in_small_blocks, {&stalled}))
          << static_cast<int>(ending) << " of " << bytes << " bytes";
    }
  }
}

// A second engine thread would not be enough, because the second Sink would hold it up.
TEST(StalledSink, KeepsNoWriterWaitingTogetherWithOtherSinks) {
  for (const std::size_t count : {2u, 5u}) {
    std::vector<std::unique_ptr<StalledWriter>> stalled;
    std::vector<StalledWriter*> all;
    for (std::size_t i = 0; i < count; ++i) {
      stalled.push_back(std::make_unique<StalledWriter>());
      all.push_back(stalled.back().get());
      stalled.back()->wait_until_stalled();
    }
    ASSERT_TRUE(ends_before_the_gates_open(write_in_small_blocks, all)) << count;
  }
}

// When the gate is closed, the Writer's blocks are handed over after the blocks of the stalled
// Writer.
TEST(StalledSink, DoesNotKeepAnEarlierWriterWaiting) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording), behind).ok());
  WriterModel model(writer);
  model.put_many(10 * block_bytes);
  StalledWriter stalled;
  stalled.wait_until_at_the_gate();
  stalled.wait_until_stalled();
  Status closed;
  const auto go_on = [&] {
    model.put_many(2 * block_bytes);  // all of these blocks may be in flight
    EXPECT_TRUE(writer.flush().ok());
    model.put_many(100 * block_bytes + 9);
    closed = writer.close();
  };
  EXPECT_TRUE(ends_before_the_gates_open(go_on, {&stalled}));
  model.expect_honest(closed, recording->bytes());
  EXPECT_TRUE(closed.ok());
}

// The thread that is held up also zeroes memory for large reads.
TEST(StalledSink, DoesNotStopTheReadingOfALargeFile) {
  const ScratchDirectory directory;
  const std::string path = directory.file("large");
  make_file(path, pattern(0, large_bytes));
  StalledWriter stalled;
  stalled.wait_until_at_the_gate();
  stalled.wait_until_stalled();
  const auto read = [&path] {
    Bytes bytes;
    EXPECT_TRUE(read_file(path, bytes).ok());
    EXPECT_TRUE(bytes.text() == pattern(0, large_bytes));
  };
  EXPECT_TRUE(ends_before_the_gates_open(read, {&stalled}));
}

}  // namespace
}  // namespace sluice::testing
