// A shared object that contains the library, like a plug-in of some program.
#include <sluice/files.h>
#include <sluice/journal.h>
#include <sluice/writer.h>

#include "check.h"

// Writes numbered lines through the engine, reads a large file, and leaves nothing open.
extern "C" void use_the_library(const char* folder) {
  const std::string path = std::string(folder) + "/out";
  sluice::Writer writer;
  check(writer.open(path, {.write_behind = sluice::WriteBehind::on, .block_bytes = 4096}).ok(),
        "the file opens");
  for (const char byte : numbered_lines(0, 100'000)) writer.put(byte);
  check(writer.close().ok(), "the Writer closes");
}

// Both are destroyed by dlclose.
namespace {
sluice::Writer left_open;
sluice::Journal left_journal;
}  // namespace

extern "C" void leave_a_writer_open(const char* folder) {
  const std::string path = std::string(folder) + "/left";
  check(left_open.open(path, {.write_behind = sluice::WriteBehind::on, .block_bytes = 4096}).ok(),
        "the file opens");
  for (const char byte : numbered_lines(0, 100'000)) left_open.put(byte);
}

// The Journal's thread runs from here on.
extern "C" void leave_a_journal_open(const char* folder) {
  const std::string path = std::string(folder) + "/journal";
  check(left_journal.open(path, {.framing = sluice::Framing::raw}).ok(), "the Journal opens");
  sluice::Journal::Ticket ticket = 0;
  check(left_journal.append(numbered_lines(0, 100'000), ticket).ok(), "the lines are appended");
  check(left_journal.durable_up_to(ticket).ok(), "the Journal is asked");
}
