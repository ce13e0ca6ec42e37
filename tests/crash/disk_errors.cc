// A program on a failing disk: the results that it gets must agree with the contents of the file.
//
// usage: crash_disk_errors late HOW FILE BYTES
//        crash_disk_errors honest HOW DURABILITY FILE
//        crash_disk_errors again FILE
//        crash_disk_errors holds FILE POSITION
//
// HOW: truncate, append, exclusive, replace, journal. DURABILITY: none, on_close, every_flush,
// every_write; a Journal takes no notice of it.
//
// `late` writes BYTES bytes, which the disk accepts, and prints "written". It then waits for a line
// on standard input; by then the disk is broken. It makes the bytes durable, which must fail, and
// prints the failure. After another line the disk works again. `late` then tries all calls once
// more: the failure must stay.
//
// `honest` gives the order in $ORDER to the faulty file system of FILE, writes a few blocks, prints
// "ok" or "failed: ...", and compares the file with this result.
//
// `again` opens a Journal whose last process ended with a failure, commits a record, and prints the
// position behind it.
//
// `holds` reads the records, which must reach up to POSITION.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/journal.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::crash {
namespace {

using testing::contents_of;
using testing::pattern;

constexpr std::size_t block_bytes = 4096;
constexpr std::string_view old_contents = "what was there before";

void expect(bool holds, const std::string& promise) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", promise.c_str());
  std::exit(1);
}

void expect_same(const Status& status, const Status& first) {
  expect(status.message() == first.message(),
         "the failure stays: " + first.message() + "; it became: " + status.message());
}

void tell(const Status& status) {
  std::puts(status.ok() ? "ok" : ("failed: " + status.message()).c_str());
  std::fflush(stdout);
}

// Waits for the test, which changes the disk.
void wait_for_the_test() {
  std::string line;
  std::getline(std::cin, line);
}

void say_written() {
  std::puts("written");
  std::fflush(stdout);
  wait_for_the_test();
}

CreateMode create_mode(const std::string& how) {
  static const std::map<std::string, CreateMode> modes = {
      {"truncate", CreateMode::truncate},
      {"append", CreateMode::append},
      {"exclusive", CreateMode::exclusive},
      {"replace", CreateMode::replace_atomically}};
  return modes.at(how);
}

Durability durability(const std::string& name) {
  static const std::map<std::string, Durability> names = {{"none", Durability::none},
                                                          {"on_close", Durability::on_close},
                                                          {"every_flush", Durability::every_flush},
                                                          {"every_write", Durability::every_write}};
  return names.at(name);
}

// The old file that a create mode finds, and the part of it that the mode keeps.
std::string make_old_file(CreateMode create, const std::string& path) {
  if (create != CreateMode::exclusive) testing::make_file(path, old_contents);
  return std::string(create == CreateMode::append ? old_contents : "");
}

void expect_replaced_nothing(const std::string& path) {
  expect(contents_of(path) == old_contents, "the old file is there, whole");
  const std::string folder = std::filesystem::path(path).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    expect(!name.starts_with(".sluice-"), "the temporary file is gone");
  }
}

// ---- errors that come only with the sync ----

void late_writer(CreateMode create, const std::string& path, std::size_t bytes) {
  make_old_file(create, path);
  Writer writer;
  expect(writer.open(path, {.create = create, .durability = Durability::on_close}).ok(),
         "it opens");
  expect(writer.write(std::string_view(pattern(0, bytes))), "the bytes are accepted");
  say_written();
  const bool replaces = create == CreateMode::replace_atomically;
  const Status first = replaces ? writer.close() : writer.flush(FlushTo::storage);
  expect(first.operation() == Operation::sync, "the sync fails: " + first.message());
  tell(first);
  wait_for_the_test();
  expect_same(writer.flush(FlushTo::storage), first);
  expect(!writer.write("more"), "nothing more is accepted");
  expect_same(writer.flush(), first);
  expect_same(writer.close(), first);
  expect_same(writer.close(), first);
  expect_same(writer.status(), first);
  if (replaces) expect_replaced_nothing(path);
}

// The bytes go in records, so that only their size differs from a Journal in use.
void late_journal(const std::string& path, std::size_t bytes) {
  constexpr std::size_t record_bytes = 100'000;
  Journal journal;
  Journal::Ticket ticket = 0;
  expect(journal.open(path).ok(), "it opens");
  while (ticket < bytes) {
    expect(journal.append(pattern(ticket, record_bytes), ticket).ok(), "the record is accepted");
  }
  say_written();
  const Status first = journal.commit(ticket);
  expect(first.operation() == Operation::sync, "the sync fails: " + first.message());
  tell(first);
  wait_for_the_test();
  expect_same(journal.commit(ticket), first);
  expect_same(journal.append("more", ticket), first);
  expect_same(journal.durable_up_to(ticket), first);
  expect_same(journal.close(), first);
  expect_same(journal.close(), first);
}

void live_again(const std::string& path) {
  Journal journal;
  Journal::Ticket ticket = 0;
  const Status opened = journal.open(path);
  expect(opened.ok(), "it opens: " + opened.message());
  expect(journal.append("after the failure", ticket).ok(), "a record is accepted");
  expect(journal.commit(ticket).ok(), "and durable");
  std::printf("%llu\n", static_cast<unsigned long long>(ticket));
}

