// How a call of the C interface fails: with a Status that the caller's sluice_error describes.
#pragma once

#include <cerrno>
#include <new>
#include <string_view>
#include <utility>

#include "sluice/c.h"
#include "sluice/status.h"

namespace sluice::c {

// Describes a failure. `error` may be null. Without memory for the message, the message has the
// code's number instead of its text.
void describe(const Status& status, sluice_error* error) noexcept;

// Returns true if the Status is ok. Otherwise describes the failure and returns false.
bool succeeds(const Status& status, sluice_error* error) noexcept;

// Copies the text into an array of `size` bytes, with a NUL. A text that is too long ends with
// "...".
void copy_text(std::string_view text, char* into, std::size_t size) noexcept;

// The failure of a call that was given a null pointer. `what` is the pointer, such as "the handle".
Status is_null(Operation operation, std::string_view what) noexcept;

// Returns the result of `call`, or a failure with ENOMEM if `call` runs out of memory. No exception
// may reach the C program.
template <typename Call>
Status guarded(std::string_view path, Call call) noexcept {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Status::failure(Operation::allocate, path, ENOMEM);
  }
}

}  // namespace sluice::c
