#pragma once

#include <string>
#include <vector>

namespace sluice::cat {

// The options of a command line of `sluice cat`.
struct Request {
  std::vector<std::string> files;  // "-" is standard input; without files it is read too
};

}  // namespace sluice::cat
