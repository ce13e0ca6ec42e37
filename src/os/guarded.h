// guarded: what stands around every public call that may allocate. It holds off cancellation too.
//
// The library is compiled with exceptions for one of them: std::bad_alloc, which the standard
// library throws. It closes what the call had opened on its way, and ends here.
#pragma once

#include <cerrno>
#include <new>
#include <string_view>

#include "os/cancellation.h"
#include "sluice/status.h"

namespace sluice::os {

inline Status no_memory(std::string_view path) noexcept {
  return Status::failure(Operation::allocate, path, ENOMEM);
}

// Gives what `call` does, or what `without_memory` does where there is none for it.
template <typename Call, typename WithoutMemory>
auto guarded(Call call, WithoutMemory without_memory) -> decltype(call()) {
  const CancellationHeldOff held_off;
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return without_memory();
  }
}

// The same for a call that gives a Status: without memory it fails with ENOMEM and names `path`,
// which outlives the call.
template <typename Call>
Status guarded_status(std::string_view path, Call call) {
  return guarded(call, [path] { return no_memory(path); });
}

}  // namespace sluice::os
