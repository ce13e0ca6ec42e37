// Writers that seek and patch: every accepted byte is at its position, a failure names the first
// byte that is not, and promised bytes survive a power cut. Thousands of cases run on a disk in
// memory.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/system_calls.h"
#include "sluice/writer.h"
#include "testing/crash_cases.h"
#include "testing/modelled_disk.h"
#include "testing/pattern.h"
#include "testing/placed_bytes.h"

namespace sluice::testing {
namespace {

using Sync = ModelledDisk::Sync;

const std::string name = "file";

// The bytes that must be there after a power cut.
class Promised {
 public:
  // All of `bytes` is durable.
  void promise(const std::string& bytes) {
    bytes_ = bytes;
    changes_.clear();
  }

  // From now on each of these bytes may be on the disk or not.
  void change(std::uint64_t position, std::string_view bytes) {
    changes_.emplace_back(position, bytes);
  }

  bool is_anything() const { return bytes_.has_value(); }

  std::string broken_in(const std::string& found) const {
    if (!bytes_) return "";
    if (found.size() < bytes_->size()) return "the file is shorter than what was durable";
    for (std::size_t i = 0; i < bytes_->size(); ++i) {
      if (found[i] != (*bytes_)[i] && !may_be(i, found[i])) {
        return "a durable byte is missing: " + std::to_string(i);
      }
    }
    return "";
  }

 private:
  bool may_be(std::size_t at, char byte) const {
    for (const auto& [position, bytes] : changes_) {
      const bool is_changed = position <= at && at < position + bytes.size();
      if (is_changed && (byte == '\0' || byte == bytes[at - position])) return true;
    }
    return false;
  }

  std::optional<std::string> bytes_;  // empty: not even the name is durable
  std::vector<std::pair<std::uint64_t, std::string>> changes_;
};

class PositionsCase {
 public:
  PositionsCase(std::uint64_t seed, Sync left_out) : random_(seed), disk_(seed) {
    constexpr Durability durabilities[] = {Durability::none, Durability::on_close,
                                           Durability::every_flush, Durability::every_write};
    constexpr CreateMode modes[] = {CreateMode::truncate, CreateMode::exclusive,
                                    CreateMode::existing, CreateMode::replace_atomically};
    constexpr WriteBehind ways[] = {WriteBehind::off, WriteBehind::on, WriteBehind::automatic};
    options_.durability = durabilities[any(4)];
    options_.create = modes[any(4)];
    options_.write_behind = ways[any(3)];
    // With smaller blocks the Writer never chooses write-behind.
    const bool may_choose = options_.write_behind == WriteBehind::automatic && any(30) == 0;
    options_.block_bytes = may_choose ? 64 * 1024 : 1 + any(300);
    if (may_choose) most_bytes_ = 200'000;
    options_.blocks_in_flight = 1 + any(3);
    options_.write_back_bytes = any(2) * 100;
    options_.cache = any(4) == 0 ? Cache::drop : Cache::keep;
    if (any(4) == 0) {
      options_.direct = Direct::on;
      options_.block_bytes = 4096;
      most_bytes_ = 10'000;
    }
    load_old_file();
    disk_.leave_out(left_out);
  }

  std::string broken_promise() {
    const os::ScopedSystemCalls in_place(disk_);
    disk_.cut_power_at(1 + any(16), [this] { note_cut(); });
    disk_.fail_write_at(any(3) == 0 ? 1 + any(10) : 0);
    disk_.fail_sync_at(any(5) == 0 ? 1 + any(3) : 0);
    if (std::string broken = write(); !broken.empty()) return broken;
    std::optional<ModelledDisk::Image> image = disk_.after_cut();
    if (!image) {
      note_cut();
      image = disk_.cut_power_now();
    }
    return broken_in(*image);
  }

 private:
  std::size_t any(std::size_t count) { return random_() % count; }
  bool is_staged() const { return options_.create == CreateMode::replace_atomically; }

  void load_old_file() {
    const bool must_be_there = options_.create == CreateMode::existing;
    if (options_.create == CreateMode::exclusive || (!must_be_there && any(2) == 0)) return;
    old_ = pattern(1'000'000, any(500));
    disk_.load({{name, {*old_}}});
    if (!must_be_there) return;
    placed_ = PlacedBytes(*old_);
    promised_.promise(*old_);
  }

  // Returns "", or the mistake in the bytes that other programs see.
  std::string write() {
    Writer writer;
    if (Status status = writer.open(ModelledDisk::path_of(name), options_); !status.ok()) {
      return disk_.has_failed_a_sync() ? "" : status.message();
    }
    for (std::size_t i = any(16); i > 0 && writer.status().ok(); --i) operate(writer);
    if (is_staged() && any(8) == 0) {
      if (Status status = writer.discard(); !status.ok()) return status.message();
      return seen_bytes() == old_ ? "" : "a discarded Writer has changed the file";
    }
    const bool patch_failed = !writer.status().ok() && patched_last_;
    const Status closed = writer.close();
    if (closed.ok() && (is_staged() || options_.durability != Durability::none)) promise();
    return broken_after(closed, patch_failed);
  }

