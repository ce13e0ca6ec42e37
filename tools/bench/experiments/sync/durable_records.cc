#include "bench/experiments/sync/durable_records.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/rows/thread_team.h"
#include "bench/latency.h"
#include "sluice/files.h"
#include "sluice/journal.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

using Record = std::array<unsigned char, 100>;
using Seconds = std::vector<double>;
using Clock = std::chrono::steady_clock;

// Raw framing: the file holds only the records, as in the other rows, and can be compared.
constexpr JournalOptions raw{.framing = Framing::raw};
constexpr std::size_t records_in_flight = 64;
constexpr std::uint64_t max_thread_share = 16;  // the largest RecordRow::share

// A record has its number, then bytes that are computed from the number.
Record record_of(std::uint64_t number) {
  Record record;
  for (std::size_t i = 0; i < record.size(); ++i) record[i] = byte_at(number * record.size() + i);
  std::memcpy(record.data(), &number, sizeof number);
  return record;
}

std::string_view text_of(const Record& record) {
  return {reinterpret_cast<const char*>(record.data()), record.size()};
}

// Throws unless every record is in the file once and whole. Threads may have written them in any
// order.
void expect_records(const std::string& path, std::uint64_t records) {
  std::string content;
  read_file(path, content).throw_if_error();
  std::vector<bool> seen(records, false);
  if (content.size() != records * sizeof(Record)) {
    throw std::runtime_error(fmt::format("{} has {} bytes instead of {}", path, content.size(),
                                         records * sizeof(Record)));
  }
  for (std::size_t at = 0; at < content.size(); at += sizeof(Record)) {
    std::uint64_t number = 0;
    std::memcpy(&number, content.data() + at, sizeof number);
    if (number >= records || seen[number] ||
        content.compare(at, sizeof(Record), text_of(record_of(number))) != 0) {
      throw std::runtime_error(fmt::format("{} has a wrong record at byte {}", path, at));
    }
    seen[number] = true;
  }
}

// Calls write(record) for each record in turn, and notes the time of each call.
template <typename Write>
void write_in_turn(std::uint64_t records, Write write) {
  Seconds seconds;
  seconds.reserve(records);
  for (std::uint64_t number = 0; number < records; ++number) {
    const Record record = record_of(number);
    timed(seconds, [&] { write(record); });
  }
  note_operations(std::move(seconds));
}

using Work = std::function<void(const std::string& path, std::uint64_t records)>;

template <typename Sync>
Work by_write(int flags, Sync sync) {
  return [flags, sync](const std::string& path, std::uint64_t records) {
    RawOutput output(path, flags);
    write_in_turn(records, [&](const Record& record) {
      output.write(record.data(), record.size());
      sync(output);
    });
    output.close();
  };
}

template <typename Flush>
Work by_writer(Durability durability, Flush flush) {
  return [durability, flush](const std::string& path, std::uint64_t records) {
    Writer writer;
    writer.open(path, {.durability = durability}).throw_if_error();
    write_in_turn(records, [&](const Record& record) {
      writer.write(text_of(record));
      flush(writer);
    });
    writer.close().throw_if_error();
  };
}

// The thread commits the records with the numbers thread, thread + threads, thread + 2 * threads...
void commit_share(Journal& journal, std::uint64_t thread, std::uint64_t threads,
                  std::uint64_t records, Seconds& seconds) {
  for (std::uint64_t number = thread; number < records; number += threads) {
    const Record record = record_of(number);
    timed(seconds, [&] {
      Journal::Ticket ticket = 0;
      journal.append(text_of(record), ticket).throw_if_error();
      journal.commit(ticket).throw_if_error();
    });
  }
}

Work by_journal(std::uint64_t threads) {
  return [threads](const std::string& path, std::uint64_t records) {
    Journal journal;
    journal.open(path, raw).throw_if_error();
    std::vector<Seconds> seconds(threads);
    ThreadTeam(threads, [&](std::size_t thread) {
      commit_share(journal, thread, threads, records, seconds[thread]);
    }).run();
    journal.close().throw_if_error();
    Seconds all;
    for (const Seconds& own : seconds) all.insert(all.end(), own.begin(), own.end());
    note_operations(std::move(all));
  };
}

