// BackgroundRead: a read that the kernel makes while the program goes on, without a thread.
//
// Only direct reads are made in the background: the kernel makes others at once, in begin(). The
// kernel gives a process a queue for such reads quickly, but takes 30 ms to take it back. So queues
// that are not in use are kept for the next BackgroundRead of the process. In a forked child the
// reads and queues of the parent do not exist.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "os/file.h"
#include "sluice/bytes.h"

namespace sluice::os {

class BackgroundRead {
 public:
  BackgroundRead() noexcept = default;
  ~BackgroundRead() { close(); }
  BackgroundRead(const BackgroundRead&) = delete;
  BackgroundRead& operator=(const BackgroundRead&) = delete;

  // True if there is a queue: it was opened, or another BackgroundRead has left it.
  bool has_queue();
  // True if the kernel reads nothing in this way.
  bool is_refused() const { return is_refused_; }
  // Opens a queue. False if the kernel gives none, or if a read has shown that it reads nothing in
  // this way.
  bool open_queue();

  // Begins to read, if there is a queue. The kernel may write to `into` until end() or close()
  // returns. Returns false if nothing was begun.
  bool begin(const File& file, std::uint64_t position, MutableBytesView into);

  // Waits for the read, if one is under way. Returns the number of bytes; 0 if the read failed;
  // `goes_on` if the kernel lets nobody wait, so that it may write to the memory for ever.
  std::size_t end();
  static constexpr std::size_t goes_on = SIZE_MAX;

  // Waits, and keeps the queue for the next BackgroundRead.
  void close();

 private:
  void forget_queue_of_parent();
  bool drop_queue();

  std::uint64_t queue_ = 0;  // 0: none
  unsigned generation_ = 0;  // of the process that has the queue
  bool is_under_way_ = false;
  bool is_refused_ = false;
};

}  // namespace sluice::os