void expect_records_up_to(const std::string& path, std::uint64_t position) {
  JournalReader reader;
  expect(reader.open(path).ok(), "the Journal can be read");
  BytesView record;
  while (reader.next(record)) continue;
  expect(reader.position() >= position, "records up to " + std::to_string(position) +
                                            " were committed; there are those up to " +
                                            std::to_string(reader.position()));
}

// ---- errors of any call ----

// Gives an order to the faulty file system that `path` lies in.
void give_order(const std::string& path, const std::string& order) {
  testing::make_file(std::filesystem::path(path).replace_filename("orders"), order);
}

// To be called when the old file exists, so that the calls that make it do not count.
std::string order_of_the_test() {
  const char* order = std::getenv("ORDER");
  expect(order != nullptr, "there is an order");
  return order;
}

// The calls after this only look at the result, and do not count.
void tell_and_end_order(const Status& status, const std::string& path) {
  tell(status);
  give_order(path, "end");
}

void check_written(const Status& status, const std::string& kept, const std::string& offered,
                   const std::string& path) {
  if (status.operation() == Operation::open && !status.ok()) return;
  const std::string contents = contents_of(path);
  expect((kept + offered).starts_with(contents), "the file holds what was written, in order");
  if (status.ok()) expect(contents == kept + offered, "ok is said of a file that is whole");
  if (status.operation() == Operation::write) {
    expect(status.offset() == contents.size(),
           "the failure names the first byte not written: " + status.message() + "; the file has " +
               std::to_string(contents.size()));
  }
}

void check_replaced(const Status& status, const std::string& offered, const std::string& path) {
  const bool in_place = status.ok() || status.operation() == Operation::sync_directory;
  if (!in_place) return expect_replaced_nothing(path);
  expect(contents_of(path) == offered, "the new file is there, whole");
}

void honest_writer(CreateMode create, Durability how, const std::string& path) {
  const std::string kept = make_old_file(create, path);
  const std::string offered = pattern(0, 5 * block_bytes + 321);
  give_order(path, order_of_the_test());
  Writer writer;
  Status status =
      writer.open(path, {.create = create, .durability = how, .block_bytes = block_bytes});
  if (status.ok()) {
    constexpr std::size_t pieces[] = {1, 300, block_bytes + 1, 2 * block_bytes, 5000};
    std::string_view rest = offered;
    for (std::size_t i = 0; !rest.empty(); ++i) {
      const std::string_view piece = rest.substr(0, pieces[i % std::size(pieces)]);
      writer.write(piece);
      rest.remove_prefix(piece.size());
      if (i == 1) static_cast<void>(writer.flush());
    }
    status = writer.close();
    // The sync of the directory is the only operation that a second close() tries again.
    if (status.operation() != Operation::sync_directory) expect_same(writer.close(), status);
  }
  tell_and_end_order(status, path);
  if (create == CreateMode::replace_atomically) return check_replaced(status, offered, path);
  check_written(status, kept, offered, path);
}

void honest_journal(const std::string& path) {
  constexpr std::size_t records = 6;
  const auto record = [](std::size_t number) { return pattern(number, 1000 * number); };
  Journal journal;
  std::size_t durable = 0;
  give_order(path, order_of_the_test());
  Status status = journal.open(path, {.buffer_bytes = 1024});
  for (std::size_t number = 0; status.ok() && number < records; ++number) {
    Journal::Ticket ticket = 0;
    status = journal.append(record(number), ticket);
    if (status.ok()) status = journal.commit(ticket);
    if (status.ok()) durable = number + 1;
  }
  const Status closed = journal.close();
  if (status.ok()) {
    status = closed;
  } else {
    expect_same(closed, status);
  }
  tell_and_end_order(status, path);
  JournalReader reader;
  if (durable != 0) expect(reader.open(path).ok(), "the Journal can be read");
  BytesView found;
  for (std::size_t number = 0; number < durable; ++number) {
    expect(reader.next(found), "a committed record is there");
    const std::string_view text(reinterpret_cast<const char*>(found.data()), found.size());
    expect(text == record(number), "a committed record is whole");
  }
}

int main(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "again") {
    live_again(arguments[1]);
    return 0;
  }
  if (arguments.size() == 3 && arguments[0] == "holds") {
    expect_records_up_to(arguments[1], std::stoull(arguments[2]));
    return 0;
  }
  if (arguments.size() != 4) {
    std::fprintf(stderr, "crash_disk_errors: see tests/crash/disk_errors.cc\n");
    return 2;
  }
  const bool is_journal = arguments[1] == "journal";
  if (arguments[0] == "late") {
    const std::size_t bytes = std::stoull(arguments[3]);
    is_journal ? late_journal(arguments[2], bytes)
               : late_writer(create_mode(arguments[1]), arguments[2], bytes);
  } else {
    is_journal ? honest_journal(arguments[3])
               : honest_writer(create_mode(arguments[1]), durability(arguments[2]), arguments[3]);
  }
  return 0;
}

}  // namespace
}  // namespace sluice::crash

int main(int count, char** arguments) {
  return sluice::crash::main({arguments + 1, arguments + count});
}
