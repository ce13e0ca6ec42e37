// Advice in the terms of the program that made the calls.
#pragma once

#include "trace/advice.h"
#include "trace/runtime.h"

namespace sluice::trace {

class OwnTerms {
 public:
  explicit OwnTerms(const Profile& profile) : profile_(profile), runtimes_(profile) {}

  // Completes `fix`, and sets `runtime` and `cure`. For a database the advice names no
  // `sluice run`, because only the database itself may delay its writes. For a shell the advice
  // about its seeks in a file stands for its reads of this file too, because both have one cause.
  // For std::cin the advice about its bytes counts those that it puts back.
  void say(Advice& advice) const;

 private:
  void count_bytes_put_back(Advice& advice) const;

  const Profile& profile_;
  Runtimes runtimes_;
};

}  // namespace sluice::trace
