// Names for addresses, by elfutils.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "preload/trace/record.h"
#include "trace/profile.h"

namespace sluice::trace {

// The code that one process had loaded.
class Symbols {
 public:
  explicit Symbols(const preload::Record& record);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // The stack from the program's own code outwards: frames of the C and C++ libraries at its inner
  // end are left out, unless there is nothing else.
  std::vector<Frame> stack_of(const preload::Site& site) const;

 private:
  struct Session;
  std::vector<Frame> frames_at(std::uint64_t return_address) const;
  std::unique_ptr<Session> session_;
};

}  // namespace sluice::trace
