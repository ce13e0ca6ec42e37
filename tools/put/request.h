#pragma once

#include <string>

namespace sluice::put {

// The options of a command line of `sluice put`.
struct Request {
  std::string file;
  bool atomic = false;
  bool durable = false;
};

}  // namespace sluice::put
