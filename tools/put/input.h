// Input: standard input, and the signals that end the command while it waits for it.
#pragma once

#include <csignal>
#include <cstddef>

#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice::put {

// Signals that are held back come through only while it waits, so that none of them falls between
// two steps of what is done to a file. Those that were ignored stay ignored. There is one Input at
// a time.
class Input {
 public:
  enum class Signals { none, that_end_programs };

  explicit Input(Signals held_back);
  ~Input();  // what came after the end of the input came too late
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // One read; `got` is 0 at the end, and when signal() says that one came.
  Status read(MutableBytesView into, std::size_t& got);

  // The signal that came, or 0.
  int signal() const;

 private:
  sigset_t before_{};
};

// A write beyond the limit of file sizes then fails with EFBIG, in place of ending the process with
// the file half done.
void ignore_file_size_signal();

// Ends this process by the signal, as if nobody had caught it.
int end_by(int signal);

}  // namespace sluice::put
