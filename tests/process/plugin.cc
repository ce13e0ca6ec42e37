// A shared object that contains the library, like a plug-in of some program.
#include <sluice/files.h>
#include <sluice/journal.h>
#include <sluice/reader.h>
#include <sluice/writer.h>

#include <array>

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

// All are destroyed by dlclose.
namespace {
sluice::Reader left_reader;
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

// The kernel reads the next block of `left_reader` from here on, and a queue of another Reader is
// kept for the next one. In a folder without direct I/O there is no queue.
extern "C" void leave_a_direct_reader_open(const char* folder) {
  constexpr std::size_t block_bytes = 64 * 1024;
  const std::string path = std::string(folder) + "/direct";
  check(sluice::write_file(path, "").ok(), "the file is made");
  check(::truncate(path.c_str(), 300'000'000) == 0, "the file gets a hole");
  const sluice::ReaderOptions directly{.block_bytes = block_bytes, .direct = sluice::Direct::on};
  sluice::Reader another;
  for (sluice::Reader* const reader : {&left_reader, &another}) {
    if (!reader->open(path, directly).ok()) return;
    std::array<std::byte, 1000> piece;
    for (std::size_t bytes = 0; bytes < 10 * block_bytes; bytes += piece.size()) {
      check(reader->read(piece) == piece.size(), "the bytes are read");
    }
  }
  check(another.close().ok(), "the Reader closes");
  check(contents_of("/proc/self/maps").find("/[aio]") != std::string::npos, "there is a queue");
}
