// Advice in the terms of the program that made the calls.
#pragma once

#include "trace/advice.h"
#include "trace/runtime.h"

namespace sluice::trace {

class OwnTerms {
 public:
  explicit OwnTerms(const Profile& profile) : profile_(profile), runtimes_(profile) {}

  // Completes `fix`, and sets `runtime`. Nobody else than a database may hold its bytes back. A
  // shell's reads of a file are a part of the advice about its seeks.
  void say(Advice& advice) const;

 private:
  const Profile& profile_;
  Runtimes runtimes_;
};

}  // namespace sluice::trace
