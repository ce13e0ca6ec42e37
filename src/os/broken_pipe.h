// BrokenPipeHeldBack: for as long as one lives, a write of this thread's that nobody reads fails
// with EPIPE and no SIGPIPE ends the program.
//
// The signal is blocked in this thread alone and taken when it came; what the process does with
// SIGPIPE stays. One that waited already, for the program, is left to it.
#pragma once

namespace sluice::os {

class File;

// Whether writing to the file can end in SIGPIPE: it is a pipe or a socket, or nobody can tell.
bool can_break(const File& file);

class BrokenPipeHeldBack {
 public:
  explicit BrokenPipeHeldBack(bool is_needed) noexcept;
  ~BrokenPipeHeldBack();
  BrokenPipeHeldBack(const BrokenPipeHeldBack&) = delete;
  BrokenPipeHeldBack& operator=(const BrokenPipeHeldBack&) = delete;

 private:
  const bool is_needed_;
  bool was_blocked_ = false;
  bool waited_before_ = false;
};

}  // namespace sluice::os
