// PartPool: the memory of the parts that Arrow sends.
#pragma once

#include <arrow/memory_pool.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "object/file_system.h"

namespace sluice::object {

// Takes memory of a part's size from the kernel, and uses it again while Sinks are open. The
// allocators of Arrow and of the C library keep memory of parts that were sent: up to as much as
// the parts under way have. Other sizes come from the allocator of the C library.
// Any thread.
class PartPool final : public arrow::MemoryPool {
 public:
  PartPool() = default;
  ~PartPool() override { release(0); }  // no part is in use any more

  PartPool(const PartPool&) = delete;
  PartPool& operator=(const PartPool&) = delete;

  // For a Sink that has `parts` under way: the pool may keep the memory of so many parts more. May
  // throw std::bad_alloc. Each call has one release() after it, with the same number.
  void keep(std::size_t parts);
  void release(std::size_t parts) noexcept;

  arrow::Status Allocate(std::int64_t bytes, std::int64_t alignment, std::uint8_t** out) override;
  arrow::Status Reallocate(std::int64_t old_bytes, std::int64_t bytes, std::int64_t alignment,
                           std::uint8_t** memory) override;
  void Free(std::uint8_t* memory, std::int64_t bytes, std::int64_t alignment) override;

  std::int64_t bytes_allocated() const override { return bytes_now_; }
  std::int64_t total_bytes_allocated() const override { return bytes_in_all_; }
  std::int64_t num_allocations() const override { return allocations_; }
  std::string backend_name() const override { return "sluice"; }

 private:
  arrow::Status take_part(std::uint8_t** out);
  void give_back_part(std::uint8_t* memory) noexcept;

  std::mutex mutex_;
  std::vector<std::uint8_t*> spare_;  // has room for kept_
  std::size_t parts_ = 0;             // in use or spare
  std::size_t kept_ = 0;              // as many parts may stay
  std::atomic<std::int64_t> bytes_now_ = 0;
  std::atomic<std::int64_t> bytes_in_all_ = 0;
  std::atomic<std::int64_t> allocations_ = 0;
};

// The pool of the process. It is never destroyed, because Arrow's buffers may outlive every Sink.
PartPool& part_pool();

// A Sink's share of this pool. In a forked child it leaves the pool alone: a thread of the parent
// may have locked it.
class KeptParts {
 public:
  explicit KeptParts(std::size_t parts) : parts_(parts) { part_pool().keep(parts); }
  ~KeptParts();

  KeptParts(const KeptParts&) = delete;
  KeptParts& operator=(const KeptParts&) = delete;

 private:
  const std::size_t parts_;
  const std::int64_t process_ = process_number();
};

}  // namespace sluice::object
