#pragma once

#include <string>

namespace sluice::put {

// What the command line of `sluice put` asks for.
struct Request {
  std::string file;
  bool atomic = false;
  bool durable = false;
};

}  // namespace sluice::put
