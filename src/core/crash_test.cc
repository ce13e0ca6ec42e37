// Promised bytes survive a power cut, whatever the disk has made of the other bytes. Thousands of
// cases run on a disk in memory.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "os/system_calls.h"
#include "sluice/journal.h"
#include "sluice/writer.h"
#include "testing/crash_cases.h"
#include "testing/journal_bytes.h"
#include "testing/modelled_disk.h"
#include "testing/pattern.h"

namespace sluice::testing {
namespace {

using Sync = ModelledDisk::Sync;
using Random = std::mt19937_64;

std::string failure_of(const Status& status) { return status.ok() ? "" : status.message(); }

bool is_prefix_of(const std::string& begin, const std::string& whole) {
  return whole.starts_with(begin);
}

// ---- Writer ----

constexpr unsigned old_mode = 02640;
constexpr unsigned kept_mode = 0640;
const std::string name = "file";

class WriterCase {
 public:
  WriterCase(std::uint64_t seed, Sync left_out) : random_(seed), disk_(seed) {
    constexpr Durability durabilities[] = {Durability::none, Durability::on_close,
                                           Durability::every_flush, Durability::every_write};
    constexpr CreateMode modes[] = {CreateMode::truncate, CreateMode::append, CreateMode::exclusive,
                                    CreateMode::replace_atomically};
    options_.durability = durabilities[any(4)];
    options_.create = modes[any(4)];
    options_.write_behind = any(2) == 0 ? WriteBehind::off : WriteBehind::on;
    options_.block_bytes = 1 + any(300);
    options_.blocks_in_flight = 1 + any(3);
    options_.write_back_bytes = any(2) * 100;
    options_.permissions = 0600;
    options_.cache = any(4) == 0 ? Cache::drop : Cache::keep;
    if (options_.create != CreateMode::append && any(4) == 0) {
      options_.direct = Direct::on;
      options_.block_bytes = 4096 * (1 + any(2));
      most_bytes_ = 10'000;
    }
    if (options_.create != CreateMode::exclusive && any(2) == 0) {
      old_ = pattern(1'000'000, any(300));
      disk_.load({{name, {*old_, old_mode}}});
    }
    disk_.leave_out(left_out);
  }

  std::string broken_promise() {
    const os::ScopedSystemCalls in_place(disk_);
    disk_.cut_power_at(1 + any(12), [this] { promised_at_cut_ = promised_.load(); });
    const std::string failed = write();
    if (!failed.empty()) return failed;
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
    if (Status status = writer.open(ModelledDisk::path_of(name), options_); !status.ok()) {
      return status.message();
    }
    for (std::size_t i = any(12); i > 0; --i) operate(writer);
    if (any(8) == 0) return is_staged() ? failure_of(writer.discard()) : "";
    const Status closed = writer.close();
    if (closed.ok() && (is_staged() || options_.durability != Durability::none)) promise();
    return failure_of(closed);
  }

  void operate(Writer& writer) {
    bool durable = false;
    switch (any(5)) {
      case 0: writer.put(offer(1)[0]); break;
      case 1: {
        const MutableBytesView room = writer.reserve(1);
        if (room.empty()) break;
        room[0] = static_cast<std::byte>(offer(1)[0]);
        writer.commit(1);
        break;
      }
      case 2: {
        const bool to_storage = any(2) == 0;
        writer.flush(to_storage ? FlushTo::storage : FlushTo::os).throw_if_error();
        durable = to_storage || options_.durability == Durability::every_flush;
        break;
      }
      default: {
        const std::string bytes = offer(1 + any(most_bytes_));
        writer.write(bytes);
      }
    }
    const bool each = options_.durability == Durability::every_write && !offered_.empty();
    if ((durable || each) && !is_staged() && writer.status().ok()) promise();
  }

  std::string offer(std::size_t bytes) {
    std::string next = pattern(offered_.size(), bytes);
    offered_ += next;
    return next;
  }

  void promise() { promised_ = static_cast<std::int64_t>(offered_.size()); }

  std::string broken_in(const ModelledDisk::Image& image, std::int64_t promised) const {
    const auto found = image.find(name);
    if (found == image.end()) {
      return promised < 0 && !old_ ? "" : "the file is gone";
    }
    if (is_staged()) return broken_replacement(found->second, promised);
    const std::string before =
        options_.create == CreateMode::append ? old_.value_or("") : std::string();
    const std::size_t durable = promised < 0 ? 0 : static_cast<std::size_t>(promised);
    return is_prefix_of(before + offered_.substr(0, durable), found->second.bytes)
               ? ""
               : "some durable bytes are missing";
  }

  // After the cut the file must be either the old file or the new file.
  std::string broken_replacement(const ModelledDisk::File& file, std::int64_t promised) const {
    const bool is_new = file.bytes == offered_ && file.mode == (old_ ? kept_mode : 0600);
    const bool is_old = old_ && file.bytes == *old_ && file.mode == old_mode;
    if (is_new || (is_old && promised < 0)) return "";
    return promised < 0 ? "the file is neither the old file nor the new file"
                        : "the file is not the new file";
  }

