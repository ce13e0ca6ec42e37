// guarded: wraps every public call that may allocate. It holds off cancellation too.
//
// The library is compiled with exceptions for std::bad_alloc alone, which the standard library
// throws. This function catches the exception, after destructors have closed what the call had
// opened.
#pragma once

#include <cerrno>
#include <new>
#include <string_view>
#include <utility>

#include "os/cancellation.h"
#include "sluice/status.h"

namespace sluice::os {

inline Status no_memory(std::string_view path) noexcept {
  return Status::failure(Operation::allocate, path, ENOMEM);
}

// Returns the result of `call`, or the result of `without_memory` if `call` runs out of memory. The
// caller holds off cancellation.
template <typename Call, typename WithoutMemory>
auto guarded_against_no_memory(Call call, WithoutMemory without_memory) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return without_memory();
  }
}

template <typename Call, typename WithoutMemory>
auto guarded(Call call, WithoutMemory without_memory) -> decltype(call()) {
  const CancellationHeldOff held_off;
  return guarded_against_no_memory(std::move(call), std::move(without_memory));
}

// guarded for a call that returns a Status: without memory the call fails with ENOMEM and names
// `path`, which must outlive the call.
template <typename Call>
Status guarded_status(std::string_view path, Call call) {
  return guarded(call, [path] { return no_memory(path); });
}

}  // namespace sluice::os
