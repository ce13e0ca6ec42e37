#include "loops.h"

#include <cstdio>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "sluice/journal.h"
#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/pattern.h"

namespace sluice::soak {
namespace {

using Random = std::mt19937_64;

constexpr std::size_t records_of_each_thread = 200;

WriterOptions any_options(Random& random) {
  constexpr CreateMode modes[] = {CreateMode::truncate, CreateMode::append, CreateMode::exclusive,
                                  CreateMode::replace_atomically};
  constexpr Durability durabilities[] = {Durability::on_close, Durability::every_flush,
                                         Durability::every_write};
  constexpr WriteBehind kinds[] = {WriteBehind::automatic, WriteBehind::on, WriteBehind::off};
  WriterOptions options;
  options.create = modes[random() % 4];
  options.durability = random() % 8 == 0 ? durabilities[random() % 3] : Durability::none;
  options.write_behind = kinds[random() % 3];
  options.block_bytes = std::size_t{1} << (9 + random() % 10);  // 512 to 256 KiB
  options.blocks_in_flight = 1 + random() % 4;
  options.write_back_bytes = random() % 4 == 0 ? std::size_t{1} << 20 : 0;
  return options;
}

// `bytes` bytes of the pattern from `begin` on, in pieces of any size, some of them byte by byte.
void write_pattern(Writer& writer, Random& random, std::uint64_t begin, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t most = random() % 16 == 0 ? 400'000 : 5000;
    const std::size_t piece = std::min<std::size_t>(1 + random() % most, bytes - done);
    const std::string text = testing::pattern(begin + done, piece);
    if (piece < 100) {
      for (const char byte : text) writer.put(byte);
    } else {
      writer.write(text);
    }
    if (random() % 64 == 0) writer.flush().throw_if_error();
    done += piece;
  }
}

bool has_pattern(Reader& reader, Random& random, std::uint64_t begin, std::size_t bytes) {
  std::string into(1 + random() % 300'000, '\0');
  std::size_t done = 0;
  for (std::size_t got = 1; got != 0; done += got) {
    got = reader.read(into.data(), into.size());
    if (into.compare(0, got, testing::pattern(begin + done, got)) != 0) return false;
  }
  return done == bytes && reader.close().ok();
}

std::string record_of(std::size_t thread, std::size_t number) {
  return std::to_string(thread) + ":" + std::to_string(number) + ":" +
         testing::pattern(thread * 1'000'003 + number, number * 31 % 700);
}

void append_records(Progress& progress, Journal& journal, std::size_t thread) {
  for (std::size_t number = 0; number < records_of_each_thread; ++number) {
    Journal::Ticket ticket = 0;
    if (!progress.is_ok(journal.append(record_of(thread, number), ticket))) return;
    if (number % 4 == 3) {
      if (!progress.is_ok(journal.commit(ticket))) return;
      ++progress.commits;
    } else if (number % 32 == 5 && !progress.is_ok(journal.durable_up_to(ticket))) {
      return;
    }
  }
}

// Every record of every thread, each thread's in its order.
bool has_records(Progress& progress, const std::string& path, std::size_t threads) {
  JournalReader reader;
  if (!progress.is_ok(reader.open(path))) return false;
  std::vector<std::size_t> next(threads, 0);
  for (BytesView bytes; reader.next(bytes);) {
    const std::string_view record(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t thread = std::stoul(std::string(record.substr(0, record.find(':'))));
    if (thread >= threads || record != record_of(thread, next[thread])) return false;
    ++next[thread];
    progress.bytes += record.size();
  }
  for (const std::size_t count : next) {
    if (count != records_of_each_thread) return false;
  }
  return progress.is_ok(reader.status());
}

}  // namespace

void Progress::fail(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = reason;
  stopped = true;
}

std::string Progress::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool Progress::is_ok(const Status& status) {
  if (!status.ok()) fail(status.message());
  return status.ok();
}

bool Progress::holds(bool condition, const std::string& what) {
  if (!condition) fail(what);
  return condition;
}

void write_and_read(Progress& progress, const std::string& path, std::uint64_t seed) {
  Random random(seed);
  while (progress.goes_on()) {
    const std::uint64_t begin = random() % 1'000'000;
    const std::size_t bytes = random() % 8 == 0 ? random() % 4'000'000 : random() % 100'000;
    std::remove(path.c_str());
    Writer writer;
    if (!progress.is_ok(writer.open(path, any_options(random)))) return;
    write_pattern(writer, random, begin, bytes);
    if (!progress.is_ok(writer.close())) return;
    Reader reader;
    if (!progress.is_ok(reader.open(path))) return;
    if (!progress.holds(has_pattern(reader, random, begin, bytes), path + " has other bytes")) {
      return;
    }
    ++progress.files;
    progress.bytes += bytes;
  }
}

void append_and_commit(Progress& progress, const std::string& path, std::size_t threads,
                       std::uint64_t seed) {
  Random random(seed);
  while (progress.goes_on()) {
    std::remove(path.c_str());
    Journal journal;
    const JournalOptions options{.framing = Framing::length_crc32c,
                                 .buffer_bytes = 100 + random() % 100'000};
    if (!progress.is_ok(journal.open(path, options))) return;
    std::vector<std::thread> team;
    for (std::size_t i = 0; i < threads; ++i) {
      team.emplace_back([&, i] { append_records(progress, journal, i); });
    }
    for (std::thread& thread : team) thread.join();
    if (!progress.is_ok(journal.close())) return;
    if (!progress.holds(has_records(progress, path, threads), path + " has other records")) return;
    ++progress.journals;
  }
}

}  // namespace sluice::soak
