#pragma once

#include <optional>
#include <string>

namespace sluice::put {

// The options of a command line of `sluice put`.
struct Request {
  std::string file;
  bool atomic = false;
  bool durable = false;
  std::string compression;   // the format, such as zstd; empty: the bytes are written as they are
  std::optional<int> level;  // of the compression; empty: the format's own default
};

}  // namespace sluice::put
