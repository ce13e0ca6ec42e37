// Names for addresses, by elfutils.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "preload/trace/log.h"
#include "trace/profile/profile.h"

namespace sluice::trace {

// Finds names for the addresses of all processes. A file that several processes have loaded is read
// once.
class Symbols {
 public:
  Symbols();
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // One of the log's sites, with its stack from the program's own code outwards: see own_code.h.
  const Site& site_of(const preload::Log& log, const preload::Site& site);

 private:
  class File;
  // An address of a file; without a file, an address of the process.
  struct Place {
    File* file;
    std::uint64_t address;
    auto operator<=>(const Place&) const = default;  // NOLINT(modernize-use-nullptr): it is none
  };
  Place place_of(const preload::Log& log, std::uint64_t return_address);

  std::map<std::string, std::unique_ptr<File>, std::less<>> files_;
  std::map<std::vector<Place>, Site> sites_;
};

}  // namespace sluice::trace
