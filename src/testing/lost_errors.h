// LostErrors: collects the errors that the lost-error handler gets in a test.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sluice/lost_error.h"
#include "sluice/status.h"

namespace sluice::testing {

// Collects the lost errors of the process while the object exists. Only one LostErrors may exist at
// a time.
// Threads: one thread at a time may lose an error.
class LostErrors {
 public:
  LostErrors() {
    set_lost_error_handler(
        [](const Status& status, void* errors) {
          static_cast<LostErrors*>(errors)->statuses_.push_back(status);
        },
        this);
  }
  ~LostErrors() { set_lost_error_handler(nullptr); }
  LostErrors(const LostErrors&) = delete;
  LostErrors& operator=(const LostErrors&) = delete;

  // Returns the messages of the errors since the last call, and forgets these errors.
  std::vector<std::string> take_messages() {
    std::vector<std::string> messages;
    for (const Status& status : take()) messages.push_back(status.message());
    return messages;
  }
  std::vector<Status> take() { return std::exchange(statuses_, {}); }

 private:
  std::vector<Status> statuses_;
};

}  // namespace sluice::testing
