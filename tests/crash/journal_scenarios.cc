// The Journal: every committed record is there, in order and whole, and the torn end is cut off.
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "scenario.h"
#include "sluice/journal.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::crash {
namespace {

constexpr const char* journal_name = "journal";
constexpr std::size_t buffer_bytes = 4096;  // records leave in parts, some of them without a sync
constexpr JournalOptions framed = {.buffer_bytes = buffer_bytes};

// ---- records that say which thread wrote them ----

std::string record_of(std::uint64_t writer, std::uint64_t number) {
  const std::uint64_t mixed = (writer * 1'000'003 + number + 1) * 0x9e3779b97f4a7c15u >> 40;
  const std::size_t bytes = mixed % 8 == 0 ? mixed % 12'000 : mixed % 150;
  return std::to_string(writer) + ' ' + std::to_string(number) + ' ' +
         testing::pattern(mixed, bytes);
}

std::uint64_t name_of_record(std::uint64_t writer, std::uint64_t number) {
  return writer << 32 | number;
}

void append_and_commit(Run& run, Journal& journal, std::uint64_t writer) {
  for (std::uint64_t number = 0; number < run.steps(); ++number) {
    Journal::Ticket ticket = 0;
    run.expect_ok(journal.append(record_of(writer, number), ticket));
    if (number % 3 == 2) continue;  // the next commit covers it
    run.expect_ok(journal.commit(ticket));
    run.acknowledge(ticket, name_of_record(writer, number));
  }
}

// Works like a program that has other work until its record is durable.
void append_and_ask(Run& run, Journal& journal, std::uint64_t writer) {
  for (std::uint64_t number = 0; number < run.steps(); ++number) {
    Journal::Ticket ticket = 0;
    run.expect_ok(journal.append(record_of(writer, number), ticket));
    if (number % 3 == 2) continue;
    for (Journal::Ticket durable = 0; durable < ticket; std::this_thread::yield()) {
      run.expect_ok(journal.durable_up_to(durable));
    }
    run.acknowledge(ticket, name_of_record(writer, number));
  }
}

// One of the threads asks with durable_up_to().
void append_from_threads(Run& run) {
  Journal journal;
  run.begin();
  run.expect_ok(journal.open(run.file(journal_name), framed));
  std::vector<std::thread> threads;
  for (std::uint64_t writer = 0; writer < run.threads(); ++writer) {
    threads.emplace_back([&run, &journal, writer] {
      writer == 0 ? append_and_ask(run, journal, writer) : append_and_commit(run, journal, writer);
    });
  }
  for (std::thread& thread : threads) thread.join();
  run.expect_ok(journal.close());
}

// One thread, so that the same system calls come in the same order each time.
void append_and_reopen(Run& run) {
  run.begin();
  for (std::uint64_t number = 0; number < run.steps(); ++number) {
    Journal journal;
    Journal::Ticket ticket = 0;
    run.expect_ok(journal.open(run.file(journal_name), framed));
    run.expect_ok(journal.append(record_of(0, 2 * number), ticket));
    run.expect_ok(journal.commit(ticket));
    run.acknowledge(ticket, name_of_record(0, 2 * number));
    run.expect_ok(journal.append(record_of(0, 2 * number + 1), ticket));
    run.expect_ok(journal.close());
    run.acknowledge(ticket, name_of_record(0, 2 * number + 1));
  }
}

std::string text_of(BytesView record) {
  return {reinterpret_cast<const char*>(record.data()), record.size()};
}

// Counts the records of each writer. Each must be whole, and a writer's own must be in order and
// without a gap.
std::map<std::uint64_t, std::uint64_t> read_records(const std::string& path, std::uint64_t& end) {
  std::map<std::uint64_t, std::uint64_t> records;
  JournalReader reader;
  expect(reader.open(path).ok(), "the Journal can be read");
  for (BytesView record; reader.next(record);) {
    const std::string text = text_of(record);
    const std::uint64_t writer = std::stoull(text);
    const std::uint64_t number = records[writer]++;
    expect(text == record_of(writer, number), "record " + std::to_string(number) + " of writer " +
                                                  std::to_string(writer) +
                                                  " is whole and in its place");
  }
  expect(reader.status().ok(), "the Journal can be read to its end");
  end = reader.position();
  return records;
}

// The bytes that were cut off are in a file beside the Journal.
void expect_kept(const Recovered& recovered, const std::string& before) {
  if (recovered.torn_bytes == 0 || recovered.whole_bytes == 0) return;
  expect(testing::contents_of(recovered.torn_path) == before.substr(recovered.whole_bytes),
         "what was torn is kept");
}

// Opening recovers, and does not take a power cut for damage. The recovered records are the ones
// that a JournalReader had shown, and a new record can be appended.
void expect_goes_on(const std::string& path, std::uint64_t whole_bytes) {
  const std::string before = testing::contents_of(path);
  Journal journal;
  Recovered recovered;
  const Status opened = journal.open(path, framed, &recovered);
  expect(opened.ok(), "the Journal opens: " + opened.message());
  expect(recovered.whole_bytes == whole_bytes, "what is whole is kept");
  expect_kept(recovered, before);
  std::printf("torn %llu\n", static_cast<unsigned long long>(recovered.torn_bytes));
  Journal::Ticket ticket = 0;
  expect(journal.append("9 last", ticket).ok() && journal.commit(ticket).ok(),
         "the Journal takes a record");
  expect(journal.close().ok(), "the Journal closes");
  JournalReader reader;
  expect(reader.open(path).ok(), "the Journal can be read");
  for (BytesView record; reader.next(record);) continue;
  expect(std::filesystem::file_size(path) == reader.position(), "what was torn is cut off");
}

void check_records(const std::string& folder, const Told& told) {
  const std::string path = folder + "/" + journal_name;
  if (told.empty() && !testing::file_exists(path)) return;
  expect(testing::file_exists(path), "the Journal has its name");
  std::uint64_t end = 0;
  auto records = read_records(path, end);
  expect(end >= largest(told), "the Journal is whole up to " + std::to_string(largest(told)) +
                                   ", which commit() said ok to: up to " + std::to_string(end));
  for (const Acknowledged& each : told) {
    const std::uint64_t writer = each.detail >> 32;
    const std::uint64_t number = each.detail & 0xffffffff;
    expect(records[writer] > number, "record " + std::to_string(number) + " of writer " +
                                         std::to_string(writer) + " is there");
  }
  expect_goes_on(path, end);
}

// ---- without framing: the bytes and nothing else ----

void append_raw(Run& run) {
  run.begin();
  Journal journal;
  run.expect_ok(journal.open(run.file(journal_name),
                             {.framing = Framing::raw, .buffer_bytes = buffer_bytes}));
  Journal::Ticket ticket = 0;
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    for (std::size_t records = run.any(3) + 1; records > 0; --records) {
      const std::string record = testing::pattern(ticket, run.any(9) == 0 ? 9000 : run.any(200));
      run.expect_ok(journal.append(record, ticket));
    }
    run.expect_ok(journal.commit(ticket));
    run.acknowledge(ticket);
  }
  run.expect_ok(journal.close());
}

