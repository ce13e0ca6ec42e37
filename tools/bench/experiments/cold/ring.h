// Ring: reads of one file through io_uring, by the kernel's own calls.
#pragma once

#include <cstddef>
#include <cstdint>

struct io_uring_sqe;
struct io_uring_cqe;

namespace sluice::bench {

class Ring {
 public:
  // A ring for `depth` reads at a time. Throws if the system allows no io_uring.
  explicit Ring(unsigned depth);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  // Queues a read. At most `depth` reads may be queued or under way.
  void queue(int descriptor, void* into, std::size_t bytes, std::uint64_t position,
             std::uint64_t tag);
  struct Done {
    std::uint64_t tag;
    int result;  // bytes, or -errno
  };
  // Gives all queued reads to the kernel, and waits until one is done.
  Done wait();

 private:
  Ring() = default;  // without memory, so that the destructor runs if the other constructor throws

  int descriptor_ = -1;
  void* rings_ = nullptr;
  std::size_t ring_bytes_ = 0;
  io_uring_sqe* entries_ = nullptr;
  std::size_t entry_bytes_ = 0;
  unsigned* submit_tail_ = nullptr;
  unsigned submit_mask_ = 0;
  unsigned* submit_indexes_ = nullptr;
  unsigned* done_head_ = nullptr;
  unsigned* done_tail_ = nullptr;
  unsigned done_mask_ = 0;
  io_uring_cqe* done_ = nullptr;
  unsigned queued_ = 0;
};

}  // namespace sluice::bench
