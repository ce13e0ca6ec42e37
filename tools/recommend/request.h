#pragma once

#include <string>

namespace sluice::recommend {

// The options of a command line of `sluice recommend`.
struct Request {
  std::string directory = ".";
  std::string sample_file;  // "": the bytes are random, which compression cannot shrink
  std::string json_file;
  bool quick = false;
  bool sweep = false;
};

}  // namespace sluice::recommend
