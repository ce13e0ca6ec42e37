// The end of a process whose Writers and Journals are still open and whose library threads are
// alive.
//
// usage: exit_test SCENARIO FOLDER, then exit_test verify FOLDER
#include <fcntl.h>
#include <sluice/files.h>
#include <sluice/journal.h>
#include <sluice/standard_streams.h>
#include <sluice/writer.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "check.h"

namespace {

constexpr std::size_t block_bytes = 4096;
constexpr int lines = 100'000;

// Constructed before the engine's thread starts, so destroyed after the library's work at exit.
sluice::Writer static_writer;

sluice::Writer static_output;

sluice::Writer* leaked_writer = nullptr;  // never deleted

sluice::Journal static_journal;
sluice::Journal* leaked_journal = nullptr;  // never deleted

// Opens a Writer when everything else has ended.
struct LastWords {
  ~LastWords() {
    if (path.empty()) return;
    sluice::Writer writer;
    check(writer.open(path, {.write_behind = sluice::WriteBehind::on, .block_bytes = block_bytes})
              .ok(),
          "a Writer opens during exit");
    for (const char byte : numbered_lines(0, lines)) writer.put(byte);
    check(writer.close().ok(), "a Writer closes during exit");
  }
  std::string path;
} last_words;

void open_and_fill(sluice::Writer& writer, const std::string& path) {
  check(
      writer.open(path, {.write_behind = sluice::WriteBehind::on, .block_bytes = block_bytes}).ok(),
      "the file opens");
  for (const char byte : numbered_lines(0, lines)) writer.put(byte);
}

std::string out(const std::string& folder) { return folder + "/out"; }

void leak_a_writer(const std::string& folder) {
  leaked_writer = new sluice::Writer;
  open_and_fill(*leaked_writer, folder + "/leaked");
  check(sluice::write_file(out(folder), numbered_lines(0, lines)).ok(), "a file is written");
}

void leave_a_static_writer_open(const std::string& folder) {
  open_and_fill(static_writer, out(folder));
}

void leave_standard_output_open(const std::string& folder) {
  const int file = ::open(out(folder).c_str(), O_WRONLY | O_CREAT, 0600);
  check(::dup2(file, 1) == 1, "standard output is a file");
  static_output = sluice::standard_output();
  check(static_output.write(numbered_lines(0, lines)), "the lines are written");
}

void exit_from_another_thread(const std::string& folder) {
  open_and_fill(static_writer, out(folder));
  std::thread([] { std::exit(0); }).join();
}

void exit_with_a_writer_on_the_stack(const std::string& folder) {
  sluice::Writer writer;
  open_and_fill(writer, folder + "/leaked");
  check(sluice::write_file(out(folder), numbered_lines(0, lines)).ok(), "a file is written");
  std::exit(0);
}

void write_during_exit(const std::string& folder) {
  sluice::Writer writer;
  open_and_fill(writer, folder + "/other");
  check(writer.close().ok(), "the engine has worked");
  last_words.path = out(folder);
}

// Leaves with the Journal's thread at work.
void append_lines(sluice::Journal& journal, const std::string& path) {
  check(journal.open(path, {.framing = sluice::Framing::raw}).ok(), "the Journal opens");
  sluice::Journal::Ticket ticket = 0;
  for (int i = 0; i < lines; ++i) {
    check(journal.append(numbered_lines(i, i + 1), ticket).ok(), "a line is appended");
  }
  check(journal.durable_up_to(ticket).ok(), "the Journal is asked");
}

void leave_a_static_journal_open(const std::string& folder) {
  append_lines(static_journal, out(folder));
}

void leak_a_journal(const std::string& folder) {
  leaked_journal = new sluice::Journal;
  append_lines(*leaked_journal, out(folder));
  sluice::Journal::Ticket last = 0;
  check(leaked_journal->append("", last).ok(), "nothing is appended");
  check(leaked_journal->commit(last).ok(), "the lines are committed");
}

void leave_by_quick_exit(const std::string& folder) {
  leak_a_writer(folder);
  std::quick_exit(0);
}

void verify(const std::string& folder) {
  check(contents_of(out(folder)) == numbered_lines(0, lines), "each byte is in the file once");
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(const std::string&)> scenarios = {
      {"leaked_writer", leak_a_writer},
      {"static_writer", leave_a_static_writer_open},
      {"static_standard_output", leave_standard_output_open},
      {"exit_in_another_thread", exit_from_another_thread},
      {"writer_on_the_stack", exit_with_a_writer_on_the_stack},
      {"writing_during_exit", write_during_exit},
      {"static_journal", leave_a_static_journal_open},
      {"leaked_journal", leak_a_journal},
      {"quick_exit", leave_by_quick_exit},
      {"verify", verify},
  };
  if (argc != 3 || !scenarios.contains(argv[1])) {
    std::fprintf(stderr, "usage: exit_test SCENARIO FOLDER\n");
    return 2;
  }
  end_when_hanging();
  scenarios.at(argv[1])(argv[2]);
  return 0;
}