// One thread writes records while up to `records_in_flight` earlier records are not durable yet.
void keep_in_flight(const std::string& path, std::uint64_t records) {
  struct OnItsWay {
    Journal::Ticket ticket;
    Clock::time_point since;
  };
  Journal journal;
  journal.open(path, raw).throw_if_error();
  std::deque<OnItsWay> in_flight;
  Seconds seconds;
  for (std::uint64_t number = 0; number < records || !in_flight.empty();) {
    while (number < records && in_flight.size() < records_in_flight) {
      const Clock::time_point since = Clock::now();
      Journal::Ticket ticket = 0;
      journal.append(text_of(record_of(number++)), ticket).throw_if_error();
      in_flight.push_back({ticket, since});
    }
    journal.commit(in_flight.front().ticket).throw_if_error();
    Journal::Ticket durable = 0;
    journal.durable_up_to(durable).throw_if_error();
    const Clock::time_point now = Clock::now();
    for (; !in_flight.empty() && in_flight.front().ticket <= durable; in_flight.pop_front()) {
      seconds.push_back(std::chrono::duration<double>(now - in_flight.front().since).count());
    }
  }
  journal.close().throw_if_error();
  note_operations(std::move(seconds));
}

// Removes the file, because a Journal would continue it.
void remove_records(const std::string& path) {
  if (std::filesystem::is_regular_file(path)) std::filesystem::remove(path);
}

struct RecordRow {
  std::string name;
  Kind kind;
  std::uint64_t share;  // the row writes `share` times as many records as the others
  Work work;
};

std::vector<RecordRow> record_rows() {
  const auto nothing = [](auto&) {};
  std::vector<RecordRow> rows = {
      {"write(2) O_DSYNC", Kind::baseline, 1, by_write(O_DSYNC, nothing)},
      {"write(2) O_SYNC", Kind::peer, 1, by_write(O_SYNC, nothing)},
      {"write(2) + fdatasync", Kind::peer, 1,
       by_write(0, [](RawOutput& output) { output.synchronize(); })},
      {"sluice write, every_write", Kind::sluice, 1, by_writer(Durability::every_write, nothing)},
      {"sluice write + flush, every_flush", Kind::sluice, 1,
       by_writer(Durability::every_flush, [](Writer& writer) { writer.flush().throw_if_error(); })},
  };
  for (const std::uint64_t threads : {1u, 4u, 16u, 64u}) {
    rows.push_back({fmt::format("Journal commit, {} thread{}", threads, threads == 1 ? "" : "s"),
                    Kind::sluice, std::min(threads, max_thread_share), by_journal(threads)});
  }
  rows.push_back({fmt::format("Journal, 1 thread, {} in flight", records_in_flight), Kind::sluice,
                  max_thread_share, keep_in_flight});
  return rows;
}

Strategy strategy_of(const RecordRow& row, const std::string& path, std::uint64_t records) {
  const std::uint64_t own = records * row.share;
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = 0,
      .bytes = own * sizeof(Record),
      .operations = own,
      .prepare = [path] { remove_records(path); },
      .run = [work = row.work, path, own] { work(path, own); },
      .verify = [path, own] { expect_records(path, own); },
  };
}

}  // namespace

Experiment::Group durable_records_group(const std::string& path, std::uint64_t records) {
  const RawWrite limit{
      .paths = {path}, .bytes = records * sizeof(Record), .finish = Finish::durable};
  Experiment::Group group{
      .title = fmt::format("records of {} bytes, each durable before it counts", sizeof(Record)),
      .strategies = {raw_write_strategy(limit)},
      .why =
          "A record that shares no sync costs one wait for the device. Commits that come while one "
          "sync is under way share the next sync.",
  };
  for (const RecordRow& row : record_rows()) {
    group.strategies.push_back(strategy_of(row, path, records));
  }
  return group;
}

std::uint64_t max_bytes_of_durable_records(std::uint64_t records) {
  return records * max_thread_share * sizeof(Record);
}

}  // namespace sluice::bench
