#include "bench/experiments/cold/ring.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "bench/experiments/input/raw_read.h"  // fail

namespace sluice::bench {
namespace {

template <typename T>
T* at(void* base, unsigned offset) {
  return reinterpret_cast<T*>(static_cast<char*>(base) + offset);
}

void* map_ring(int descriptor, std::size_t bytes, std::uint64_t offset) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                              descriptor, static_cast<off_t>(offset));
  if (memory == MAP_FAILED) fail("map", "io_uring");
  return memory;
}

}  // namespace

Ring::Ring(unsigned depth) : Ring() {
  io_uring_params params{};
  descriptor_ = static_cast<int>(::syscall(SYS_io_uring_setup, depth, &params));
  if (descriptor_ < 0) fail("set up", "io_uring");
  const std::size_t done_bytes = params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
  const std::size_t submit_bytes = params.sq_off.array + params.sq_entries * sizeof(unsigned);
  ring_bytes_ = std::max(done_bytes, submit_bytes);
  rings_ = map_ring(descriptor_, ring_bytes_, IORING_OFF_SQ_RING);
  entry_bytes_ = params.sq_entries * sizeof(io_uring_sqe);
  entries_ = static_cast<io_uring_sqe*>(map_ring(descriptor_, entry_bytes_, IORING_OFF_SQES));
  submit_tail_ = at<unsigned>(rings_, params.sq_off.tail);
  submit_mask_ = *at<unsigned>(rings_, params.sq_off.ring_mask);
  submit_indexes_ = at<unsigned>(rings_, params.sq_off.array);
  done_head_ = at<unsigned>(rings_, params.cq_off.head);
  done_tail_ = at<unsigned>(rings_, params.cq_off.tail);
  done_mask_ = *at<unsigned>(rings_, params.cq_off.ring_mask);
  done_ = at<io_uring_cqe>(rings_, params.cq_off.cqes);
}

Ring::~Ring() {
  if (entries_ != nullptr) ::munmap(entries_, entry_bytes_);
  if (rings_ != nullptr) ::munmap(rings_, ring_bytes_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Ring::queue(int descriptor, void* into, std::size_t bytes, std::uint64_t position,
                 std::uint64_t tag) {
  const unsigned tail = *submit_tail_;
  const unsigned index = tail & submit_mask_;
  io_uring_sqe& entry = entries_[index];
  entry = {};
  entry.opcode = IORING_OP_READ;
  entry.fd = descriptor;
  entry.addr = reinterpret_cast<std::uintptr_t>(into);
  entry.len = static_cast<unsigned>(bytes);
  entry.off = position;
  entry.user_data = tag;
  submit_indexes_[index] = index;
  std::atomic_ref(*submit_tail_).store(tail + 1, std::memory_order_release);
  ++queued_;
}

Ring::Done Ring::wait() {
  const unsigned head = *done_head_;
  while (queued_ != 0 || std::atomic_ref(*done_tail_).load(std::memory_order_acquire) == head) {
    const long given =
        ::syscall(SYS_io_uring_enter, descriptor_, queued_, 1, IORING_ENTER_GETEVENTS, nullptr, 0);
    if (given < 0 && errno != EINTR) fail("enter", "io_uring");
    if (given > 0) queued_ -= static_cast<unsigned>(given);
  }
  const io_uring_cqe& entry = done_[head & done_mask_];
  const Done done{entry.user_data, entry.res};
  std::atomic_ref(*done_head_).store(head + 1, std::memory_order_release);
  return done;
}

}  // namespace sluice::bench
