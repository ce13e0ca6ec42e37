// usage: flushed_lines FILE LINES [append|handler|process]
//
// Writes LINES lines to FILE and flushes each line, at two places of the program. "append" adds the
// lines to the file's end. "handler" first sets a signal handler. "process" starts a process after
// the file was opened.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace {

[[gnu::noinline]] void write_one(std::ofstream& file, long number) {
  file << number << std::endl;  // place one
}

}  // namespace

int main(int count, char** words) {
  if (count != 3 && count != 4) return 2;
  const char* const how = count == 4 ? words[3] : "";
  if (std::strcmp(how, "handler") == 0) std::signal(SIGUSR1, [](int) {});
  std::ofstream file(words[1], std::strcmp(how, "append") == 0 ? std::ios::app : std::ios::out);
  if (std::strcmp(how, "process") == 0 && std::system("true") != 0) return 1;
  for (long i = 0, lines = std::strtol(words[2], nullptr, 10); i < lines; ++i) {
    if (i % 4 == 0) {
      write_one(file, i);
    } else {
      file << "another" << std::endl;  // place two
    }
  }
  return 0;
}
