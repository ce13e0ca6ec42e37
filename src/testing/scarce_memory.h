// ScarceMemory: memory that runs out while a test is in the library.
//
// During a call made through in(), every allocation of any thread counts: by operator new, and by
// the table of system calls, which ScarceMemory puts in place. Only one ScarceMemory may exist at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "os/system_calls.h"

namespace sluice::testing {

using os::CallResult;

// Tells whether the next allocation has to fail. Every call counts as one allocation.
bool next_allocation_fails() noexcept;

class ScarceMemory {
 public:
  enum class Lasting : std::uint8_t { once, for_ever };

  // The nth allocation fails (counted from 1), alone or with all later allocations.
  ScarceMemory(std::size_t nth, Lasting lasting) noexcept;
  ~ScarceMemory();
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;

  template <typename Call>
  auto in(Call call) {
    const Within within;
    return call();
  }

  bool ran_out() const noexcept;

 private:
  class Within {
   public:
    Within() noexcept;
    ~Within();
  };
  class Calls final : public os::SystemCalls {
    void* allocate(std::size_t bytes) override;
    void* reallocate(void* old, std::size_t bytes) override;
    CallResult map_memory(std::size_t bytes, void*& address) override;
    CallResult remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                            void*& address) override;
    CallResult start_thread(void* (*body)(void*), void* argument, pthread_t& thread) override;
  };

  Calls calls_;
  os::ScopedSystemCalls in_place_{calls_};
};

}  // namespace sluice::testing
