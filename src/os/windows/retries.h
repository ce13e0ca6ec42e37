// Retries of a call that is refused because another program has the file open.
//
// A virus scanner or a program that indexes files opens each new file for some milliseconds. While
// a file is open in a way that allows no second opening, or no rename, Windows refuses these calls.
#pragma once

#include <atomic>

#include "os/system_calls.h"

namespace sluice::os {

// The waits before the attempts last 1, 2, 3, ... ms: 1.275 s in all.
inline constexpr int max_attempts = 51;

// Waits between two attempts. A test puts a function of its own here.
using Pause = void (*)(unsigned milliseconds);
extern std::atomic<Pause> pause_between_attempts;

// Repeats `call` while it fails and `is_passing(result)` says that the failure may pass.
template <typename Call, typename IsPassing>
CallResult with_retries(Call call, IsPassing is_passing) {
  for (int attempt = 1;; ++attempt) {
    const CallResult result = call();
    if (result >= 0 || attempt == max_attempts || !is_passing(result)) return result;
    pause_between_attempts.load()(static_cast<unsigned>(attempt));
  }
}

}  // namespace sluice::os
