// succeeds: a call of a stream or stream buffer that belongs to the program.
#pragma once

namespace sluice {

// Returns the result of `call`, or false if it throws. A stream throws if its exceptions() ask for
// it, and so may a stream buffer. The stream keeps badbit in any case.
template <typename Call>
bool succeeds(Call call) noexcept {
  try {
    return call();
  } catch (...) {
    return false;
  }
}

}  // namespace sluice
