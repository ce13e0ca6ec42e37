// Advice in the terms of the program that made the calls.
#pragma once

#include "trace/advice.h"
#include "trace/runtime.h"

namespace sluice::trace {

class OwnTerms {
 public:
  explicit OwnTerms(const Profile& profile) : profile_(profile), runtimes_(profile) {}

  // Completes `fix`, and sets `runtime`. For a database the advice names no `sluice run`, because
  // only the database itself may delay its writes. For a shell the advice about its seeks in a file
  // stands for its reads of this file too, because both have one cause.
  void say(Advice& advice) const;

 private:
  const Profile& profile_;
  Runtimes runtimes_;
};

}  // namespace sluice::trace
