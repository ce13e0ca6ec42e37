// Compressed files where system calls fail, and where the power is cut.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "os/system_calls.h"
#include "sluice/lz4.h"
#include "sluice/series.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/crash_cases.h"
#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/modelled_disk.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"
#include "testing/series_values.h"

namespace sluice::testing {
namespace {

using Sync = ModelledDisk::Sync;

// A codec, and bytes that it makes smaller.
struct Kind {
  const Codec* codec;
  std::string (*bytes)(std::size_t count);
};

std::string doubles(std::size_t bytes) {
  return series_of_values(SeriesType::float64, SeriesValues::noisy, bytes);
}

const Kind kinds[] = {{&zstd(), lines}, {&lz4(), lines}, {&series<double>(), doubles}};

// The file as it was before close() wrote its seek table: the last 33 bytes, and 8 for each frame.
std::string without_table(const std::string& file) {
  std::uint32_t frames = 0;
  std::memcpy(&frames, file.data() + file.size() - 9, sizeof frames);
  return file.substr(0, file.size() - 33 - 8 * std::size_t{frames});
}

// ---- Every system call fails in turn ----

struct Written {
  Status opened;
  Status flushed;
  Status closed;
  bool has_failed_a_call = false;
};

Written write_under(FaultySystemCalls& calls, const std::string& path, const Codec& codec,
                    const std::string& plain, const WriterOptions& options) {
  const LostErrors lost;
  const os::ScopedSystemCalls in_place(calls);
  Written result;
  Writer writer;
  result.opened = open_compressed(writer, path, codec, small_frames, options);
  writer.write(plain.substr(0, plain.size() / 2));
  result.flushed = writer.flush(FlushTo::storage);
  writer.write(plain.substr(plain.size() / 2));
  result.closed = writer.close();
  return result;
}

// Whatever fails: ok is true, and every byte before the one that a failure names can be read back.
// A replacement that fails leaves the old file, or has put the whole new file in place.
void expect_true(const Written& written, const std::string& path, const std::string& plain,
                 bool replaces) {
  const std::string file = contents_of(path);
  const bool is_old = file == "old";
  EXPECT_TRUE(is_old || written.opened.ok()) << written.opened.message();
  if (is_old) {
    EXPECT_TRUE(!written.opened.ok() || (replaces && !written.closed.ok()));
    return;
  }
  std::string back;
  const Status status = decompress(file, back);
  if (replaces) {
    EXPECT_EQ(back.size(), plain.size()) << written.closed.message();
  }
  ASSERT_TRUE(plain.starts_with(back));
  if (written.closed.ok()) {
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(back.size(), plain.size());
  }
  if (written.flushed.ok()) {
    EXPECT_GE(back.size(), plain.size() / 2);
  }
  if (!written.closed.ok() && written.closed.offset()) {
    EXPECT_GE(back.size(), *written.closed.offset()) << written.closed.message();
  }
}

TEST(Compression, SurvivesOrReportsEveryCallThatFails) {
  for (const Kind& kind : kinds) {
    const std::string plain = kind.bytes(60'000);
    for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
      for (const WriteBehind behind : {WriteBehind::off, WriteBehind::on}) {
        for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
          bool has_failed = true;
          for (std::size_t nth = 1; has_failed; ++nth) {
            SCOPED_TRACE("call " + std::to_string(nth));
            ASSERT_LT(nth, 300u);
            const ScratchDirectory directory;
            const std::string path = directory.file("f");
            make_file(path, "old");
            FaultySystemCalls calls;
            calls.fail_any(nth, EIO, repeat);
            const Written written = write_under(
                calls, path, *kind.codec, plain,
                {.create = create, .durability = Durability::on_close, .write_behind = behind});
            has_failed = !calls.injected().empty();
            expect_true(written, path, plain, create == CreateMode::replace_atomically);
            if (HasFailure()) {
              FAIL() << calls.log();
            }
          }
        }
      }
    }
  }
}

// A failure names the first byte that is missing. After a seek this is no byte before its position.
TEST(Compression, IsReadOrReportsEveryCallThatFails) {
  const ScratchDirectory directory;
  for (const Kind& kind : kinds) {
    const std::string plain = kind.bytes(60'000);
    const std::string file = compressed_by(*kind.codec, plain);
    for (const std::string& each : {file, without_table(file)}) {
      make_file(directory.file("f"), each);
      bool has_failed = true;
      for (std::size_t nth = 1; has_failed; ++nth) {
        ASSERT_LT(nth, 300u);
        FaultySystemCalls calls;
        calls.fail_any(nth, EIO);
        const os::ScopedSystemCalls in_place(calls);
        Reader reader;
        std::string back;
        Status status = open_decompressed(reader, directory.file("f"), all_codecs());
        if (status.ok()) status = reader.seek(30'000);
        const bool is_sought = status.ok();
        if (is_sought) status = reader.read_rest(back);
        has_failed = !calls.injected().empty();
        if (status.ok()) {
          EXPECT_EQ(back.size(), 30'000u);
        } else if (is_sought) {
          EXPECT_EQ(status.offset(), 30'000 + back.size()) << status.message();
        }
        EXPECT_EQ(back, plain.substr(30'000, back.size()));
      }
    }
  }
}

// Short writes and interrupted calls lose nothing.
TEST(Compression, GoesOnAfterShortAndInterruptedCalls) {
  for (const Kind& kind : {Kind{&zstd(), [](std::size_t bytes) { return pattern(0, bytes); }},
                           kinds[0], kinds[1], kinds[2]}) {
    const std::string plain = kind.bytes(30'000);
    for (const int fault : {0, 1, 2}) {
      const ScratchDirectory directory;
      FaultySystemCalls calls;
      if (fault == 0) calls.halve_transfers();
      if (fault == 1) calls.interrupt_every_call();
      if (fault == 2) calls.limit_transfers(7);
      const Written written = write_under(calls, directory.file("f"), *kind.codec, plain, {});
      EXPECT_TRUE(written.closed.ok()) << written.closed.message();
      const os::ScopedSystemCalls in_place(calls);
      Reader reader;
      ASSERT_TRUE(open_decompressed(reader, directory.file("f"), all_codecs()).ok());
      std::string back;
      EXPECT_TRUE(reader.read_rest(back).ok());
      EXPECT_TRUE(back == plain);
    }
  }
}

// ---- The power is cut ----

const std::string name = "file";

class CompressedCase {
 public:
  CompressedCase(std::uint64_t seed, Sync left_out) : random_(seed), disk_(seed) {
    constexpr Durability durabilities[] = {Durability::none, Durability::on_close,
                                           Durability::every_flush, Durability::every_write};
    options_.durability = durabilities[any(4)];
    options_.create = any(2) == 0 ? CreateMode::truncate : CreateMode::replace_atomically;
    options_.write_behind = any(2) == 0 ? WriteBehind::off : WriteBehind::on;
    options_.write_back_bytes = any(2) * 1000;
    compression_.frames_at_a_time = 1 + any(2);
    kind_ = kinds[any(std::size(kinds))];
    disk_.load({{name, {old_}}});
    disk_.leave_out(left_out);
  }

  std::string broken_promise() {
    const os::ScopedSystemCalls in_place(disk_);
    disk_.cut_power_at(1 + any(12), [this] { promised_at_cut_ = promised_.load(); });
    if (std::string failed = write(); !failed.empty()) return failed;
    std::optional<ModelledDisk::Image> image = disk_.after_cut();
    const std::int64_t promised = image ? promised_at_cut_ : promised_.load();
    if (!image) image = disk_.cut_power_now();
    return broken_in(*image, promised);
  }

 private:
  std::size_t any(std::size_t count) { return random_() % count; }
  bool is_staged() const { return options_.create == CreateMode::replace_atomically; }

  std::string write() {
    Writer writer;
    Status status =
        open_compressed(writer, ModelledDisk::path_of(name), *kind_.codec, compression_, options_);
    for (std::size_t i = any(8); i > 0 && status.ok(); --i) status = operate(writer);
    const Status closed = writer.close();
    if (closed.ok() && (is_staged() || options_.durability != Durability::none)) promise();
    status = status.ok() ? closed : status;
    return status.ok() ? "" : status.message();
  }

  Status operate(Writer& writer) {
    const bool flushes = any(2) == 0;
    bool durable = options_.durability == Durability::every_write;
    if (flushes) {
      const bool to_storage = any(2) == 0;
      if (Status status = writer.flush(to_storage ? FlushTo::storage : FlushTo::os); !status.ok()) {
        return status;
      }
      durable = to_storage || options_.durability == Durability::every_flush;
    } else {
      const std::string bytes =
          any(2) == 0 ? pattern(offered_.size(), any(6'000)) : kind_.bytes(any(6'000));
      offered_ += bytes;
      writer.write(bytes);
    }
    if (durable && !is_staged() && writer.status().ok()) promise();
    return writer.status();
  }

  void promise() { promised_ = static_cast<std::int64_t>(offered_.size()); }

  std::string broken_in(const ModelledDisk::Image& image, std::int64_t promised) const {
    const auto found = image.find(name);
    if (found == image.end()) return "the file is gone";
    const std::string& file = found->second.bytes;
    if (is_staged() && file == old_) return promised < 0 ? "" : "the file is the old one";
    std::string back;
    const Status status = decompress(file, back);
    if (is_staged()) return status.ok() && back == offered_ ? "" : "the file is not whole";
    const std::size_t durable = promised < 0 ? 0 : static_cast<std::size_t>(promised);
    return back.starts_with(offered_.substr(0, durable)) ? "" : "some durable bytes are missing";
  }

  std::mt19937_64 random_;
  ModelledDisk disk_;
  const std::string old_ = "old";
  WriterOptions options_;
  CompressionOptions compression_{.frame_bytes = 4096};
  Kind kind_{};
  std::string offered_;
  std::atomic<std::int64_t> promised_{-1};  // durable bytes; -1: nothing is durable
  std::int64_t promised_at_cut_ = -1;
};

std::string compressed_case(std::uint64_t seed, Sync left_out) {
  return CompressedCase(seed, left_out).broken_promise();
}

constexpr std::uint64_t cases = 1'500;

// The file may have no seek table, or a torn one. The bytes that a flush to storage has promised
// can be read.
TEST(CrashOfACompressedFile, LosesNoPromisedByte) { expect_kept(compressed_case, cases); }

TEST(CrashOfACompressedFile, IsNoticedWithoutOneOfTheSyncs) {
  for (const Sync sync : {Sync::fdatasync, Sync::fsync, Sync::directory, Sync::each_write}) {
    SCOPED_TRACE(static_cast<int>(sync));
    expect_noticed(compressed_case, sync, cases);
  }
}

}  // namespace
}  // namespace sluice::testing
