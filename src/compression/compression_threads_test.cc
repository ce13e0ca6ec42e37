// Compression while other threads compress: of other files, of a parent process, and at the end of
// the process.
//
// A test holds a frame up within its compressor, so that a thread of the Engine for compression is
// at work as long as the test wants.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "compression/codec.h"
#include "sluice/compression.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/gate.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::chrono::seconds patience{20};  // a passing test never waits for it
constexpr std::size_t frame_bytes = 4096;
constexpr WriterOptions behind{.write_behind = WriteBehind::on, .block_bytes = frame_bytes};

// Compresses by zstd. Each frame passes the gate first.
class HeldCodec final : public Codec {
 public:
  explicit HeldCodec(Gate& gate) : gate_(gate) {}

  std::string_view name() const noexcept override { return "held"; }
  bool recognises(BytesView bytes) const noexcept override { return zstd().recognises(bytes); }
  int default_level() const noexcept override { return 1; }
  int min_level() const noexcept override { return 1; }
  int max_level() const noexcept override { return 1; }
  bool compresses() const noexcept override { return true; }
  std::unique_ptr<Compressor> make_compressor(int level, bool checksums) const override {
    return std::make_unique<Held>(gate_, zstd().make_compressor(level, checksums));
  }
  std::unique_ptr<Decompressor> make_decompressor() const override {
    return zstd().make_decompressor();
  }

 private:
  class Held final : public Compressor {
   public:
    Held(Gate& gate, std::unique_ptr<Compressor> compressor)
        : gate_(gate), compressor_(std::move(compressor)) {}
    std::size_t max_frame_bytes(std::size_t bytes) const noexcept override {
      return compressor_->max_frame_bytes(bytes);
    }
    bool compress(std::span<const BytesView> pieces, MutableBytesView room,
                  FrameParts& frame) noexcept override {
      gate_.pass();
      return compressor_->compress(pieces, room, frame);
    }

   private:
    Gate& gate_;
    const std::unique_ptr<Compressor> compressor_;
  };

  Gate& gate_;
};

// A Writer whose first block is held up. The block is in a thread of the Engine for compressed
// blocks, and its frames are in threads of the Engine for compression, as many as are idle.
class HeldWriter {
 public:
  HeldWriter(const std::string& path, std::size_t frames_at_a_time)
      : plain_(lines(frames_at_a_time * frame_bytes + 1)) {
    const Status status =
        open_compressed(writer_, path, codec_,
                        {.frame_bytes = frame_bytes, .frames_at_a_time = frames_at_a_time}, behind);
    EXPECT_TRUE(status.ok()) << status.message();
    for (const char byte : plain_) writer_.put(byte);
    gate_.wait_for_arrivals(1);
  }

  void open_gate() { closed_.open(); }
  Status close() { return writer_.close(); }
  const std::string& plain() const { return plain_; }

 private:
  Gate gate_;
  const HeldCodec codec_{gate_};
  const std::string plain_;
  Writer writer_;
  ClosedGate closed_{gate_};
};

std::string plain_of(const std::string& path) {
  std::string plain;
  const Status status = decompress(contents_of(path), plain);
  EXPECT_TRUE(status.ok()) << status.message();
  return plain;
}

// Compresses and reads back a file, with all options that start threads.
bool compresses(const std::string& path) {
  const std::string plain = lines(300'000);
  Writer writer;
  bool is_ok = open_compressed(writer, path, zstd(), small_frames, behind).ok();
  for (const char byte : plain) writer.put(byte);
  is_ok = writer.close().ok() && is_ok;
  return is_ok && plain_of(path) == plain;
}

// Two Writers hold both threads for compressed blocks, and as many threads that compress as there
// are, up to 16.
TEST(CompressionThreads, LetAThirdWriterEndWhileTwoAreHeldUp) {
  const ScratchDirectory directory;
  HeldWriter first(directory.file("first"), 8);
  HeldWriter second(directory.file("second"), 8);
  const std::string third = directory.file("third");
  std::future<bool> ended = std::async(std::launch::async, compresses, third);
  EXPECT_EQ(ended.wait_for(patience), std::future_status::ready);
  first.open_gate();
  second.open_gate();
  EXPECT_TRUE(ended.get());
  EXPECT_TRUE(first.close().ok());
  EXPECT_TRUE(second.close().ok());
  EXPECT_TRUE(plain_of(directory.file("first")) == first.plain());
  EXPECT_TRUE(plain_of(directory.file("second")) == second.plain());
}

// Whatever the options say: two blocks wait, and the program fills a third one.
TEST(CompressionThreads, HaveAtMostTwoBlocksOfAWriter) {
  const ScratchDirectory directory;
  const std::string plain = lines(8 * frame_bytes);
  Gate gate;
  const HeldCodec codec(gate);
  Writer writer;
  WriterOptions options = behind;
  options.blocks_in_flight = 8;
  expect_ok(open_compressed(writer, directory.file("f"), codec,
                            {.frame_bytes = frame_bytes, .frames_at_a_time = 1}, options));
  std::atomic<std::size_t> taken = 0;
  std::atomic<pid_t> id = 0;
  std::thread program;
  {
    ClosedGate closed(gate);
    program = std::thread([&] {
      id = this_thread();
      for (const char byte : plain) {
        writer.put(byte);
        ++taken;
      }
    });
    while (id == 0) std::this_thread::yield();
    EXPECT_TRUE(wait_until_asleep(id));
    EXPECT_GE(taken, 3 * frame_bytes - 1);
    EXPECT_LE(taken, 3 * frame_bytes);
  }
  program.join();
  expect_ok(writer.close());
  EXPECT_TRUE(plain_of(directory.file("f")) == plain);
}

// The threads that compress belong to the parent. The child has threads of its own, and does not
// wait at its end for those of the parent.
TEST(CompressionThreads, ArePassedToNoForkedChild) {
  if (sanitizer_threads != 0) {
    GTEST_SKIP() << "the thread sanitizer ends a child of threads that starts a thread";
  }
  const ScratchDirectory directory;
  HeldWriter parent(directory.file("parent"), 1);
  const int code = exit_code_of_child([&] {
    if (!compresses(directory.file("child"))) ::_exit(1);
    if (!sanitized) std::exit(0);  // a sanitizer would call the memory of lost threads a leak
  });
  EXPECT_EQ(code, 0);
  parent.open_gate();
  EXPECT_TRUE(parent.close().ok());
  EXPECT_TRUE(plain_of(directory.file("parent")) == parent.plain());
}

// The Writer is never closed, so its last byte is lost. The block that the Engines have is not.
TEST(CompressionThreads, FinishTheirFramesBeforeTheProcessEnds) {
  if (sanitizer_threads != 0) {
    GTEST_SKIP() << "the thread sanitizer ends a child of threads that starts a thread";
  }
  const ScratchDirectory directory;
  const std::string path = directory.file("f");
  const int code = exit_code_of_child([&] {
    static HeldWriter* const writer = new HeldWriter(path, 1);  // is not destroyed
    std::thread([exiting = this_thread()] {
      if (!wait_until_asleep(exiting)) ::_exit(1);
      writer->open_gate();
    }).detach();
    std::exit(0);
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(plain_of(path) == lines(frame_bytes + 1).substr(0, frame_bytes));
}

}  // namespace
}  // namespace sluice::testing
