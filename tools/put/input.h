// Input: standard input, and the signals that end the command while it waits for input.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice::put {

// Notices the signals that end programs. Signals that were ignored stay ignored. There may be one
// Input at a time.
class Input {
 public:
  enum class Signals {
    end_the_program,  // as if there were no Input
    // Signals are delivered only while the Input waits, so none comes between two steps of work on
    // a file.
    are_held_back,
    // The first one is noticed at any moment, and the second one ends the program at once: work on
    // an object may wait for its store for minutes.
    end_the_program_the_second_time,
  };

  explicit Input(Signals signals);
  ~Input();  // from here on signals have their usual effect
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Makes one read. `got` is 0 at the end of the input, and after a signal.
  Status read(MutableBytesView into, std::size_t& got);

  // The signal that came, or 0.
  int signal() const;

 private:
  sigset_t before_{};
  int wake_up_[2] = {-1, -1};  // a pipe: its reading end wakes the Input after a signal
};

// Refuses standard input that cannot be read, before the old file is emptied: a closed descriptor,
// a directory, and, unless `may_be_the_file`, the file itself.
Status check_input(const std::string& file, bool may_be_the_file);

// Makes a write beyond the limit of file sizes fail with EFBIG, instead of ending the process with
// the file half done.
void ignore_file_size_signal();

// Ends this process by the signal, as if the signal had not been caught.
int end_by(int signal);

}  // namespace sluice::put