void check_raw(const std::string& folder, const Told& told) {
  if (told.empty()) return;
  const std::string path = folder + "/" + journal_name;
  expect(testing::file_exists(path), "the Journal has its name");
  const std::uint64_t durable = largest(told);
  expect(testing::contents_of(path).starts_with(testing::pattern(0, durable)),
         "the records are there up to " + std::to_string(durable));
}

// ---- a name that nobody has synced: open() does ----

std::string name_of_journal(std::uint64_t step) { return "journal-" + std::to_string(step); }

void rename_and_open(Run& run) {
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    Journal journal;
    run.expect_ok(journal.open(run.file("old-" + std::to_string(step)), framed));
    run.expect_ok(journal.close());
  }
  run.begin();
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    const std::string path = run.file(name_of_journal(step));
    run.rename("old-" + std::to_string(step), name_of_journal(step));
    Journal journal;
    run.expect_ok(journal.open(path, framed));
    run.acknowledge(step);
    run.expect_ok(journal.close());
  }
}

void check_names(const std::string& folder, const Told& told) {
  for (const Acknowledged& each : told) {
    const std::string path = folder + "/" + name_of_journal(each.value);
    expect(testing::file_exists(path), path + " is there");
    expect_goes_on(path, std::filesystem::file_size(path));
  }
}

constexpr Scenario scenarios[] = {
    {"journal", append_and_reopen, check_records},
    {"journal_threads", append_from_threads, check_records},
    {"journal_raw", append_raw, check_raw},
    {"journal_names", rename_and_open, check_names},
};

}  // namespace

std::span<const Scenario> journal_scenarios() { return scenarios; }

}  // namespace sluice::crash