  Random random_;
  ModelledDisk disk_;
  WriterOptions options_;
  std::size_t most_bytes_ = 400;  // in one write
  std::optional<std::string> old_;
  std::string offered_;
  std::atomic<std::int64_t> promised_{-1};  // durable bytes; -1: not even the name is durable
  std::int64_t promised_at_cut_ = -1;
};

std::string writer_case(std::uint64_t seed, Sync left_out) {
  return WriterCase(seed, left_out).broken_promise();
}

constexpr std::uint64_t writer_cases = 10'000;

TEST(CrashOfAWriter, LosesNoPromisedByte) { expect_kept(writer_case, writer_cases); }

TEST(CrashOfAWriter, IsNoticedWithoutOneOfTheSyncs) {
  for (const Sync sync : {Sync::fdatasync, Sync::fsync, Sync::directory, Sync::each_write}) {
    SCOPED_TRACE(static_cast<int>(sync));
    expect_noticed(writer_case, sync, writer_cases);
  }
}

// ---- Journal: several lives, each ended by a cut, a close or a sync that failed ----

class JournalCase {
 public:
  JournalCase(std::uint64_t seed, Sync left_out) : random_(seed), disk_(seed) {
    options_.framing = any(2) == 0 ? Framing::length_crc32c : Framing::raw;
    options_.buffer_bytes = 1 + any(300);
    disk_.leave_out(left_out);
  }

  std::string broken_promise() {
    const os::ScopedSystemCalls in_place(disk_);
    for (int life = 0; life < 4; ++life) {
      disk_.cut_power_at(1 + any(20), [this] { promised_at_cut_ = promised_.load(); });
      disk_.fail_sync_at(any(3) == 0 ? 1 + any(4) : 0);
      if (std::string broken = live(); !broken.empty()) return broken;
      std::optional<ModelledDisk::Image> image = disk_.after_cut();
      if (!image && disk_.has_failed_a_sync()) continue;  // in this case the power stays on
      if (image) promised_ = promised_at_cut_;
      if (!image) image = disk_.cut_power_now();
      if (std::string broken = broken_in(*image); !broken.empty()) return broken;
      disk_.load(*image);
    }
    return "";
  }

 private:
  std::size_t any(std::size_t count) { return random_() % count; }
  bool is_framed() const { return options_.framing != Framing::raw; }

  std::string live() {
    Journal journal;
    Recovered recovered;
    Status status = journal.open(ModelledDisk::path_of(name), options_, &recovered);
    if (!status.ok()) return unexpected(status);
    if (std::string broken = take_over(recovered); !broken.empty()) return broken;
    for (std::size_t i = any(14); i > 0 && status.ok(); --i) status = operate(journal);
    status = journal.close();
    if (status.ok()) promise(end());
    return unexpected(status);
  }

  std::string unexpected(const Status& status) const {
    return disk_.has_failed_a_sync() && status.operation() == Operation::sync ? ""
                                                                              : failure_of(status);
  }

  // The recovered bytes must be a beginning of the written bytes, end with a record, and be
  // durable.
  std::string take_over(const Recovered& recovered) {
    const std::string bytes = seen_bytes();
    if (!is_framed()) {
      written_ = bytes;
      tickets_.assign(1, written_.size());
    } else {
      if (std::string broken = broken_records(bytes); !broken.empty()) return broken;
      const journal_bytes::Found found = journal_bytes::find_records(bytes);
      if (found.whole_bytes != bytes.size()) return "half a record";
      if (recovered.records != found.records.size()) return "the number of records is wrong";
      records_.resize(found.records.size());
      tickets_.resize(found.records.size());
    }
    promise(end());
    return "";
  }

  // The file must be a beginning of the written bytes, with all promised bytes, and without damage.
  std::string broken_records(const std::string& bytes) const {
    const journal_bytes::Found found = journal_bytes::find_records(bytes);
    if (found.refused || found.is_damaged) return "a power cut looks like damage";
    if (found.records.size() > records_.size()) return "there are more records than were appended";
    const auto count = static_cast<std::ptrdiff_t>(found.records.size());
    if (!std::equal(found.records.begin(), found.records.end(), records_.begin()) ||
        !std::equal(tickets_.begin(), tickets_.begin() + count, found.ends.begin())) {
      return "a record differs from the appended record";
    }
    if (found.whole_bytes < promised_.load()) return "a committed record is missing";
    return "";
  }

  std::uint64_t end() const { return tickets_.empty() ? 0 : tickets_.back(); }

  std::string seen_bytes() {
    struct stat facts {};
    const long descriptor = disk_.open(ModelledDisk::path_of(name).c_str(), O_RDONLY, 0);
    disk_.fstat(static_cast<int>(descriptor), facts);
    std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
    disk_.pread(static_cast<int>(descriptor), bytes.data(), bytes.size(), 0);
    disk_.close(static_cast<int>(descriptor));
    return bytes;
  }

