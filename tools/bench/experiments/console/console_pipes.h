// The two ends of a console program: its standard input fed, and its standard output drained, by
// processes of their own. Not by threads: with a second thread glibc would take its locks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace sluice::bench {

// From here on standard input is a pipe into which another process writes the file at `path`.
// Returns once bytes are there. stdin is as in a process that has just started.
void feed_standard_input(const std::string& path);

// While it lives, standard output is a pipe that another process reads and hashes. stdout is as in
// a process that has just started. The process reading is up and waiting when the constructor
// returns.
class StandardOutputDrain {
 public:
  struct Received {
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;
  };

  StandardOutputDrain();
  ~StandardOutputDrain();
  StandardOutputDrain(const StandardOutputDrain&) = delete;
  StandardOutputDrain& operator=(const StandardOutputDrain&) = delete;

  // Ends standard output (it is /dev/null from then on) and tells what came through the pipe.
  // What stdio or iostreams still hold back does not count: a row has to flush.
  Received finish();

 private:
  pid_t process_ = -1;
  int reports_ = -1;  // where the process reading says that it is ready, and what it received
};

}  // namespace sluice::bench