  std::string broken_after(const Status& closed, bool patch_failed) {
    const std::optional<std::string> seen = seen_bytes();
    if (closed.ok()) return seen == placed_.bytes() ? "" : "a byte is not at its position";
    if (is_staged()) return seen == old_ ? "" : "the old file is gone: " + closed.message();
    return seen ? placed_.broken_by(closed, patch_failed, *seen) : "the file is gone";
  }

  void operate(Writer& writer) {
    bool durable = false;
    patched_last_ = false;
    switch (any(8)) {
      case 0: writer.put(place(1)[0]); break;
      case 1: build(writer, any(20)); break;
      case 2: writer.write_value(value(place(sizeof(std::uint32_t)))); break;
      case 3: patch(writer, any(placed_.bytes().size() + 20), any(any(2) == 0 ? 10 : 300)); break;
      case 4: seek(writer, any(placed_.bytes().size() + 20)); break;
      case 5: {
        const bool to_storage = any(2) == 0;
        const Status flushed = writer.flush(to_storage ? FlushTo::storage : FlushTo::os);
        durable = flushed.ok() && (to_storage || options_.durability == Durability::every_flush);
        break;
      }
      default: writer.write(place(1 + any(most_bytes_)));
    }
    const bool each = options_.durability == Durability::every_write && has_written_;
    if ((durable || each) && !is_staged() && writer.status().ok()) promise();
  }

  void build(Writer& writer, std::size_t count) {
    const MutableBytesView room = writer.reserve(count);
    if (count == 0 || room.size() < count) return;
    const std::string bytes = place(count);
    std::memcpy(room.data(), bytes.data(), count);
    writer.commit(count);
  }

  void patch(Writer& writer, std::uint64_t position, std::size_t count) {
    const std::string bytes = next(count);
    placed_.write_at(position, bytes);
    change(position, bytes);
    patched_last_ = true;
    static_cast<void>(writer.write_at(position, bytes));
  }

  void seek(Writer& writer, std::uint64_t position) {
    if (writer.seek(position).ok()) placed_.seek(position);
  }

  static std::uint32_t value(const std::string& bytes) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  std::string next(std::size_t count) {
    made_ += count;
    has_written_ = has_written_ || count > 0;
    return pattern(made_ - count, count);
  }

  // Puts the next bytes into the model at its position, and returns them for the Writer.
  std::string place(std::size_t count) {
    std::string bytes = next(count);
    change(placed_.position(), bytes);
    placed_.write(bytes);
    return bytes;
  }

  void change(std::uint64_t position, const std::string& bytes) {
    const std::lock_guard lock(mutex_);
    promised_.change(position, bytes);
  }

  void promise() {
    const std::lock_guard lock(mutex_);
    promised_.promise(placed_.bytes());
  }

  // The power may be cut in a thread of the engine.
  void note_cut() {
    const std::lock_guard lock(mutex_);
    promised_at_cut_ = promised_;
  }

  std::optional<std::string> seen_bytes() {
    const long opened = disk_.open(ModelledDisk::path_of(name).c_str(), O_RDONLY, 0);
    if (opened < 0) return std::nullopt;
    const int descriptor = static_cast<int>(opened);
    struct stat facts {};
    disk_.fstat(descriptor, facts);
    std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
    disk_.pread(descriptor, bytes.data(), bytes.size(), 0);
    disk_.close(descriptor);
    return bytes;
  }

  std::string broken_in(const ModelledDisk::Image& image) const {
    const auto found = image.find(name);
    if (found == image.end()) {
      return promised_at_cut_.is_anything() || old_ ? "the file is gone" : "";
    }
    const std::string& bytes = found->second.bytes;
    if (!is_staged()) return promised_at_cut_.broken_in(bytes);
    const bool may_be_old = old_ && !promised_at_cut_.is_anything();
    const bool is_whole = bytes == placed_.bytes() || (may_be_old && bytes == *old_);
    return is_whole ? "" : "the file is neither the old file nor the new file";
  }

  std::mt19937_64 random_;
  ModelledDisk disk_;
  WriterOptions options_;
  std::size_t most_bytes_ = 400;  // in one write
  std::optional<std::string> old_;
  PlacedBytes placed_;
  std::uint64_t made_ = 0;
  bool has_written_ = false;
  bool patched_last_ = false;
  std::mutex mutex_;
  Promised promised_;         // guarded by mutex_
  Promised promised_at_cut_;  // guarded by mutex_
};

std::string positions_case(std::uint64_t seed, Sync left_out) {
  return PositionsCase(seed, left_out).broken_promise();
}

constexpr std::uint64_t positions_cases = 20'000;

TEST(CrashOfPositions, LosesNoPromisedByte) { expect_kept(positions_case, positions_cases); }

TEST(CrashOfPositions, IsNoticedWithoutOneOfTheSyncs) {
  for (const Sync sync : {Sync::fdatasync, Sync::fsync, Sync::directory, Sync::each_write}) {
    SCOPED_TRACE(static_cast<int>(sync));
    expect_noticed(positions_case, sync, positions_cases);
  }
}

}  // namespace
}  // namespace sluice::testing
