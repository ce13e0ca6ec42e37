// The two ends of a console program. One process feeds its standard input, and another process
// drains its standard output. Threads would not do: with a second thread glibc takes its locks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace sluice::bench {

// Makes standard input a pipe into which another process writes the file at `path`. Returns once
// the pipe has bytes. stdin then has the state that it has in a new process.
void feed_standard_input(const std::string& path);

// While it exists, standard output is a pipe that another process reads and hashes. stdout then has
// the state that it has in a new process. When the constructor returns, the reading process is
// ready.
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

  // Ends standard output, which is /dev/null afterwards. Returns the number and the hash of the
  // bytes that came through the pipe. Bytes that stdio or iostreams still hold back do not count,
  // so a row must flush.
  Received finish();

 private:
  pid_t process_ = -1;
  int reports_ =
      -1;  // the reading process reports here that it is ready, and later the bytes that came
};

}  // namespace sluice::bench