  Status operate(Journal& journal) {
    if (tickets_.empty() || any(3) != 0) {
      const std::string record = pattern(end(), any(200));
      written_ += record;
      Journal::Ticket ticket = 0;
      Status status = journal.append(record, ticket);
      if (!status.ok()) return status;
      records_.push_back(record);
      tickets_.push_back(ticket);
      return status;
    }
    const Journal::Ticket ticket = tickets_[tickets_.size() - 1 - any(tickets_.size()) / 2];
    Status status = journal.commit(ticket);
    if (status.ok()) promise(ticket);
    return status;
  }

  void promise(std::uint64_t bytes) { promised_ = std::max(promised_.load(), bytes); }

  std::string broken_in(const ModelledDisk::Image& image) const {
    const auto found = image.find(name);
    if (found == image.end()) return promised_.load() == 0 ? "" : "the file is gone";
    const std::string& bytes = found->second.bytes;
    if (is_framed()) return broken_records(bytes);
    const std::string promised = written_.substr(0, promised_.load());
    return is_prefix_of(promised, bytes) ? "" : "committed bytes are not there";
  }

  Random random_;
  ModelledDisk disk_;
  JournalOptions options_;
  std::string written_;               // the file's bytes without framing
  std::vector<std::string> records_;  // the file's records with framing
  std::vector<Journal::Ticket> tickets_;
  std::atomic<std::uint64_t> promised_{0};  // the durable bytes
  std::uint64_t promised_at_cut_ = 0;
};

std::string journal_case(std::uint64_t seed, Sync left_out) {
  return JournalCase(seed, left_out).broken_promise();
}

constexpr std::uint64_t journal_cases = 4000;

TEST(CrashOfAJournal, LosesNoCommittedOrRecoveredRecord) {
  expect_kept(journal_case, journal_cases);
}

TEST(CrashOfAJournal, IsNoticedWithoutOneOfTheSyncs) {
  for (const Sync sync : {Sync::fdatasync, Sync::directory}) {
    SCOPED_TRACE(static_cast<int>(sync));
    expect_noticed(journal_case, sync, journal_cases);
  }
}

// ---- Journal: many threads ----

constexpr std::size_t thread_count = 4;

struct Writers {
  std::atomic<std::size_t> committed[thread_count] = {};
  std::size_t committed_at_cut[thread_count] = {};

  void note() {
    for (std::size_t i = 0; i < thread_count; ++i) committed_at_cut[i] = committed[i];
  }
};

std::string record_of(std::size_t thread, std::size_t number) {
  return std::to_string(thread) + ":" + std::to_string(number) +
         std::string(number * 7 % 90, static_cast<char>('a' + thread));
}

void append_and_commit(Journal& journal, Writers& writers, std::size_t thread) {
  for (std::size_t number = 0; number < 12; ++number) {
    Journal::Ticket ticket = 0;
    journal.append(record_of(thread, number), ticket).throw_if_error();
    if (number % 3 != 0) continue;
    journal.commit(ticket).throw_if_error();
    writers.committed[thread] = number + 1;
  }
}

// Each thread's records must be in its order, without a gap, and all promised records must be
// there.
std::string broken_records(const Writers& writers) {
  JournalReader reader;
  std::size_t found[thread_count] = {};
  const bool is_there = reader.open(ModelledDisk::path_of(name)).code().value() != ENOENT;
  for (BytesView record; is_there && reader.next(record);) {
    const std::string text(reinterpret_cast<const char*>(record.data()), record.size());
    const auto thread = static_cast<std::size_t>(text[0] - '0');
    if (thread >= thread_count || text != record_of(thread, found[thread])) {
      return "a record that no thread wrote at this place: " + text;
    }
    ++found[thread];
  }
  if (is_there && !reader.status().ok()) return reader.status().message();
  Journal journal;
  if (const Status status = journal.open(ModelledDisk::path_of(name)); !status.ok()) {
    return "the Journal cannot be opened after a power cut: " + status.message();
  }
  for (std::size_t i = 0; i < thread_count; ++i) {
    if (found[i] < writers.committed_at_cut[i]) return "a committed record is missing";
  }
  return "";
}

std::string threads_case(std::uint64_t seed, Sync left_out) {
  ModelledDisk disk(seed);
  disk.leave_out(left_out);
  const os::ScopedSystemCalls in_place(disk);
  Writers writers;
  disk.cut_power_at(1 + seed % 40, [&] { writers.note(); });
  {
    Journal journal;
    journal.open(ModelledDisk::path_of(name), {Framing::length_crc32c, 1 + seed * 37 % 500})
        .throw_if_error();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) {
      threads.emplace_back([&, i] { append_and_commit(journal, writers, i); });
    }
    for (std::thread& thread : threads) thread.join();
    journal.close().throw_if_error();
  }
  std::optional<ModelledDisk::Image> image = disk.after_cut();
  if (!image) writers.note();
  disk.load(image ? *image : disk.cut_power_now());
  return broken_records(writers);
}

TEST(CrashOfAJournal, LosesNoCommittedRecordOfManyThreads) {
  expect_kept(threads_case, 200);
  expect_noticed(threads_case, Sync::fdatasync, 200);
}

}  // namespace
}  // namespace sluice::testing
