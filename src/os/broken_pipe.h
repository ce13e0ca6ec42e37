// BrokenPipeHeldBack: while such an object lives, a write by this thread to a pipe or socket that
// no process reads fails with EPIPE, and SIGPIPE does not end the program.
//
// The object blocks SIGPIPE in this thread alone, and removes a SIGPIPE that the write has caused.
// The process's handling of SIGPIPE stays as it was. A SIGPIPE that was pending before the object
// existed stays pending for the program.
#pragma once

namespace sluice::os {

class File;

// True if a write to the file can send SIGPIPE: the file is a pipe or a socket, or the kind of the
// file is unknown.
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
