// A shared object with the library in it, as a plug-in of some program has it.
#include <sluice/files.h>
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

namespace {
sluice::Writer left_open;  // destroyed by dlclose
}

extern "C" void leave_a_writer_open(const char* folder) {
  const std::string path = std::string(folder) + "/left";
  check(left_open.open(path, {.write_behind = sluice::WriteBehind::on, .block_bytes = 4096}).ok(),
        "the file opens");
  for (const char byte : numbered_lines(0, 100'000)) left_open.put(byte);
}
